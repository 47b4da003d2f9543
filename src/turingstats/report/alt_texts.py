"""Texts for readers who do not see a figure: the lowest and the highest of its numbers, by task."""

import pandas as pd
import yaml

from turingstats.core.labels import use_minus_signs
from turingstats.core.templating import PAGES

WORDS = yaml.safe_load((PAGES / "alt_texts.yaml").read_text(encoding="utf-8"))
NAMES = (
    "agent_labels", "agent_label", "machine_label", "label", "cohort_label", "group", "what",
)  # fmt: skip
"""Columns that may name the lowest and the highest number; the first two in which these differ do."""


def describe_numbers(table: pd.DataFrame) -> str:
    """Describe the numbers in source data, such as "Words: people judged human 0.58, models 0.53"."""
    measure = next((name for name in WORDS["measures"] if name in table), None)
    if measure is None:
        return ""
    rows = choose_rows(table.dropna(subset=measure), measure).dropna(subset="quantity")
    sections: dict[str, list[str]] = {}
    for (task, what), part in rows.groupby(["task_label", "quantity"], sort=False):
        said = describe_range(part.sort_values(measure, kind="stable"), measure)
        sections.setdefault(task, []).append(f"{what} {said}")
    return use_minus_signs("; ".join(f"{task}: {', '.join(of)}" for task, of in sections.items()))


def choose_rows(table: pd.DataFrame, measure: str) -> pd.DataFrame:
    """Choose the numbers to describe; `quantity` says what they are."""
    if "judge" in table:
        # Single judges are told by the middle one of their group.
        by = ["task_label", "cohort_label", "truth"]
        table = table.groupby(by, sort=False, as_index=False)["value"].median()
        whose = table["truth"].map({"human": "people's", "machine": "machines'"})
        return table.assign(quantity="median share of right verdicts on " + whose + " responses")
    if measure != "value":
        table = table.assign(quantity=WORDS["measures"][measure])
    elif "source" in table:
        table = table[table["source"] == "mixed model"].assign(quantity="detectability")
    elif "rank_low" in table:
        table = table.assign(quantity="strength, log odds")
    else:
        kinds = table.get("kind", pd.Series("", table.index))
        quantities = table.get("quantity", kinds)
        words = quantities.map(WORDS["quantities"]).where(kinds != "listed", quantities)
        table = table.assign(quantity=words)
        if {"group_by", "x"} <= set(table):
            table["group"] = name_levels(table)
        # Beside other panels, pies say who the judges were.
        others = ~kinds.isin(["mean", "pie"])
        table = table[others if others.any() else kinds == "pie"]
    for column, people in (("judge_kind", "human"), ("against", "people")):
        if column in table and (table[column] == people).any():
            table = table[table[column] == people]
    return table


def name_levels(table: pd.DataFrame) -> pd.Series:
    """Name levels of conditions that say little alone, such as "exchanges 3" and "trained on GIT"."""
    group = table.get("group", pd.Series(float("nan"), table.index))
    along = table["kind"] == "lines"
    levels = group.where(~along, table["x"].map("{:g}".format)).astype(str)
    words = table["group_by"].astype(str).str.replace("_", " ")
    return (words + " " + levels).where(along | (words == "trained on"), group)


def describe_range(rows: pd.DataFrame, measure: str) -> str:
    """Describe the lowest and the highest of sorted numbers, with their names."""
    ends = rows.iloc[[0, -1]]
    low, high = ends[measure].map("{:z.2f}".format)
    if low == high:
        return low
    differ = [n for n in (*NAMES, "title") if n in rows and ends[n].astype(str).nunique() > 1]
    # Titles of panels say the same in more words.
    names = [name for name in differ if name != "title"][:2] or differ
    if not names:
        return f"{low} to {high}"
    first, last = (join_names(row) for _, row in ends[names].iterrows())
    return f"{low} ({first}) to {high} ({last})"


def join_names(names: pd.Series) -> str:
    """Join names, without those that the ones before already contain."""
    joined = ""
    for name in names.dropna().astype(str):
        if name not in joined:
            joined = f"{joined}, {name}" if joined else name
    return joined
