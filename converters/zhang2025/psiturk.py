"""psiTurk's table of sessions: a database (SQLite) or its export (CSV), one row per session.

Both have the same columns, among them addresses, browsers and ids of people. Only those in `READ` are taken
out.
"""

import contextlib
import sqlite3
from pathlib import Path

import pandas as pd

from turingstats.core.checked_csv import read_cells, require_columns
from turingstats.core.errors import InputError
from turingstats.core.strict_json import RESTORE

SESSION_COLUMNS = (
    "uniqueid assignmentid workerid hitid ipaddress browser platform language cond counterbalance "
    "codeversion beginhit beginexp endhit bonus status mode datastring"
).split()
NEEDED = ("status", "datastring")
READ = ("uniqueid", "workerid", "mode", *NEEDED)
COMPLETED = "3"
FINISHED = (COMPLETED, "4", "5", "7")
"""States of a session in which its trials count: completed, submitted, credited, rewarded."""
DATABASE = ".db"
LONGEST, MOST_SESSIONS = 50_000_000, 20_000
"""Characters of a cell, and rows of a table. The longest session of the public exports has 50,000."""


def read_table(path: Path) -> pd.DataFrame:
    """Read the cells of the table as text, by row; the header is row 1."""
    if path.suffix == DATABASE:
        return read_database(path)
    table = read_cells(path)
    require_columns(path, table, list(NEEDED), RESTORE)
    table.index = pd.RangeIndex(2, len(table) + 2)
    return table.reindex(columns=list(READ), fill_value="")


def read_database(path: Path) -> pd.DataFrame:
    """Read the sessions of a database, which is neither changed nor trusted."""
    address = f"{path.resolve().as_uri()}?mode=ro&immutable=1"
    try:
        with contextlib.closing(sqlite3.connect(address, uri=True)) as database:
            database.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
            database.execute("PRAGMA trusted_schema = OFF")
            quoted = f'"{find_table(database, path)}"'
            # A row that is one too many tells that there are more.
            query = f"SELECT {', '.join(READ)} FROM {quoted} LIMIT {MOST_SESSIONS + 1}"
            rows = database.execute(query).fetchall()
    except sqlite3.Error as error:
        raise InputError(path, f"not a database that can be read ({error})", fix=RESTORE) from None
    if len(rows) > MOST_SESSIONS:
        raise InputError(path, f"more than {MOST_SESSIONS:,} sessions", fix=RESTORE)
    if any(isinstance(cell, bytes) for row in rows for cell in row):
        raise InputError(path, "a cell that is not text", fix=RESTORE)
    cells = [["" if cell is None else str(cell) for cell in row] for row in rows]
    return pd.DataFrame(cells, pd.RangeIndex(2, len(cells) + 2), list(READ), dtype=object)


def find_table(database: sqlite3.Connection, path: Path) -> str:
    """Find the table of sessions, whose name differs between databases, by its columns."""
    query = """SELECT one.name, lower(part.name)
               FROM sqlite_schema AS one, pragma_table_info(one.name) AS part
               WHERE one.type = 'table' ORDER BY one.name, part.cid"""
    tables: dict[str, list[str]] = {}
    for name, column in database.execute(query):
        tables.setdefault(name, []).append(column)
    fitting = [name for name in tables if tables[name] == SESSION_COLUMNS and '"' not in name]
    if len(fitting) != 1:
        problem = f"{len(fitting) or 'no'} tables with the columns of psiTurk's sessions"
        held = ", ".join(tables)[:200] or "no table"
        allowed = [f"one table with the columns {' '.join(SESSION_COLUMNS)}"]
        raise InputError(path, problem, value=held, allowed=allowed, fix=RESTORE)
    return fitting[0]
