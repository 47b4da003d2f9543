"""Read and write tables, atomically and with reproducible bytes."""

import contextlib
import csv
import hashlib
import io
import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from turingstats.core.errors import InputError, describe_fault
from turingstats.core.plain_text import guard_cell, unguard_cell

if TYPE_CHECKING:
    import pandas as pd

# Columns with names that come from a study file or a user's own table.
NAMES = dict.fromkeys(
    ("agent", "agent_label", "cohort", "cohort_label", "stimulus", "title", "item", "category"), str
)


@contextlib.contextmanager
def replace_file(path: Path | str, writer: str = "draft") -> Iterator[Path]:
    """Yield a temporary name next to `path`; move the file into place if no error occurs.

    The temporary name ends in `writer`, which tells processes apart that may write the same file at once.
    """
    path = Path(path)
    draft = path.with_name(f".{path.stem}.{writer}{path.suffix}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        yield draft
        os.replace(draft, path)
    except OSError as error:
        fault = describe_fault(error, path)
        if fault is None:
            raise
        raise fault from None
    finally:
        with contextlib.suppress(OSError):
            draft.unlink(missing_ok=True)


def read_frame(path: Path | str, *, as_text: bool = False) -> "pd.DataFrame":
    """Read a table that `write_frame` wrote.

    Only empty cells of a CSV are missing; names stay text and, with `as_text`, numbers as they are printed.
    """
    # Imported here: it takes a third of a second, and the pages and Snakemake's own process need no frames.
    import pandas as pd

    try:
        if str(path).endswith(".parquet"):
            return pd.read_parquet(path)
        content = Path(path).read_bytes()
        # Types of columns are told from all rows, not from each part of a long table.
        frame = pd.read_csv(
            io.BytesIO(content),
            dtype=str if as_text else NAMES,
            keep_default_na=False,
            na_values=[""],
            low_memory=False,
        )
    except ValueError as error:
        # What pandas and Arrow say of a file that is empty, cut short, or no table.
        problem = f"a table of the workflow that was emptied or changed ({error})"
        raise InputError(path, problem, fix="delete it, and run again: it is made anew") from None
    return change_texts(frame, unguard_cell) if b"'" in content else frame


def read_text_rows(path: Path) -> list[list[str]]:
    """Read the rows of a CSV file, its header first, as lists of text."""
    with open(path, encoding="utf-8", newline="") as lines:
        text = lines.read()
    rows = csv.reader(io.StringIO(text, newline=""))
    return [list(map(unguard_cell, row)) for row in rows] if "'" in text else list(rows)


def change_texts(frame: "pd.DataFrame", change: Callable[..., Any]) -> "pd.DataFrame":
    """Change the texts of a table, and its headers, by a function."""
    import numpy as np

    def change_cell(cell: Any) -> Any:
        return change(cell) if isinstance(cell, str) else cell

    changed = frame.set_axis([*map(change_cell, frame)], axis=1)
    for place, kind in enumerate(frame.dtypes):
        if isinstance(kind, np.dtype) and kind.kind != "O":
            continue
        column = frame.iloc[:, place]
        distinct = column.unique().tolist()
        if any(isinstance(cell, str) and change(cell) != cell for cell in distinct):
            changed.isetitem(place, column.astype(object).map(change_cell))
    return changed


def digest_bytes(content: bytes) -> str:
    """Compute the checksum of what a file holds, as a data package writes it."""
    return f"sha256:{hashlib.sha256(content).hexdigest()}"


def digest_file(path: Path | str) -> str:
    """Compute the checksum of a file, SHA-256."""
    with open(path, "rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def list_rows(table: "pd.DataFrame") -> list[dict[str, Any]]:
    """Return the rows of a table as dictionaries, with None for missing values."""
    names, cells = list(table), table.astype(object).where(table.notna(), None).to_numpy()
    return [dict(zip(names, row, strict=True)) for row in cells.tolist()]


def select_rows(table: "pd.DataFrame", **values: Any) -> "pd.DataFrame":
    """Select the rows of a table that have all of some values, by column."""
    for column, value in values.items():
        table = table[table[column] == value]
    return table


def write_frame(frame: "pd.DataFrame", path: Path | str) -> None:
    """Write a data frame as .csv (numbers in their shortest exact form, formulas guarded) or .parquet."""
    with replace_file(path) as draft:
        if draft.suffix == ".parquet":
            frame.to_parquet(draft, index=False)
            return
        # People open tables in spreadsheets, where no text may act as a formula.
        frame = change_texts(frame, guard_cell)
        text = frame.to_csv(index=False, lineterminator="\n")
        if "\r" in text:
            # Not quoted by itself, a carriage return would end the line for whoever reads it.
            text = frame.to_csv(index=False, lineterminator="\n", quoting=csv.QUOTE_NONNUMERIC)
        draft.write_text(text, encoding="utf-8", newline="")


def label_rows(table: "pd.DataFrame", labels: dict[str, Any]) -> "pd.DataFrame":
    """Add columns that say the same of all rows; a table that has such a column keeps its own."""
    return table.assign(**{name: labels[name] for name in labels if name not in table})


def write_result(content: Any, path: Path | str, **labels: Any) -> Any:
    """Write a text, or a table with labels of all rows; return what was written."""
    if isinstance(content, str):
        write_text(content, path)
    else:
        content = label_rows(content, labels)
        write_frame(content, path)
    return content


def write_text(text: str, path: Path | str) -> None:
    """Write text to a file."""
    with replace_file(path) as draft:
        draft.write_text(text, encoding="utf-8", newline="")
