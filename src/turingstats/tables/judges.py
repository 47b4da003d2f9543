"""Tables of who judged what, and of how judges agree about the same responses; cells are text."""

import pandas as pd

from turingstats.config.study import Study
from turingstats.core.labels import format_with_interval
from turingstats.tables.formats import drop_empty_columns, pivot_cells

SIDES = {"all": "all", "human": "people's", "machine": "machines'"}
AGREEMENT = {
    "percent_agreement": "Pairs that agree",
    "fleiss_kappa": "Fleiss' kappa",
    "krippendorff_alpha": "Krippendorff's alpha",
}
SIGNALS = {
    "verdicts d_prime": "d'",
    "verdicts sd_d_prime": "SD of d' between judges",
    "verdicts criterion": "Criterion c",
    "verdicts sd_criterion": "SD of c between judges",
    "ratings, unequal variance d_a": "Ratings: d_a",
    "ratings, unequal variance sd_ratio": "Ratings: SD of machines over people",
}
"""Columns of the table of signal detection, by model and quantity."""


def summarize_cohorts(sample: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Summarize the sample in one row per cohort, as text."""
    sample = sample.assign(level=sample["level"].fillna(""))
    rows = []
    for (task, cohort), own in sample.groupby(["task", "cohort"], sort=False):
        described = study.tasks[task].cohorts[cohort]
        numbers = own.set_index(["variable", "level", "quantity"])["value"].to_dict()
        row = {"Task": study.tasks[task].label, "Cohort": described.label}
        unnamed = described.unnamed
        for variable in ("judges", "verdicts", "stimuli", "responses"):
            value = numbers.get((variable, "", "number"))
            hidden = value is None or (unnamed and variable == "judges")
            row[variable.capitalize()] = "not known" if hidden else f"{value:,.0f}"
        for variable in ("verdicts per judge", "judges per stimulus"):
            row[variable.capitalize()] = format_spread(
                numbers, variable, unnamed and variable == "verdicts per judge"
            )
        age = [numbers.get(("age", "", quantity)) for quantity in ("mean", "sd", "min", "max")]
        row["Age"] = "{:.1f} (sd {:.1f}; {:g} to {:g})".format(*age) if age[0] is not None else ""
        for by in study.demographics:
            counts = own[(own["variable"] == by) & (own["quantity"] == "number")]
            numbers_by_level = zip(counts["level"], counts["value"], strict=True)
            row[by.replace("_", " ").capitalize() + " of judges"] = "; ".join(
                f"{level} {number:,.0f}" for level, number in numbers_by_level if not unnamed
            )
        # The row names their task and cohort: a single one needs no other name.
        machines = own.loc[own["variable"] == "machine judge", "level"].str.split(".", n=2).str[-1]
        names = ", ".join(machines) if len(machines) <= 20 else f"{len(machines)}"
        row["Machine judges"] = names if len(machines) > 1 else ""
        rows.append(row)
    return drop_empty_columns(pd.DataFrame(rows))


def format_spread(numbers: dict[tuple[str, str, str], float], variable: str, hidden: bool) -> str:
    """Format the median and range of a number, such as "12 (3 to 40)"."""
    spread = [numbers.get((variable, "", quantity)) for quantity in ("median", "min", "max")]
    if hidden or spread[0] is None:
        return "not known"
    return "{} ({} to {})".format(*(f"{number:,.1f}".removesuffix(".0") for number in spread))


def tabulate_agreement(table: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Tabulate agreement: one row per cohort and kind of response, with cells as text."""
    keys = ["task", "cohort", "truth"]
    cells = pivot_cells(table.assign(heading=table["quantity"].map(AGREEMENT)), keys)
    measured = table.fillna({"note": ""}).groupby(keys)
    sizes, notes = measured["n"].first(), measured["note"].unique()
    rows = [
        {
            "Task": study.tasks[task].label,
            "Judges": study.tasks[task].cohorts[cohort].label,
            "Responses": SIDES[truth],
            "Judged by two or more": f"{sizes[task, cohort, truth]:,.0f}",
            **{heading: row.get(heading, "") for heading in AGREEMENT.values()},
            "Note": "; ".join(filter(None, notes[task, cohort, truth])),
        }
        for (task, cohort, truth), row in cells.iterrows()
    ]
    return pd.DataFrame(rows)


def tabulate_signals(table: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Tabulate signal detection as a mixed model: one row per cohort, with cells as text."""
    keys, d_prime = ["task", "cohort"], SIGNALS["verdicts d_prime"]
    fitted = table[table["converged"].astype(bool)]
    headings = (fitted["model"] + " " + fitted["quantity"]).map(SIGNALS)
    cells = pivot_cells(fitted.assign(heading=headings)[fitted["agent"] == "all"], keys)
    of_agents = fitted[(fitted["agent"] != "all") & (fitted["quantity"] == "d_prime")]
    rows = []
    for (task, cohort), own in table.groupby(keys, sort=False):
        agents = of_agents[(of_agents["task"] == task) & (of_agents["cohort"] == cohort)]
        numbers = cells.loc[(task, cohort)] if (task, cohort) in cells.index else {}
        rows.append(
            {
                "Task": study.tasks[task].label,
                "Judges": study.tasks[task].cohorts[cohort].label,
                "Number": f"{own['n_judges'].max():,.0f}",
                **{heading: numbers.get(heading, "") for heading in SIGNALS.values()},
                f"{d_prime} of each agent": "; ".join(
                    f"{study.agents[one['agent']].label} "
                    f"{format_with_interval(one['value'], one['ci_low'], one['ci_high'])}"
                    for one in agents.to_dict("records")
                ),
            }
        )
    return drop_empty_columns(pd.DataFrame(rows, columns=None if rows else ["Task", "Judges"]))
