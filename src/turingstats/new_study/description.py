"""Describe what a starting study was guessed from, for the user to check (`templates/init.txt`)."""

from collections.abc import Iterator
from typing import Any, NamedTuple

import pandas as pd

from turingstats.core.templating import PAGES, make_environment
from turingstats.data.adapters import columns
from turingstats.data.cells import YES_NO
from turingstats.data.schema import normalize_spelling
from turingstats.new_study.design import MAX_LEVELS, write_formulas
from turingstats.new_study.other_designs import OtherTable
from turingstats.new_study.roles import Roles

EXAMPLES = 5
WIDEST = 30
"""Maximum number of letters of a cell among the examples."""


class Trial(NamedTuple):
    """What a run would read from the table: judgments or ratings, and the account of its rows."""

    judgments: pd.DataFrame
    account: pd.DataFrame


class Meaning(NamedTuple):
    """What a value means in a run."""

    what: str
    value: str
    meaning: str
    number: int


def describe(findings: Roles | OtherTable, trial: Trial | None) -> str:
    """Describe what was guessed about a table."""
    context: dict[str, Any] = {"findings": findings, "account": None, "rows": None}
    if isinstance(findings, OtherTable):
        names = [*findings.columns, *findings.agents]
        context |= {"design": findings.design, "lists": {}, "models": []}
    else:
        lists = list_roles(findings)
        names = [*findings.columns, *findings.not_read, *lists, "conditions"]
        context |= {"design": "verdicts", "lists": lists}
        context["models"] = write_formulas(findings).values()
    context["meanings"] = [*list_meanings(findings)] if findings.design != "ratings" else []
    context["wide"] = max(map(len, names)) + 1
    if trial is not None:
        is_rated = context["design"] == "ratings"
        context["account"] = trial.account if is_rated else count_rows(trial.account)
        context["rows"] = show_examples(trial.judgments, context["design"])
    environment = make_environment(PAGES, escape=False)
    environment.filters["pad"] = lambda text, wide: f"{text:<{wide}}"
    return environment.get_template("init.txt").render(context)


def list_roles(roles: Roles) -> dict[str, list[str]]:
    """List the names that a study file will have, by what they are."""
    kinds = ("condition", "group", "number", "scale", "check", "code")
    lists = {"agents": [*roles.name_agents()]}
    lists |= {f"{kind}s": roles.list_declared(kind) for kind in kinds}
    lists["cohorts"] = [*roles.cohorts]
    return {what: names for what, names in lists.items() if names}


def list_meanings(findings: Roles | OtherTable) -> Iterator[Meaning]:
    """List what each value of a truth, verdict, agent or winner means in a run, and how often it occurs."""
    for what in ("truth", "verdict", "right", "chosen", "winner", "agent"):
        if what not in findings.columns:
            continue
        counts = findings.source.count_values(findings.columns[what])
        if what == "chosen" and len(counts) > MAX_LEVELS:
            # Who was chosen is named, often by the id of a person.
            yield Meaning(what, "name of a witness", "as it is", sum(counts.values()))
            continue
        implied = (
            YES_NO if what == "right" else {word: word for word in columns.WORDS.get(what, ())}
        )
        if what in ("chosen", "winner"):
            implied = {normalize_spelling(value): "as it is" for value in counts if value}
        elif what == "agent" and isinstance(findings, Roles):
            counts = findings.select_machines(findings.columns[what]).value_counts().to_dict()
            implied = {normalize_spelling(name): id for id, name in findings.name_agents().items()}
        said = {
            normalize_spelling(word): meant for word, meant in findings.values.get(what, {}).items()
        }
        for value, number in counts.items():
            meaning = (implied | said).get(normalize_spelling(value), "not understood")
            yield Meaning(what, value or "(empty)", meaning or "left out", number)


def count_rows(account: pd.DataFrame) -> list[tuple[int, str]]:
    """Count the rows that are read, left out by which rule, and analyzed (recommended reading)."""
    whole = account[(account["judge"] == "all") & (account["reading"] == "recommended")]
    analyzed = int(whole.loc[whole["step"] == "analyzed", "rows_out"].sum())
    losses = whole[whole["step"] != "analyzed"].groupby("reason", sort=False)["excluded"].sum()
    counts = [(int(number), f"left out: {reason}") for reason, number in losses.items()]
    return [(analyzed + int(losses.sum()), ""), *counts, (analyzed, "analyzed")]


def show_examples(judgments: pd.DataFrame, design: str) -> list[str]:
    """Show some rows as they were understood: of verdicts, different truths and verdicts first."""
    if design != "verdicts":
        rows = judgments.head(EXAMPLES).astype(object).fillna("").astype(str)
        return format_rows(rows.drop(columns=["task", "trial"]) if design == "pairs" else rows)
    names = ["judge", "stimulus", "agent", "truth", "verdict"]
    cells = judgments[names].astype(object).fillna("").astype(str)
    right = (cells["verdict"] == cells["truth"]).map({True: "yes", False: "no"})
    cells["correct"] = right.where(cells["verdict"] != "unsure", "unsure")
    different = ~cells[["truth", "verdict"]].duplicated()
    order = [*cells.index[different], *cells.index[~different]][:EXAMPLES]
    return format_rows(cells.loc[sorted(order)])


def format_rows(table: pd.DataFrame) -> list[str]:
    """Format a table of text as aligned lines, the names of its columns first."""
    table = table.map(lambda text: text if len(text) <= WIDEST else text[: WIDEST - 3] + "...")
    rows = [list(table), *table.to_numpy().tolist()]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in rows
    ]
