"""The table that evaluates the judges of a study."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

from turingstats.core import files


class Measurement(NamedTuple):
    """A row of the table: a number that evaluates a judge."""

    quantity: str
    x: float = np.nan
    value: float = np.nan
    ci_low: float = np.nan
    ci_high: float = np.nan
    n: float = np.nan
    p: float = np.nan
    method: str = ""


def read_evaluations(paths: Iterable[str | Path]) -> pd.DataFrame:
    """Read the evaluations of a study's judges; empty if none are trained."""
    keys = ["task", "cohort", "reading"]
    return pd.concat(
        [pd.DataFrame(columns=[*keys, *Measurement._fields]), *map(files.read_frame, paths)]
    )
