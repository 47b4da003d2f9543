"""Tables of similarity ratings, items and distances, as the files have them: categories and a number."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from turingstats.config.ratings_study import RatingsStudy
from turingstats.core.checked_csv import require_columns
from turingstats.core.errors import InputError
from turingstats.data.adapters import table_files
from turingstats.data.adapters.lookalikes import refuse_lookalikes

OPTIONAL = ("status", "sets")
NUMBERED = r"[A-Za-z]{0,2}_?\d{1,4}"
"""Regular expression of participants who are numbered already."""


def read_table(path: str | Path, columns: Sequence[str], number: str | None = None) -> pd.DataFrame:
    """Read required and `OPTIONAL` columns as categories, but the column `number` as floats; the index is the
    row in the file from 0, below the header.
    """

    header = table_files.read_header(path)
    require_columns(path, header, columns, "rename a column, or see docs/ratings.md")
    wanted = [*columns, *(name for name in OPTIONAL if name in header)]
    if table_files.is_parquet(path) and is_compact(path, wanted, number):
        # Millions of trials, with few distinct texts: these are never expanded.
        text = [name for name in wanted if name != number]
        table = pq.read_table(path, columns=wanted, read_dictionary=text).to_pandas()
    else:
        table = table_files.read_named_columns(path, wanted).astype(str)
        table = table.set_axis(table.index - 2, axis=0).astype("category")
        # Only empty cells are missing, not those that hold NA.
        table = table.apply(
            lambda cells: cells.cat.set_categories(cells.cat.categories.drop("", errors="ignore"))
        )
    for column in columns:
        if column == number:
            table[column] = parse_numbers(table[column], path)
        elif table[column].isna().any() or "" in table[column].astype("category").cat.categories:
            empty = table[column].isna() | (table[column] == "")
            raise InputError(
                path,
                "an empty cell",
                row=name_line(empty),
                column=column,
                value="",
                fix="fill it in, or remove the row",
            )
        else:
            table[column] = table[column].astype("category")
            # Names that look like numbers stay text.
            table[column] = table[column].cat.rename_categories(str)
            first = table[column].drop_duplicates()
            refuse_lookalikes(
                first.astype(str).set_axis(first.index + 2), column, path, column == "participant"
            )
    return table


def is_compact(path: str | Path, wanted: Sequence[str], number: str | None) -> bool:
    """Tell whether a parquet table holds texts and numbers as such, rather than other types."""
    kinds = {field.name: field.type for field in pq.read_schema(path)}
    for name in wanted:
        kind = getattr(kinds[name], "value_type", kinds[name])
        is_text = pa.types.is_string(kind) or pa.types.is_large_string(kind)
        if not (pa.types.is_floating(kind) if name == number else is_text):
            return False
    return True


def parse_numbers(column: pd.Series, path: str | Path) -> pd.Series:
    """Parse a column as numbers; empty cells stay missing, anything else is an error."""

    if isinstance(column.dtype, pd.CategoricalDtype):
        # There are far fewer distinct texts than cells.
        texts = column.cat.categories
        values = pd.to_numeric(texts, errors="coerce")
        bad = np.flatnonzero(~np.isfinite(np.asarray(values, dtype=float)))
        if len(bad):
            raise InputError(
                path,
                "not a number",
                row=name_line(column.cat.codes == bad[0]),
                column=column.name,
                value=str(texts[bad[0]]),
                fix="for an answer without a number leave the rating empty and say why in the "
                "column status (refused, filtered, ...)",
            )
        numbers = np.append(np.asarray(values, dtype=float), np.nan)[column.cat.codes]
        return pd.Series(numbers, index=column.index)
    numbers = column.astype(float)
    if np.isinf(numbers).any():
        raise InputError(
            path,
            "not a number",
            row=name_line(np.isinf(numbers)),
            column=column.name,
            value="infinity",
            fix="correct it, or leave it empty",
        )
    return numbers


def name_line(rows: pd.Series) -> str:
    """Name the line in the file (the header is line 1) of the first marked row."""
    return f"line {rows.idxmax() + 2}"


def hide_participants(table: pd.DataFrame, study: RatingsStudy) -> pd.DataFrame:
    """Number the people who rated, unless they are numbered already; models' runs keep their names."""
    people = [name for name, system in study.systems.items() if system.kind == "human"]
    ids = table.loc[table["system"].isin(people), "participant"].cat.remove_unused_categories()
    if ids.cat.categories.str.fullmatch(NUMBERED).all():
        return table
    names = {name: f"r{number:03d}" for number, name in enumerate(ids.unique(), start=1)}
    taken = {name for name in table["participant"].cat.categories if name not in names}
    prefix = "people." if taken & set(names.values()) else ""
    return table.assign(
        participant=table["participant"].cat.rename_categories(
            {name: prefix + number for name, number in names.items()}
        )
    )
