"""Reading and writing of tables: whole or not at all, and the same bytes every time."""

import contextlib
import os
from pathlib import Path


@contextlib.contextmanager
def replaced(path):
    """Yield a temporary name beside `path`; move it into place when all went well."""
    path = Path(path)
    path.parent.mkdir(parents=True, exist_ok=True)
    draft = path.with_name(f".{path.stem}.draft{path.suffix}")
    try:
        yield draft
        os.replace(draft, path)
    finally:
        draft.unlink(missing_ok=True)


def read(path):
    """Read a table (.csv or .parquet) into a data frame; empty CSV cells of text stay missing."""
    import pandas as pd

    return pd.read_parquet(path) if str(path).endswith(".parquet") else pd.read_csv(path)


def write(frame, path):
    """Write a data frame as .csv (numbers in their shortest exact form) or .parquet."""
    with replaced(path) as draft:
        if draft.suffix == ".parquet":
            frame.to_parquet(draft, index=False)
        else:
            frame.to_csv(draft, index=False, lineterminator="\n")


def write_text(text, path):
    """Write text."""
    with replaced(path) as draft:
        draft.write_text(text)
