"""Similarity ratings in a table with columns of any names, as data/sources/ names them."""

from pathlib import Path

import pandas as pd

from turingstats.config.raw_files import RawFile
from turingstats.core.errors import ConfigError, InputError
from turingstats.data.adapters import columns

NEEDED = ("participant", "item_a", "item_b", "rating")


def read_own_ratings(file: RawFile, folder: str | Path) -> pd.DataFrame:
    """Read a table of ratings under the names of docs/ratings.md; participants are numbered within their
    system.
    """
    path = Path(folder) / file.path
    lacking = [name for name in NEEDED if name not in file.columns]
    if "system" not in file.columns and file.cohort is None:
        lacking.append("system")
    if lacking:
        raise ConfigError(
            f"data/sources: {file.path}: no column of {', '.join(lacking)}\n"
            "  fix:     add it to its columns; if all ratings are by one system, name it under cohort"
        )
    table, left_out, shaped = columns.load_columns(
        file, folder, [*NEEDED, "system", "status"], numbers=("rating",)
    )
    table = table.astype(object).where(table.notna(), None)
    reasons = left_out.loc[~left_out["reason"].str.startswith("nothing in"), "reason"]
    if len(reasons):
        raise ConfigError(
            f"data/sources: {file.path}: {len(reasons)} rows would be left out ({reasons.iloc[0]})\n"
            "  fix:     name a column status instead: every trial without a rating is counted by it"
        )
    if table.empty:
        raise InputError(path, "the table has no ratings", fix="correct path: in data/sources/")
    with shaped.name_sources():
        label = file.labels["rating"]
        table["rating"] = columns.parse_numbers(table["rating"], "rating", label, path)
        if "system" not in table:
            table["system"] = file.cohort
        for name in ("participant", "item_a", "item_b", "system"):
            label = file.labels.get(name, "cohort")
            table[name] = columns.require_filled_cells(table[name], name, label, path)
    table["participant"] = number_participants(table)
    text = ["system", "participant", "item_a", "item_b", *(["status"] if "status" in table else [])]
    table = pd.DataFrame(table.astype(dict.fromkeys(text, "category")))
    # Rows are numbered from 0, below the header, as the checks of ratings expect.
    return table.reset_index(drop=True) if file.wide else table.set_axis(table.index - 2, axis=0)


def number_participants(table: pd.DataFrame) -> pd.Series:
    """Replace participants by numbers within their system, in order of first appearance."""
    numbers = table.groupby("system", sort=False)["participant"].transform(
        lambda ids: ids.map({name: n for n, name in enumerate(ids.unique(), start=1)})
    )
    return table["system"] + numbers.astype(int).map(".r{:03d}".format)
