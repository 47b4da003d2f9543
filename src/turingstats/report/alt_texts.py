"""Texts for readers who do not see a figure: the lowest and the highest of its numbers, by task."""

from operator import itemgetter
from typing import Any

from turingstats.core.labels import use_minus_signs
from turingstats.core.templating import PAGES
from turingstats.core.yaml_models import read_mapping
from turingstats.figures.notes import Facts, is_known

Row = dict[str, Any]
WORDS = read_mapping(PAGES / "alt_texts.yaml")
NAMES = (
    "agent_labels", "agent_label", "machine_label", "label", "cohort_label", "group", "what",
)  # fmt: skip
"""Columns that may name the lowest and the highest number; the first two in which these differ do."""


def describe_numbers(data: Facts) -> str:
    """Describe the numbers in source data, such as "Words: people judged human 0.58, models 0.53"."""
    measure = next(filter(data.has_column, WORDS["measures"]), None)
    if measure is None:
        return ""
    rows = Facts(choose_rows(data.known(measure), measure)).known("quantity")
    by_task = {
        task: [
            f"{what} {describe_range(of.rows, measure)}"
            for (what,), of in of_task.group("quantity").items()
        ]
        for (task,), of_task in rows.group("task_label").items()
    }
    return use_minus_signs("; ".join(f"{task}: {', '.join(of)}" for task, of in by_task.items()))


def choose_rows(data: Facts, measure: str) -> list[Row]:
    """Choose the numbers to describe; `quantity` says what they are."""
    if data.has_column("judge"):
        # Single judges are told by the middle one of their group.
        medians = data.find_medians("value", "task_label", "cohort_label", "truth")
        whose = {"human": "people's", "machine": "machines'"}
        words = "median share of right verdicts on {} responses"
        return [row | {"quantity": words.format(whose[row["truth"]])} for row in medians.rows]
    quantity = WORDS["measures"][measure]
    if data.has_column("source") and not quantity:
        data, quantity = data.of("source", "mixed model"), "detectability"
    elif data.has_column("rank_low") and not quantity:
        quantity = "strength, log odds"
    elif not quantity:
        # Beside other panels, pies say who the judges were.
        others = [row for row in data.rows if row.get("kind") not in ("mean", "pie")]
        data = Facts(others) if others else data.of("kind", "pie")
    rows = [row | {"quantity": quantity or name_quantity(row)} for row in data.rows]
    if not WORDS["measures"][measure] and data.has_column("x") and data.has_column("group_by"):
        rows = [row | {"group": name_level(row)} for row in rows]
    for column, people in (("judge_kind", "human"), ("against", "people")):
        rows = [row for row in rows if row.get(column) == people] or rows
    return rows


def name_quantity(row: Row) -> str | None:
    """Name what a number is; None if it is not described."""
    kind = row.get("kind", "")
    quantity = row.get("quantity", kind)
    return quantity if kind == "listed" else WORDS["quantities"].get(quantity)


def name_level(row: Row) -> Any:
    """Name a level of a condition that says little alone, such as "exchanges 3" and "trained on GIT"."""
    group, words = row.get("group"), str(row["group_by"]).replace("_", " ")
    if row["kind"] == "lines":
        return f"{words} {row['x']:g}"
    return f"{words} {group}" if words == "trained on" and is_known(group) else group


def describe_range(rows: list[Row], measure: str) -> str:
    """Describe the lowest and the highest number, with their names."""
    ordered = sorted(rows, key=itemgetter(measure))
    ends = ordered[0], ordered[-1]
    low, high = (f"{end[measure]:z.2f}" for end in ends)
    if low == high:
        return low
    differ = [
        name
        for name in (*NAMES, "title")
        if len({str(end[name]) for end in ends if is_known(end.get(name))}) > 1
    ]
    # Titles of panels say the same in more words.
    names = [name for name in differ if name != "title"][:2] or differ
    if not names:
        return f"{low} to {high}"
    first, last = (join_names([row[name] for name in names]) for row in ends)
    return f"{low} ({first}) to {high} ({last})"


def join_names(names: list[Any]) -> str:
    """Join names, without those that the ones before already contain."""
    joined = ""
    for name in map(str, filter(is_known, names)):
        if name not in joined:
            joined = f"{joined}, {name}" if joined else name
    return joined
