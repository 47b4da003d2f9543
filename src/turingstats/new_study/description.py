"""Describe what a starting study was guessed from, for the user to check."""

from collections.abc import Iterator
from typing import NamedTuple

import pandas as pd

from turingstats.data.adapters import columns
from turingstats.data.cells import YES_NO
from turingstats.data.schema import normalize_spelling
from turingstats.new_study.design import MAX_LEVELS
from turingstats.new_study.inspector import TableInspector
from turingstats.new_study.other_designs import OtherTable

EXAMPLES = 5
WIDEST = 30
"""Maximum number of letters of a cell among the examples."""


class Trial(NamedTuple):
    """What a run would read from the table: judgments or ratings, and the account of its rows."""

    judgments: pd.DataFrame
    account: pd.DataFrame


def list_meanings(inspector: TableInspector) -> Iterator[tuple[str, str, str, int]]:
    """List what each value of a truth, verdict or agent means in a run, and how often it occurs."""
    for what in ("truth", "verdict", "right", "chosen", "agent"):
        if what not in inspector.columns:
            continue
        column = inspector.columns[what]
        cells = inspector.select_machines(column) if what == "agent" else inspector.table[column]
        meanings = {
            normalize_spelling(value): meaning
            for value, meaning in inspector.values.get(what, {}).items()
        }
        agents = {
            normalize_spelling(label): agent for agent, label in inspector.name_agents().items()
        }
        implied = {
            "agent": agents,
            "right": YES_NO,
            "chosen": {
                normalize_spelling(value): "as it is" for value in inspector.list_levels(column)
            },
        }.get(what, {word: word for word in columns.WORDS.get(what, ())})
        if what == "chosen" and cells.nunique() > MAX_LEVELS:
            # Who was chosen is named, often by the id of a person.
            yield what, "name of a witness", "as it is", len(cells)
            continue
        for value, number in cells.value_counts().items():
            meaning = (implied | meanings).get(normalize_spelling(value), "not understood")
            yield what, value or "(empty)", meaning or "left out", number


def describe_draft(inspector: TableInspector, trial: Trial | None) -> list[str]:
    """Describe what was guessed, line by line."""
    roles = {
        "agents": inspector.name_agents(),
        "conditions": inspector.conditions,
        "groups": inspector.demographics,
        "numbers": [n for n, kind in inspector.task_columns.items() if kind == "number"],
        "scales": [n for n, kind in inspector.task_columns.items() if kind == "scale"],
        "checks": [n for n, kind in inspector.task_columns.items() if kind == "check"],
        "codes": inspector.codes,
        "cohorts": inspector.cohorts,
    }
    roles = {what: names for what, names in roles.items() if names}
    wide = max(map(len, [*inspector.columns, *inspector.not_read, *roles, "conditions"])) + 1
    lines = [f"{len(inspector.table)} rows of {inspector.path} looked at.", "", "Columns:"]
    lines += [f"  {what:<{wide}} {column}" for what, column in inspector.columns.items()]
    lines += [f"  {what:<{wide}} {', '.join(names)}" for what, names in roles.items()]
    lines += [f"  {'model':<{wide}} {formula}" for formula in inspector.models.values()]
    lines += ["", "Values, what they mean, and how often they occur:"]
    lines += [
        f"  {what:<{wide}} {value} = {meaning} ({number})"
        for what, value, meaning, number in list_meanings(inspector)
    ]
    lines += [f"  note: {remark}" for remark in inspector.remarks]
    if inspector.not_read:
        lines += ["", "Not read:"]
        lines += [f"  {column:<{wide}} {why}" for column, why in inspector.not_read.items()]
    if trial is not None:
        lines += ["", *describe_exclusions(trial.account)]
        lines += ["", *describe_examples(trial.judgments)]
    return lines


def describe_other(found: OtherTable, trial: Trial | None) -> list[str]:
    """Describe what was guessed about a table of ratings or choices, line by line."""
    wide = max(map(len, [*found.columns, *found.agents])) + 1
    lines = [f"{len(found.table)} rows of {found.path} looked at.", "", "Columns:"]
    lines += [f"  {what:<{wide}} {column}" for what, column in found.columns.items()]
    lines += ["", {"ratings": "Who rated:", "pairs": "Agents:"}[found.design]]
    lines += [f"  {agent:<{wide}} {name}" for agent, name in found.agents.items()]
    if found.design == "pairs":
        counts = found.table[found.columns["winner"]].value_counts()
        lines += ["", "Winners, what they mean, and how often they occur:"]
        meant = found.values["winner"]
        lines += [
            f"  {word or '(empty)':<{wide}} {meant.get(word, 'as it is') or 'left out'} ({number})"
            for word, number in counts.items()
        ]
    lines += [f"  note: {remark}" for remark in found.remarks]
    if found.not_read:
        lines += ["", "Not read:", *(f"  {column}" for column in found.not_read)]
    if trial is None:
        return lines
    if found.design == "pairs":
        lines += ["", *describe_exclusions(trial.account, "choices")]
    else:
        lines += ["", "Trials:"]
        for row in trial.account.to_dict("records"):
            without = f", without a rating: {row['trials'] - row['rated']}"
            lines.append(
                f"  {row['system']:<{wide}} {row['trials']} trials of {row['raters']} raters, rated: "
                f"{row['rated']}{without * (row['trials'] > row['rated'])}"
            )
    shown = trial.judgments.head(EXAMPLES).astype(object).fillna("").astype(str)
    if found.design == "pairs":
        shown = shown.drop(columns=["task", "trial"])
    return [*lines, "", "Some rows, as they were understood:", *format_rows(shown)]


def describe_exclusions(account: pd.DataFrame, called: str = "verdicts") -> list[str]:
    """Describe how many rows are read, left out by which rule, and analyzed (recommended reading)."""
    whole = account[(account["judge"] == "all") & (account["reading"] == "recommended")]
    analyzed = int(whole.loc[whole["step"] == "analyzed", "rows_out"].sum())
    losses = whole[whole["step"] != "analyzed"].groupby("reason", sort=False)["excluded"].sum()
    wide = len(str(analyzed + int(losses.sum())))
    lines = [f"  {analyzed + int(losses.sum()):>{wide}} rows of {called}"]
    lines += [f"  {int(number):>{wide}} left out: {reason}" for reason, number in losses.items()]
    return ["Rows:", *lines, f"  {analyzed:>{wide}} analyzed"]


def describe_examples(judgments: pd.DataFrame) -> list[str]:
    """Describe some rows as they were understood: different truths and verdicts first."""
    names = ["judge", "stimulus", "agent", "truth", "verdict"]
    cells = judgments[names].astype(object).fillna("").astype(str)
    right = (cells["verdict"] == cells["truth"]).map({True: "yes", False: "no"})
    cells["correct"] = right.where(cells["verdict"] != "unsure", "unsure")
    different = ~cells[["truth", "verdict"]].duplicated()
    order = [*cells.index[different], *cells.index[~different]][:EXAMPLES]
    shown = cells.loc[sorted(order)]
    return ["Some rows, as they were understood:", *format_rows(shown)]


def format_rows(table: pd.DataFrame) -> list[str]:
    """Format a table of text as aligned lines, the names of its columns first."""
    table = table.map(lambda text: text if len(text) <= WIDEST else text[: WIDEST - 3] + "...")
    rows = [list(table), *table.to_numpy().tolist()]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  "
        + "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
