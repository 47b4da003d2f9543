"""Tables of ratings and scores by agent, and of ratings given beside the verdict; cells are text."""

import pandas as pd

from turingstats.config.study import Study
from turingstats.core.labels import format_with_interval
from turingstats.tables.formats import drop_empty_columns, label_judges, pivot_cells

QUANTITIES = {
    "mean": "Mean",
    "difference": "Difference from people",
    "confidence": "Confidence",
    "roc_area": "AUC",
    "judged_machine": "Judged machine",
}
"""Columns of the table, by quantity of ratings.csv."""
ODDS = "Odds ratio of a higher rating, against people"
CORRELATIONS = {
    "within_judges": "r with the verdict human, within judges",
    "within_stimuli": "r with the verdict human, within stimuli",
}


def tabulate_ratings(
    ratings: pd.DataFrame, models: pd.DataFrame, study: Study, reading: str
) -> pd.DataFrame:
    """Make the table of ratings and scores: one row per cohort or machine judge, and agent.

    Columns that are empty in all rows are left out.
    """
    ratings = ratings[ratings["reading"] == reading].fillna({"judge": "", "level": ""})
    ratings["heading"] = ratings["quantity"].map(QUANTITIES)
    hits = ratings["quantity"] == "hits"
    ratings.loc[hits, "heading"] = [
        f"Hits at {float(rate):.0%} false alarms" for rate in ratings.loc[hits, "level"]
    ]
    keys = ["task", "cohort", "judge", "agent"]
    cells = pivot_cells(ratings, keys)
    ordered = [*QUANTITIES.values(), *ratings.loc[hits, "heading"].unique()]
    cells = cells[[heading for heading in ordered if heading in cells]]
    counted = ratings[ratings["quantity"].isin(["mean", "judged_machine"])]
    sizes = counted.groupby(keys)["n"].max()
    models = models[(models["reading"] == reading) & models["converged"].astype(bool)]
    odds = models[models["kind"] == "coefficient"].fillna({"judge": ""})
    ratios = odds.set_index([*keys[:3], "term"])[["odds_ratio", "or_low", "or_high"]]
    rows, names = [], study.agent_labels
    for key, row in cells.iterrows():
        task, cohort, judge, agent = key
        labels = label_judges(task, cohort, judge, study) | {"Agent": names[agent]}
        ratio = format_with_interval(*ratios.loc[key]) if key in ratios.index else ""
        rows.append(labels | {"n": f"{sizes[key]:,.0f}"} | row.to_dict() | {ODDS: ratio})
    return drop_empty_columns(pd.DataFrame(rows))


def tabulate_scales(table: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Tabulate scales: one row per cohort or machine judge and scale."""
    table = table.fillna({"judge": ""})
    keys = ["task", "cohort", "judge", "scale"]
    agents = table["agent"].map(study.agent_labels)
    forms = {"mean": "Mean, " + agents, "difference": agents + " minus people"}
    table["heading"] = table["quantity"].map(CORRELATIONS)
    for quantity, headings in forms.items():
        table["heading"] = table["heading"].where(table["quantity"] != quantity, headings)
    sizes = table.groupby(keys)["n"].max()
    # The first difference is that of all machines.
    extra = (table["quantity"] == "difference") & table.duplicated([*keys, "quantity"])
    rows = []
    for key, row in pivot_cells(table[~extra], keys).iterrows():
        task, cohort, judge, scale = key
        labels = label_judges(task, cohort, judge, study) | {"Scale": scale.replace("_", " ")}
        rows.append(labels | {"n": f"{sizes[key]:,.0f}"} | row.to_dict())
    return drop_empty_columns(pd.DataFrame(rows))
