"""Ids of judges and stimuli as tables have them: missing ones, several spellings of one, and look-alikes.

Ids of people are replaced by person numbers that are the same in all files of a study. They can be compared
within one register, such as those of one platform; whether people of different registers are the same person
is not known.
"""

import re
import unicodedata
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from turingstats.core.yaml_models import make_list
from turingstats.data.adapters.messages import make_error
from turingstats.data.distinct_values import match_values, replace_values
from turingstats.data.notes import describe
from turingstats.data.schema import WORKER

NUMBERED = r"[A-Za-z0-9_-]+\.p\d{3,}"
"""Regular expression of a person number that a file already has."""
PRIVATE = ("judge", "responder", "person", "witness", "witness_a", "witness_b")
"""Names whose values may identify people."""
IDS = ("judge", "person", "responder", "stimulus", "witness", "witness_a", "witness_b")
DAMAGED = re.compile(r"\d([.,]\d+)?E\+\d+", re.I)
"""A long number as Excel shortens it, whose last digits are lost."""
SIMILAR = str.maketrans("АВЕКМНОРСТХаеорсухі‐‑–—", "ABEKMHOPCTXaeopcyxi----")
"""Cyrillic letters and dashes that look like others."""


def read_ids(
    cells: pd.Series,
    name: str,
    column: str,
    path: str | Path,
    notes: list[dict[str, Any]],
) -> pd.Series:
    """Read a column of ids: upper and lower case do not matter in those of people."""
    # Rows that are left out may have had others.
    cells = cells.cat.remove_unused_categories()
    damaged = cells.index[match_values(cells, DAMAGED.fullmatch)]
    if len(damaged):
        rows = ", ".join(map(str, damaged[:8]))
        where = {"row": rows, "column": column, "value": cells[damaged[0]]}
        raise make_error(path, "shortened_ids", number=len(damaged), **where)
    values = list(cells.cat.categories)
    if name in PRIVATE:
        first: dict[str, str] = {}
        spelled = [first.setdefault(value.casefold(), value) for value in values]
        merged = [value for value, kept in zip(values, spelled, strict=True) if value != kept]
        if merged:
            rows = [f"row {cells.index[cells == value][0]}" for value in merged]
            check = f"{column}: ids that differ only in upper and lower case"
            notes.append(describe("note", check, rows, len(values), "each is one person"))
        cells = replace_values(cells, spelled)
    groups: dict[str, list[str]] = {}
    for value in cells.cat.categories:
        groups.setdefault(reduce_id(value), []).append(value)
    alike = [group for group in groups.values() if len(group) > 1]
    if alike:
        examples = [
            " and ".join(
                f"row {cells.index[cells == value][0]}" if name in PRIVATE else repr(value)
                for value in group
            )
            for group in alike
        ]
        check = f"{column}: ids that look alike (case, leading zeros, decimals, letters of other alphabets)"
        done = "nothing: they are different; correct the table if they are not"
        notes.append(describe("note", check, examples, len(groups), done))
    return cells


def reduce_id(value: str) -> str:
    """Reduce an id to what ids that look alike share: `P01`, `p1`; `1`, `01`, `1.0`; `1e5`, `100000`."""
    plain = value.casefold()
    if not value.isascii():
        plain = unicodedata.normalize("NFKC", value).translate(SIMILAR).casefold()
    if re.fullmatch(r"\d+(\.\d+)?e\d{1,2}", plain):
        plain = f"{float(plain):.0f}"
    # Decimals of whole numbers; in versions, as of models, they matter.
    plain = re.sub(r"^(\d+)\.0+$", r"\1", plain)
    return re.sub(r"(?<![\d.])0+(?=\d)", "", plain)


def number_people(judges: pd.DataFrame, register: str, known: dict[str, str]) -> pd.DataFrame:
    """Replace worker ids by numbers of people, such as `mturk.p001`; an empty id has none.

    `known` are the numbers of a register by id, in order of first appearance; new ones are added.
    """
    if WORKER not in judges:
        return judges
    given = judges["person"].astype(object)
    ids = judges.loc[given.isna(), WORKER].dropna().map(lambda worker: worker.strip().casefold())
    for worker in ids[ids != ""]:
        known.setdefault(worker, f"{register}.p{len(known) + 1:03d}")
    person = given.where(given.notna(), ids.map(known).astype(object))
    return judges.drop(columns=WORKER).assign(person=person.where(person.notna(), None))


def list_private_columns(columns: Mapping[str, Any]) -> set[str]:
    """List the columns of a table that may name people, from `columns` of the sources file."""
    return {part for name in PRIVATE if name in columns for part in make_list(columns[name])}
