"""Simulated studies: the coverage of intervals, and how often tests reject true null hypotheses.

    PYTHONPATH=src python -m tools.simulations games pairs --studies 100

A module of this folder is a kind of study, of which cases.yaml has the cases; `simulate_study` yields what is
found in one. Averages go to docs/simulations/<module>.csv, from which
docs/calibration.md and docs/coverage.md are written, whichever modules ran (`pages`).
"""

import importlib
import os
from itertools import product
from pathlib import Path
from typing import Any

from turingstats.core.processor import SETTINGS

# Before numpy is imported.
os.environ.update(SETTINGS)

import numpy as np
import pandas as pd
import yaml

DECLARED = yaml.safe_load(Path(__file__).with_name("cases.yaml").read_text(encoding="utf-8"))
SEED = 2025
LEVEL = 0.95
Row = dict[str, Any]
"""What is found in a study: texts say what it is of. The limits of an interval (`ends`) stand with the
`truth`, or with the `estimate` if the truth is what is estimated on average."""


def list_cases(name: str) -> list[Row]:
    """List the cases of a module: all combinations of the rows of its tables."""
    tables = [
        [dict(zip(table["columns"], row, strict=True)) for row in table["rows"]]
        for table in DECLARED[name]["cases"]
    ]
    return [{key: row[key] for row in rows for key in row} for rows in product(*tables)]


def simulate_case(name: str, place: int, studies: int) -> list[Row]:
    """Simulate studies of one case of a module, and average what they find."""
    module = importlib.import_module(f"tools.simulations.{name}")
    case, seed = list_cases(name)[place], [SEED, *DECLARED[name]["seed"], place]
    found = [
        row
        for study in range(studies)
        for row in module.simulate_study(np.random.default_rng([*seed, study]), case)
    ]
    table = pd.DataFrame(found)
    if "ends" in table:
        table = check_intervals(table)
    table = table.dropna()
    names = [name for name in table if not pd.api.types.is_numeric_dtype(table[name])]
    return [
        case
        | dict(zip(names, group, strict=True))
        | {"n": len(own)}
        | own.drop(columns=names).mean().to_dict()
        for group, own in table.groupby(names, sort=False)
    ]


def check_intervals(table: pd.DataFrame) -> pd.DataFrame:
    """Tell of intervals whether they hold the truth, how wide they are, and on which side they miss."""
    truth = table.get("truth", pd.Series(np.nan, table.index))
    if "estimate" in table:
        truth = truth.fillna(table.groupby("quantity")["estimate"].transform("mean"))
    low, high = np.array(table["ends"].tolist(), float).T
    measures = {
        "coverage": (low <= truth) & (truth <= high),
        "width": high - low,
        "too_high": low > truth,
        "too_low": high < truth,
    }
    other = table.drop(columns=["ends", "truth", "estimate"], errors="ignore")
    return other.assign(**measures)[np.isfinite(high - low)]
