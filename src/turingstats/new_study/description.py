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


def describe(found: Roles | OtherTable, trial: Trial | None) -> str:
    """Describe what was guessed about a table."""
    context: dict[str, Any] = {"found": found, "account": None, "rows": None}
    if isinstance(found, OtherTable):
        names = [*found.columns, *found.agents]
        context |= {"design": found.design, "lists": {}, "models": []}
    else:
        lists = list_roles(found)
        names = [*found.columns, *found.not_read, *lists, "conditions"]
        context |= {"design": "verdicts", "lists": lists}
        context["models"] = write_formulas(found).values()
    context["meanings"] = [*list_meanings(found)] if found.design != "ratings" else []
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
    lists = {
        "agents": [*roles.name_agents()],
        "conditions": [*roles.conditions],
        "groups": [*roles.demographics],
        **{
            f"{kind}s": [name for name, of in roles.task_columns.items() if of == kind]
            for kind in ("number", "scale", "check")
        },
        "codes": [*roles.codes],
        "cohorts": [*roles.cohorts],
    }
    return {what: names for what, names in lists.items() if names}


def list_meanings(found: Roles | OtherTable) -> Iterator[Meaning]:
    """List what each value of a truth, verdict, agent or winner means in a run, and how often it occurs."""
    for what in ("truth", "verdict", "right", "chosen", "winner", "agent"):
        if what not in found.columns:
            continue
        counts = found.source.count_values(found.columns[what])
        if what == "chosen" and len(counts) > MAX_LEVELS:
            # Who was chosen is named, often by the id of a person.
            yield Meaning(what, "name of a witness", "as it is", sum(counts.values()))
            continue
        implied = (
            YES_NO if what == "right" else {word: word for word in columns.WORDS.get(what, ())}
        )
        if what in ("chosen", "winner"):
            implied = {normalize_spelling(value): "as it is" for value in counts if value}
        elif what == "agent" and isinstance(found, Roles):
            counts = found.select_machines(found.columns[what]).value_counts().to_dict()
            implied = {normalize_spelling(name): id for id, name in found.name_agents().items()}
        said = {
            normalize_spelling(word): meant for word, meant in found.values.get(what, {}).items()
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
        shown = judgments.head(EXAMPLES).astype(object).fillna("").astype(str)
        return format_rows(shown.drop(columns=["task", "trial"]) if design == "pairs" else shown)
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
