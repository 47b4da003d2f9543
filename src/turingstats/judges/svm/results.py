"""The table that evaluates the judges of a study."""

import pandas as pd

from turingstats.core import files

COLUMNS = "quantity x value ci_low ci_high n p method".split()


def read_evaluations(paths):
    """Read the evaluations of a study's judges; empty if none are trained."""
    keys = "task cohort reading".split()
    return pd.concat([pd.DataFrame(columns=[*keys, *COLUMNS]), *map(files.read_frame, paths)])
