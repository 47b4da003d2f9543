"""Read and write tables, atomically and with reproducible bytes."""

import contextlib
import os
from pathlib import Path

import pandas as pd

from turingstats.core.errors import describe_fault

# Columns with names that come from a study file or a user's own table.
NAMES = dict.fromkeys(("agent", "agent_label", "cohort", "cohort_label", "stimulus", "title"), str)


@contextlib.contextmanager
def replace_file(path):
    """Yield a temporary name next to `path`; move the file into place if no error occurs.

    Raises
    ------
    MachineError
        There is no space or permission to write the file.
    """
    path = Path(path)
    draft = path.with_name(f".{path.stem}.draft{path.suffix}")
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


def read_frame(path):
    """Read a table (.csv or .parquet) into a data frame; only empty CSV cells are missing.

    Names stay text even if all of them are numbers, or words such as null.
    """

    if str(path).endswith(".parquet"):
        return pd.read_parquet(path)
    return pd.read_csv(path, dtype=NAMES, keep_default_na=False, na_values=[""])


def list_rows(table):
    """Return the rows of a table as dictionaries, with None for missing values."""
    return table.astype(object).where(table.notna(), None).to_dict("records")


def write_frame(frame, path):
    """Write a data frame as .csv (numbers in their shortest exact form) or .parquet."""
    with replace_file(path) as draft:
        if draft.suffix == ".parquet":
            frame.to_parquet(draft, index=False)
        else:
            frame.to_csv(draft, index=False, lineterminator="\n")


def write_text(text, path):
    """Write text to a file."""
    with replace_file(path) as draft:
        draft.write_text(text)
