"""Parquet tables, as text."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from turingstats.core.errors import InputError
from turingstats.data.adapters import text_tables
from turingstats.data.adapters.workbooks import write_value
from turingstats.data.distinct_values import encode_values


def list_names(path: str | Path) -> list[str]:
    """List the names of the columns of a table."""
    return pq.read_schema(path).names


def read_columns(
    path: str | Path, header: list[str], wanted: Sequence[str]
) -> tuple[list[pd.Categorical], np.ndarray]:
    """Read columns of a table; parameters and values are those of `text_tables.read_columns`."""
    schema = pq.read_schema(path)
    for name in wanted:
        kind = schema.field(name).type
        if pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
            raise InputError(
                path,
                f"a column of the type {kind}, which is not text, a number or a date",
                column=name,
                fix="write one value as text or as a number in each cell",
            )
    table = pq.read_table(path, columns=wanted)
    # A Python value for each distinct cell, so that no type is rounded or replaced by another.
    columns = [encode_column(table[name]) for name in wanted]
    filled = text_tables.find_filled(columns) if columns else np.zeros(len(table), bool)
    if not wanted or not filled.all():
        # Read the other columns only if some rows are empty in these.
        whole = pq.read_table(path).to_pandas(ignore_metadata=True)
        others = whole.map(lambda cell: isinstance(cell, str) and not cell.strip())
        filled = ~(others | whole.isna()).all(axis=1).to_numpy()
    return columns, filled


def encode_column(column: Any) -> pd.Categorical:
    """Convert a column of pyarrow to a categorical array of texts."""
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    column = column.unify_dictionaries().combine_chunks()
    codes = column.indices.fill_null(len(column.dictionary)).to_numpy(zero_copy_only=False)
    # Values that differ may be written alike.
    texts = encode_values([*map(write_value, column.dictionary.to_pylist()), ""])
    return pd.Categorical.from_codes(texts.codes[codes], texts.categories)
