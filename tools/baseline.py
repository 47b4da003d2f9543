"""Accepted results, and how a run differs from them.

A baseline is a folder of CSV files, one per table at the path that it has in the results. Groups of judges,
which are most of the rows of estimates and sizes, and claims without an answer are left out, and long tables
summarized in one. Numbers within a tolerance are the same, since another processor may have computed them.
"""

import hashlib
import math
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from turingstats.core import files
from turingstats.workflow.results import DESIGNS, list_results

Tables = dict[str, pd.DataFrame]

TOLERANCE = 1e-7
"""Up to which relative difference numbers are equal."""
# Results of a study that are held fixed; for the ledger, everything except explanations.
TABLES = ("statistics/*.csv", "figures/*.csv", "tables/*.csv")
ANSWER = ["paper", "claim_id", "status", "reading", "recomputed", "recommended", "data"]
LEDGER = {
    "claims/claims.csv": ANSWER,
    "claims/notebooks.csv": ANSWER,
    "claims/consistency.csv": ["paper", "check_id", "result", "data"],
}
# Columns that name a row, in a table without an id.
NAMES = (
    *("figure", "panel", "task", "Task", "cohort", "judge", "judge_kind", "group_by", "group"),
    *("agent", "quantity", "step", "reason", "reading"),
)
SHOWN = 15
NOT_MADE, NOT_ACCEPTED = "accepted, but not made by this run", "made by this run, but not accepted"


class Difference(NamedTuple):
    """One deviation from the accepted results; without a row, of the whole file."""

    file: str
    what: str
    row: str = ""
    column: str = ""


LONG = {
    result.path
    for design in DESIGNS
    for results in list_results(design).values()
    for result in results
    if result.long
}
"""Tables with one row per judge, stimulus, rater, code or pair."""
LONG_FIGURE = 500
"""Source data of a figure with more rows than this are also long."""
SUMMARY = "long_tables.csv"
UNANSWERED = ("no data", "not computed")
"""Statuses of claims without a number."""


def read_results(results: Path) -> Tables:
    """Read the tables of a study that are held fixed, as text by path such as "statistics/tests.csv"."""
    tables = {
        f"{path.parent.name}/{path.name}": read_table(path)
        for pattern in TABLES
        for path in sorted(Path(results).glob(pattern))
    }
    for name, columns in LEDGER.items():
        if (Path(results) / name).exists():
            tables[name] = read_table(Path(results) / name)[columns]
    kept, summaries = {}, []
    for name, table in tables.items():
        if name in ("statistics/estimates.csv", "statistics/sizes.csv") and "group_by" in table:
            table = table[table["group_by"] == "all"].reset_index(drop=True)
        if name in LEDGER and "status" in table:
            table = table[~table["status"].isin(UNANSWERED)].reset_index(drop=True)
        if name in LONG or (name.startswith("figures/") and len(table) > LONG_FIGURE):
            summaries.append(sum_up_table(name, table))
        else:
            kept[name] = table
    return kept | ({SUMMARY: pd.concat(summaries, ignore_index=True)} if summaries else {})


def sum_up_table(name: str, table: pd.DataFrame) -> pd.DataFrame:
    """Summarize a long table of text in one row per column, so that a changed cell shows.

    Every column has its number of rows and of filled cells. Text has a digest. Numbers have how many are
    negative and their root mean square, plain and weighted by the position of the row: unlike a mean, both
    are far from zero if the numbers are, so that a relative tolerance makes sense.
    """
    rows = []
    for column in table.columns:
        cells = table[column][table[column] != ""]
        row = {"column": f"{name} {column}", "rows": len(table), "filled": len(cells)}
        numbers = pd.to_numeric(cells, errors="coerce")
        if numbers.isna().any():
            digest = hashlib.sha256("\n".join(table[column]).encode()).hexdigest()
            row["digest"] = digest[:16]
        elif len(cells):
            squares = (numbers**2).to_numpy()
            places = cells.index.to_numpy() + 1
            row["negative"] = int((numbers < 0).sum())
            row["rms"] = math.sqrt(math.fsum(squares) / len(squares))
            row["rms_by_place"] = math.sqrt(math.fsum(squares * places) / places.sum())
        rows.append(row)
    columns = ["column", "rows", "filled", "digest", "negative", "rms", "rms_by_place"]
    return pd.DataFrame(rows, columns=columns, dtype=object).fillna("").astype(str)


def read_table(path: Path) -> pd.DataFrame:
    """Read a CSV as text, so that its numbers are kept exactly as written."""
    return pd.read_csv(path, dtype=str, keep_default_na=False)


def write_baseline(folder: Path, tables: Tables) -> None:
    """Write a baseline; tables of an earlier one that this run lacks are removed."""
    for path in Path(folder).rglob("*.csv"):
        path.unlink()
    for name, table in tables.items():
        files.write_frame(table, Path(folder) / name)


def check_results(folder: Path, tables: Tables) -> list[Difference]:
    """List the differences of a run from a baseline."""
    paths = sorted(Path(folder).rglob("*.csv"))
    accepted = {str(path.relative_to(folder)): read_table(path) for path in paths}
    return [
        difference
        for name in {**accepted, **tables}
        for difference in compare_tables(name, accepted.get(name), tables.get(name))
    ]


def compare_tables(
    name: str, accepted: pd.DataFrame | None, found: pd.DataFrame | None
) -> Iterator[Difference]:
    """List the differences between two tables of the same name, one of which may be absent."""
    if accepted is None or found is None:
        yield Difference(name, NOT_MADE if found is None else NOT_ACCEPTED)
        return
    old, new = (table.set_axis(list(label_rows(table))) for table in (accepted, found))
    for kind, one, other in (("column ", old.columns, new.columns), ("", old.index, new.index)):
        for label in one.symmetric_difference(other, sort=False):
            yield Difference(name, "gone" if label in one else "new", f"{kind}{label}")
    before, after = old.align(new, join="inner")
    for i, j in np.argwhere((before != after).to_numpy()):
        cells = before.iat[i, j], after.iat[i, j]
        if not is_near(*cells):
            change = " -> ".join(cell or "empty" for cell in cells)
            yield Difference(name, change, before.index[i], before.columns[j])


def label_rows(table: pd.DataFrame) -> Iterator[str]:
    """Name each row: by its id and reading, or by the columns that identify it; repeats are numbered."""
    ids = [column for column in table.columns if column.endswith("_id")]
    names = [*ids[:1], *(["reading"] if "reading" in table and "claim_id" not in table else [])]
    if not ids:
        names = [column for column in NAMES if column in table] or list(table.columns[:1])
    seen = {}
    for row in table[names].to_numpy():
        label = ", ".join(cell for cell in row if cell)
        seen[label] = seen.get(label, 0) + 1
        yield label if seen[label] == 1 else f"{label} ({seen[label]})"


def is_near(one: str, other: str) -> bool:
    """Tell whether two cells hold numbers that are equal within the tolerance."""
    try:
        # Differences of equal numbers leave a remainder of about 1e-16.
        return math.isclose(float(one), float(other), rel_tol=TOLERANCE, abs_tol=1e-15)
    except ValueError:
        return False


def format_differences(differences: list[Difference]) -> str:
    """Format differences as text, by file, the first few of each."""
    lines = []
    for name, group in groupby(differences, key=lambda difference: difference.file):
        own = list(group)
        if not own[0].row:
            lines.append(f"{name}: {own[0].what}")
            continue
        lines.append(f"{name}: {len(own)} difference{'s' * (len(own) > 1)}")
        lines += [f"  {one.row}: {f'{one.column} {one.what}'.strip()}" for one in own[:SHOWN]]
        lines += [f"  and {len(own) - SHOWN} more"] * (len(own) > SHOWN)
    return "\n".join(lines)
