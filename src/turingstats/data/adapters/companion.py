"""A raw file that the adapter of another file reads in addition to its own; it yields no table itself."""

from pathlib import Path

import pandas as pd

from turingstats.config.raw_files import RawFile
from turingstats.config.study import Study


def read(file: RawFile, folder: str | Path, study: Study) -> dict[str, pd.DataFrame]:
    """Return no table."""
    return {}
