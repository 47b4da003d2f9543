"""The table that evaluates the judges of a study."""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from turingstats.core import files

COLUMNS = ["quantity", "x", "value", "ci_low", "ci_high", "n", "p", "method"]


def read_evaluations(paths: Iterable[str | Path]) -> pd.DataFrame:
    """Read the evaluations of a study's judges; empty if none are trained."""
    keys = ["task", "cohort", "reading"]
    return pd.concat([pd.DataFrame(columns=[*keys, *COLUMNS]), *map(files.read_frame, paths)])
