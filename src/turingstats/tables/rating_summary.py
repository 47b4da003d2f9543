"""Table of ratings and scores: means, areas under ROC curves, hits at false-alarm rates, odds ratios."""

import pandas as pd

from turingstats.config.graded import ALL_DETECTORS
from turingstats.config.study import Study
from turingstats.core.labels import format_with_interval

TITLE = "Ratings and scores by agent"
JUDGES, AGENT = "Judges", "Agent"
QUANTITIES = {
    "mean": "Mean",
    "difference": "Difference from people",
    "confidence": "Confidence",
    "roc_area": "AUC",
    "judged_machine": "Judged machine",
}
"""Columns of the table, by quantity of ratings.csv."""
ODDS = "Odds ratio of a higher rating, against people"


def tabulate_ratings(
    ratings: pd.DataFrame, models: pd.DataFrame, study: Study, reading: str
) -> pd.DataFrame:
    """Make the table of ratings and scores: one row per cohort or machine judge, and agent.

    Columns that are empty in all rows are left out.
    """
    ratings = ratings[ratings["reading"] == reading].fillna({"judge": "", "level": ""})
    models = models[(models["reading"] == reading) & models["converged"].astype(bool)]
    keys = ["task", "cohort", "judge"]
    odds = models[models["kind"] == "coefficient"].fillna({"judge": ""})
    odds = odds.set_index([*keys, "term"])
    rows = []
    for (task, cohort, judge, agent), measures in ratings.groupby([*keys, "agent"], sort=False):
        pooled = cohort == ALL_DETECTORS
        label = "Mean of all detectors" if pooled else study.tasks[task].cohorts[cohort].label
        label = f"{label}: {judge}" if judge else label
        row = {"Task": study.tasks[task].label} if len(study.tasks) > 1 else {}
        row |= {JUDGES: label, AGENT: name_agent(agent, study)}
        counted = measures[measures["quantity"].isin(["mean", "judged_machine"])]
        row["n"] = f"{counted['n'].max():,.0f}"
        for quantity, heading in QUANTITIES.items():
            row[heading] = format_row(measures[measures["quantity"] == quantity])
        for rate, hits in measures[measures["quantity"] == "hits"].groupby("level", sort=False):
            row[f"Hits at {float(rate):.0%} false alarms"] = format_row(hits)
        key = (task, cohort, judge, agent)
        row[ODDS] = ""
        if key in odds.index:
            ratio = odds.loc[key]
            row[ODDS] = format_with_interval(ratio["odds_ratio"], ratio["or_low"], ratio["or_high"])
        rows.append(row)
    table = pd.DataFrame(rows).fillna("")
    return table[[name for name in table if (table[name] != "").any()]]


def name_agent(agent: str, study: Study) -> str:
    """Name an agent; all machines together are models."""
    return "All models" if agent == "all" else study.agents[agent].label


def format_row(rows: pd.DataFrame) -> str:
    """Format the number of a single row with its interval; empty without a row."""
    if rows.empty:
        return ""
    row = rows.iloc[0]
    return format_with_interval(row["value"], row["ci_low"], row["ci_high"])
