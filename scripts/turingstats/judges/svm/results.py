"""The table that says how good the judges of a study are."""

import pandas as pd

from turingstats.core import files

COLUMNS = "quantity x value ci_low ci_high n p method".split()


def read_evaluations(paths):
    """Read the evaluations of a study's judges; empty where none are trained."""
    keys = "task cohort reading".split()
    return pd.concat([pd.DataFrame(columns=[*keys, *COLUMNS]), *map(files.read_frame, paths)])
