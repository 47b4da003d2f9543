"""Tables of who judged what, and of how judges agree about the same responses; cells are text."""

from typing import Any

import pandas as pd

from turingstats.config.study import Study
from turingstats.core.labels import format_with_interval

SIDES = {"all": "all", "human": "people's", "machine": "machines'"}


def summarize_cohorts(sample: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Summarize the sample in one row per cohort, as text."""
    sample = sample.assign(level=sample["level"].fillna(""))
    rows = []
    for (task, cohort), own in sample.groupby(["task", "cohort"], sort=False):
        described = study.tasks[task].cohorts[cohort]
        numbers = own.set_index(["variable", "level", "quantity"])["value"]
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
        machines = own.loc[own["variable"] == "machine judge", "level"]
        row["Machine judges"] = ", ".join(machines) if len(machines) <= 20 else f"{len(machines)}"
        rows.append(row)
    table = pd.DataFrame(rows)
    filled = [column for column in table if (table[column] != "").any()]
    return table[filled]


def format_spread(numbers: pd.Series, variable: str, hidden: bool) -> str:
    """Format the median and range of a number, such as "12 (3 to 40)"."""
    spread = [numbers.get((variable, "", quantity)) for quantity in ("median", "min", "max")]
    if hidden or spread[0] is None:
        return "not known"
    return "{:g} ({:g} to {:g})".format(*spread)


def tabulate_agreement(table: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Tabulate agreement: one row per cohort and kind of response, with cells as text."""
    rows = []
    # Faster than groups of rows, which are small.
    measured: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for row in table.fillna({"note": ""}).to_dict("records"):
        measured.setdefault((row["task"], row["cohort"], row["truth"]), []).append(row)
    for (task, cohort, truth), own in measured.items():
        numbers = {
            row["quantity"]: format_with_interval(row["value"], row["ci_low"], row["ci_high"])
            for row in own
        }
        described = study.tasks[task].cohorts[cohort]
        rows.append(
            {
                "Task": study.tasks[task].label,
                "Judges": described.label,
                "Responses": SIDES[truth],
                "Judged by two or more": f"{own[0]['n']:,.0f}",
                "Pairs that agree": numbers.get("percent_agreement", ""),
                "Fleiss' kappa": numbers.get("fleiss_kappa", ""),
                "Krippendorff's alpha": numbers["krippendorff_alpha"],
                "Note": "; ".join(dict.fromkeys(row["note"] for row in own if row["note"])),
            }
        )
    return pd.DataFrame(rows)


def tabulate_signals(table: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Tabulate signal detection as a mixed model: one row per cohort, with cells as text."""
    columns = {
        ("verdicts", "d_prime"): "d'",
        ("verdicts", "sd_d_prime"): "SD of d' between judges",
        ("verdicts", "criterion"): "Criterion c",
        ("verdicts", "sd_criterion"): "SD of c between judges",
        ("ratings, unequal variance", "d_a"): "Ratings: d_a",
        ("ratings, unequal variance", "sd_ratio"): "Ratings: SD of machines over people",
    }
    rows = []
    for (task, cohort), own in table.groupby(["task", "cohort"], sort=False):
        of_agents = own[(own["agent"] != "all") & (own["quantity"] == "d_prime")]
        numbers = own[own["agent"] == "all"].set_index(["model", "quantity"])
        row = {
            "Task": study.tasks[task].label,
            "Judges": study.tasks[task].cohorts[cohort].label,
            "Number": f"{own['n_judges'].max():,.0f}",
        }
        for key, heading in columns.items():
            row[heading] = ""
            if key in numbers.index and numbers.loc[key, "converged"]:
                shown = numbers.loc[key]
                row[heading] = format_with_interval(
                    shown["value"], shown["ci_low"], shown["ci_high"]
                )
        row["d' of each agent"] = "; ".join(
            f"{study.agents[one['agent']].label} "
            f"{format_with_interval(one['value'], one['ci_low'], one['ci_high'])}"
            for one in of_agents[of_agents["converged"]].to_dict("records")
        )
        rows.append(row)
    names = ["Task", "Judges", "Number", *columns.values(), "d' of each agent"]
    shown = pd.DataFrame(rows, columns=names)
    return shown[
        [name for name in shown if name in ("Task", "Judges") or (shown[name] != "").any()]
    ]
