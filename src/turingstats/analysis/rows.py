"""Tables made of rows."""

from collections.abc import Iterable, Sequence
from typing import Any

import pandas as pd


def tabulate(
    rows: Iterable[dict[str, Any]], columns: Sequence[str], names: Sequence[str]
) -> pd.DataFrame:
    """Make a table of rows, whose id, the first column, consists of what is in the columns `names`."""
    rows = [
        row | {columns[0]: ".".join(str(row[name]) for name in names if row.get(name, "") != "")}
        for row in rows
    ]
    return pd.DataFrame(rows).reindex(columns=columns)
