"""Games of three parties: a judge talked to a person and a machine, and said which of the two was the person.

A table has a column for each of the two witnesses. A witness that is named like an agent of the study file
is a machine, any other is a person. Ids of people are replaced by pseudonyms: those of judges, if they judge.
"""

from collections.abc import Mapping

import numpy as np
import pandas as pd

from turingstats.data.adapters.columns import WITNESSES
from turingstats.data.adapters.messages import make_source_error
from turingstats.data.adapters.places import locate_choices, name_places
from turingstats.data.adapters.shapes import SEPARATOR, Shaped
from turingstats.data.distinct_values import encode_values
from turingstats.data.schema import JUDGED

UNSURE = {"unsure": "unsure"}
"""What a judge may say in place of a witness."""


def add_prompts(names: pd.Series, prompts: pd.Series | None) -> pd.Series:
    """Add its prompt to the name of each witness, where there is one: a machine is one agent per prompt."""
    if prompts is None:
        return names
    prompts = prompts.astype(object).fillna("").astype(str)
    return names.where(prompts == "", names.astype(str) + SEPARATOR + prompts)


def read_witnesses(
    shaped: Shaped, table: pd.DataFrame, named: Mapping[str, str]
) -> dict[str, pd.Series]:
    """Read the machine, the person and the choice of each game, from the columns of the two witnesses.

    `named` are names of agents in lower case. A person who is only called human is not known.
    """
    for place in WITNESSES:
        if place not in table:
            raise make_source_error(shaped.file, "one_witness", place=place)
    labels = {place: shaped.file.labels[place] for place in WITNESSES}
    witnesses = pd.DataFrame(
        {place: shaped.require_filled(table, place).astype(object) for place in WITNESSES}
    )
    machines = {name for name, agent in named.items() if agent != "human"}
    full = witnesses.apply(add_prompts, prompts=table.get("prompt"))
    is_machine = full.apply(lambda cells: cells.str.lower().isin(machines))
    both = full["witness_a"] + " and " + full["witness_b"]
    wrong = both[is_machine.sum(axis=1) != 1]
    shaped.refuse(wrong, ", ".join(labels.values()), "no_pair", sorted(machines))
    first = is_machine["witness_a"]
    read = {"agent": full["witness_a"].where(first, full["witness_b"])}
    read["human_at"] = pd.Series(np.where(first, "witness_b", "witness_a"), table.index)
    person = witnesses["witness_b"].where(first, witnesses["witness_a"])
    if "stimulus" not in table:
        person = person.mask(person.str.lower().isin(named))
        read |= {"stimulus": person} if person.notna().any() else {}
    if "chosen" in table:
        chosen = shaped.require_filled(table, "chosen")
        read["chosen"] = locate_choices(chosen, witnesses, labels, UNSURE)
        unknown = chosen[read["chosen"].isna()]
        shaped.refuse(unknown, "chosen", "no_witness", [*name_places(labels), "unsure"])
    return {name: pd.Series(encode_values(cells), table.index) for name, cells in read.items()}


def name_witnesses(shaped: Shaped, table: pd.DataFrame) -> pd.Series:
    """Name the people who were judged by pseudonyms: that of the judge for those who also judged.

    `table` has the columns judge (pseudonyms), identity (raw ids of judges), cohort, task and stimulus.
    """
    ids = table["identity"].astype(str).str.casefold()
    names = dict(zip(ids, table["judge"].astype(str), strict=True))
    judges = set(names)
    person = table["stimulus"].astype(object)
    first = pd.DataFrame({"id": person.str.casefold(), "cohort": table["cohort"].astype(str)})
    first = first.dropna().drop_duplicates("id")
    numbers = first.groupby("cohort").cumcount() + 1
    for name, cohort, number in zip(first["id"], first["cohort"], numbers, strict=True):
        names.setdefault(name, f"{table['task'].iloc[0]}.{cohort}.h{number:03d}")
    both = sorted({names[name] for name in first["id"] if name in judges})
    if both:
        check = "people who judge in some games and are judged in others"
        done = "errors allow for it (docs/methods.md)"
        shaped.note(check, both, len(first), done)
    return pd.Series(encode_values(JUDGED + person.str.casefold().map(names)), table.index)
