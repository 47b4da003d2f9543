"""Texts for readers who do not see a figure: the lowest and the highest of its numbers, by task."""

import pandas as pd

from turingstats.core.labels import use_minus_signs

MEASURES = {
    "accuracy_difference": "accuracy of people minus that of the machine",
    "difference": "judged human, minus people",
    "sd": "SD",
    "value": "",
}
"""Columns of source data with its numbers, of which the first is described, and what they are."""
QUANTITIES = {
    "p_HH": "people judged human",
    "p_HM": "models judged human",
    "detectability": "detectability",
    "called human": "share judged human",
    "accuracy": "share of right verdicts",
    "roc_area": "area under the ROC curve",
    "mean": "mean rating",
    "all": "correlation with the reference",
    "icc": "agreement of raters",
    "alignment": "correlation with the reference",
    "share of trials": "share of verdicts",
    "share of judges": "share of judges",
    "share of topics": "share of topics",
}
"""Quantities that are described, in words; panels of listed rows describe their own."""
NAMES = (
    "agent_labels", "agent_label", "machine_label", "label", "cohort_label", "group", "what",
)  # fmt: skip
"""Columns that may name the lowest and the highest number; the first two in which these differ do."""


def describe_numbers(table: pd.DataFrame) -> str:
    """Describe the numbers in source data, such as "Words: people judged human 0.58, models 0.53"."""
    measure = next((name for name in MEASURES if name in table), None)
    if measure is None:
        return ""
    table = choose_rows(table.dropna(subset=measure), measure).dropna(subset="quantity")
    sections = []
    for section, rows in table.groupby("task_label", sort=False):
        ranges = [
            describe_range(str(what), part.sort_values(measure, kind="stable"), measure)
            for what, part in rows.groupby("quantity", sort=False)
        ]
        sections.append(f"{section}: {', '.join(ranges)}")
    return use_minus_signs("; ".join(sections))


def choose_rows(table: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Choose the numbers to describe; `quantity` says what they are."""
    if "judge" in table:
        # Single judges are told by the middle one of their group.
        by = ["task_label", "cohort_label", "truth"]
        table = table.groupby(by, sort=False, as_index=False)["value"].median()
        whose = table["truth"].map({"human": "people's", "machine": "machines'"})
        table["quantity"] = "median share of right verdicts on " + whose + " responses"
    elif measure != "value":
        table = table.assign(quantity=MEASURES[measure])
    elif "source" in table:
        table = table[table["source"] == "mixed model"].assign(quantity="detectability")
    elif "rank_low" in table:
        table = table.assign(quantity="strength, log odds")
    else:
        kinds = table.get("kind", pd.Series("", table.index))
        quantities = table.get("quantity", kinds)
        told = quantities.map(QUANTITIES).where(kinds != "listed", quantities)
        table = table.assign(quantity=told)
        if {"group_by", "x"} <= set(table):
            table["group"] = name_levels(table)
        # Beside other panels, pies say who the judges were.
        shown = ~kinds.isin(["mean", "pie"])
        table = table[shown if shown.any() else kinds == "pie"]
    if "judge_kind" in table and (people := table["judge_kind"] == "human").any():
        table = table[people]
    if "against" in table and (people := table["against"] == "people").any():
        table = table[people]
    return table


def name_levels(table: pd.DataFrame) -> pd.Series:
    """Name levels of conditions that say little alone, such as "exchanges 3" and "trained on GIT"."""
    group = table.get("group", pd.Series(float("nan"), table.index))
    along = table["kind"] == "lines"
    levels = group.where(~along, table["x"].map("{:g}".format)).astype(str)
    words = table["group_by"].astype(str).str.replace("_", " ")
    return (words + " " + levels).where(along | (words == "trained on"), group)


def describe_range(what: str, rows: pd.DataFrame, measure: str) -> str:
    """Describe the lowest and the highest of some numbers, with their names."""
    low, high = rows.iloc[0], rows.iloc[-1]
    if f"{low[measure]:z.2f}" == f"{high[measure]:z.2f}":
        return f"{what} {low[measure]:z.2f}"
    differ = [n for n in (*NAMES, "title") if n in rows and str(low[n]) != str(high[n])]
    # Titles of panels say the same in more words.
    names = [name for name in differ if name != "title"][:2] or differ
    if not names:
        return f"{what} {low[measure]:z.2f} to {high[measure]:z.2f}"
    ends = (f"{row[measure]:z.2f} ({join_names(row[names])})" for row in (low, high))
    return f"{what} {' to '.join(ends)}"


def join_names(names: pd.Series) -> str:
    """Join names, without those that the ones before already contain."""
    joined = ""
    for name in names.dropna().astype(str):
        if name not in joined:
            joined = f"{joined}, {name}" if joined else name
    return joined
