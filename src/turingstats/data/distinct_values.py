"""Columns of text as categories: what concerns a value is done once, not in each row that holds it.

A column of a table is a categorical `pandas.Series`, indexed by the row in the file; a missing value is in
no category.
"""

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pandas as pd
from pandas.api.types import union_categoricals


def encode_values(cells: Sequence[Any]) -> pd.Categorical:
    """Make a categorical array of texts (None where missing), with categories in order of appearance."""
    codes, values = pd.factorize(np.asarray(cells, dtype=object))
    return pd.Categorical.from_codes(codes, pd.Index(values, dtype=str))


def look_up(cells: pd.Series, found: Any) -> np.ndarray:
    """Give each row what was found for its value; `found` has one entry per category, then that of none."""
    return np.asarray(found)[cells.cat.codes.to_numpy()]


def change_values(
    cells: pd.Series, change: Callable[[str], str | None], missing: str | None = None
) -> pd.Series:
    """Change the values of a column by a function of a text; None makes them missing."""
    return replace_values(
        cells, [change(value) for value in cells.cat.categories.tolist()], missing
    )


def replace_values(
    cells: pd.Series, values: Sequence[Any], missing: str | None = None
) -> pd.Series:
    """Replace the categories of a column by other values, of which several may be the same, or None."""
    old = cells.cat.categories
    if missing is None and old.dtype == "str" and list(values) == old.tolist():
        return cells
    new = encode_values([*values, missing])
    codes = look_up(cells, new.codes)
    return pd.Series(pd.Categorical.from_codes(codes, new.categories), cells.index)


def match_values(cells: pd.Series, test: Callable[[str], Any]) -> pd.Series:
    """Tell for each row whether its value passes a test; a missing one does not."""
    passed = [bool(test(value)) for value in cells.cat.categories.tolist()]
    return pd.Series(look_up(cells, [*passed, False]), cells.index)


def make_column(codes: pd.Series, values: Sequence[Any]) -> pd.Series:
    """Make a column from the place of each row's value among `values`, -1 where it is missing."""
    return replace_values(
        pd.Series(pd.Categorical.from_codes(codes, range(len(values))), codes.index), values
    )


def fill_column(value: str, index: pd.Index) -> pd.Series:
    """Make a column with one value."""
    return make_column(pd.Series(np.int8(0), index), [value])


def stack_tables(tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Stack tables, of which categories are joined; the rows keep their labels."""
    if len(tables) == 1:
        return tables[0]
    index = tables[0].index.append([table.index for table in tables[1:]])
    columns: dict[str, Any] = {}
    for name, kind in tables[0].dtypes.items():
        parts = [table[name].array for table in tables]
        if isinstance(kind, pd.CategoricalDtype):
            # Where all are missing, categories may have another type.
            texts = [part.rename_categories(part.categories.astype(str)) for part in parts]
            columns[name] = union_categoricals(texts)
        else:
            columns[name] = pd.concat(map(pd.Series, parts)).array
    return pd.DataFrame(columns, index, tables[0].columns)


def sort_categories(table: pd.DataFrame) -> pd.DataFrame:
    """Sort the categories of each column, without those of no row, as if they were made from texts."""
    columns = {}
    for name in table.select_dtypes("category"):
        codes, values = table[name].cat.codes, table[name].cat.categories
        # What pandas does sorts all rows.
        used = values[np.bincount(codes + 1, minlength=len(values) + 1)[1:] > 0]
        kept = used[np.argsort(used.astype(object), kind="stable")]
        place = np.append(kept.get_indexer(values), -1)
        columns[name] = pd.Categorical.from_codes(look_up(table[name], place), kept)
    return table.assign(**columns)


def choose_cells(rows: Any, cells: pd.Series, other: pd.Series) -> pd.Series:
    """Take the cells of one column in some rows, and those of another one in the others."""
    both = union_categoricals([cells.array, other.array])
    codes = np.where(rows, both.codes[: len(cells)], both.codes[len(cells) :])
    return pd.Series(pd.Categorical.from_codes(codes, both.categories), cells.index)


def are_equal(cells: pd.Series, other: pd.Series) -> np.ndarray:
    """Tell for each row whether two columns have the same value; a missing one equals none."""
    place = np.append(cells.cat.categories.get_indexer(other.cat.categories), -1)
    same = look_up(other, place)
    return (same >= 0) & (same == cells.cat.codes.to_numpy())


def combine_columns(table: pd.DataFrame) -> tuple[np.ndarray, pd.DataFrame]:
    """Number the combinations of the values of several columns."""
    codes, largest = np.zeros(len(table), dtype=np.int64), 1
    for name in table:
        number = len(table[name].cat.categories) + 1
        if largest * number > 2**62:
            codes, _ = pd.factorize(codes)
            largest = len(table)
        codes, largest = codes * number + table[name].cat.codes.to_numpy() + 1, largest * number
    codes, _ = pd.factorize(codes)
    first = np.zeros(codes.max(initial=-1) + 1, dtype=np.int64)
    first[codes[::-1]] = np.arange(len(codes))[::-1]
    return codes, table.iloc[first]
