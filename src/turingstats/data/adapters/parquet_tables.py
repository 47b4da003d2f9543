"""Parquet tables, as text."""

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq

from turingstats.core.errors import InputError
from turingstats.data.adapters.workbooks import write_value
from turingstats.data.distinct_values import encode_values


def read_columns(path: str | Path) -> tuple[list[str], pd.DataFrame, dict[int, InputError]]:
    """Read the names of all columns, their cells by place, and by place why a column cannot be read."""
    table = pq.read_table(path)
    columns, faults = {}, {}
    for place, (name, column) in enumerate(zip(table.column_names, table.columns, strict=True)):
        kind = column.type
        if pa.types.is_nested(kind) or pa.types.is_binary(kind) or pa.types.is_large_binary(kind):
            faults[place] = InputError(
                path,
                f"a column of the type {kind}, which is not text, a number or a date",
                column=name,
                fix="write one value as text or as a number in each cell",
            )
            # Only whether a cell holds anything.
            column = pa.chunked_array([pa.array(np.where(column.is_valid(), "x", None))])
        columns[place] = encode_column(column)
    rows = range(2, len(table) + 2)
    return table.column_names, pd.DataFrame(columns, rows), faults


def encode_column(column: Any) -> pd.Categorical:
    """Convert a column of pyarrow to categories of texts: a Python value for each distinct cell, so that no
    type is rounded or replaced by another."""
    if not pa.types.is_dictionary(column.type):
        column = column.dictionary_encode()
    column = column.unify_dictionaries().combine_chunks()
    codes = column.indices.fill_null(len(column.dictionary)).to_numpy(zero_copy_only=False)
    # Values that differ may be written alike.
    texts = encode_values([*map(write_value, column.dictionary.to_pylist()), ""])
    return pd.Categorical.from_codes(texts.codes[codes], texts.categories)
