"""Tables of results, made of rows: their columns and ids are those of the data contract."""

from collections.abc import Iterable
from typing import Any

import pandas as pd

from turingstats.data.schema import IDENTITIES, RESULTS


def tabulate(rows: Iterable[dict[str, Any]], table: str, **shared: Any) -> pd.DataFrame:
    """Make a table of results (`RESULTS`) of rows, all of which have the `shared` values.

    Its first column is the id of a row, which consists of what is in the columns of `IDENTITIES`; rows of
    tables without these have an id, or need none.
    """
    rows = [row | shared for row in rows]
    for row in rows if table in IDENTITIES else ():
        names = (str(row[name]) for name in IDENTITIES[table] if row.get(name, "") != "")
        row[RESULTS[table][0]] = ".".join(names)
    return pd.DataFrame(rows).reindex(columns=RESULTS[table])
