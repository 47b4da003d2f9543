"""Parquet tables, as text."""

import pyarrow as pa
import pyarrow.parquet as pq

from turingstats.core.errors import InputError
from turingstats.data.adapters.workbooks import write_value


def list_names(path):
    """List the names of the columns of a table."""
    return pq.read_schema(path).names


def read_columns(path, header, wanted):
    """Read columns of a table; parameters and values are those of `text_tables.read_columns`.

    Raises
    ------
    InputError
        A column holds lists, records or bytes.
    """
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
    # A Python value for each cell, so that no type is rounded or replaced by another.
    columns = [[write_value(value) for value in column.to_pylist()] for column in table.columns]
    columns = dict(zip(table.column_names, columns, strict=True))
    filled = [any(map(str.strip, row)) for row in zip(*columns.values(), strict=True)]
    if not wanted or not all(filled):
        # Read the other columns only if some rows are empty in these.
        whole = pq.read_table(path).to_pandas(ignore_metadata=True)
        others = whole.map(lambda cell: isinstance(cell, str) and not cell.strip())
        held = ~(others | whole.isna()).all(axis=1)
        filled = held.tolist()
    return [columns[name] for name in wanted], filled
