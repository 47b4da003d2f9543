"""Simulated studies: how often intervals hold the truth, and tests reject true null hypotheses.

    PYTHONPATH=src python -m tools.simulations games pairs --studies 100

A module of this folder is a kind of study: `STUDIES` of each of its `CASES` are simulated, and
`simulate_study` yields what is found in one. Averages go to docs/simulations/<module>.csv, from which
docs/calibration.md and docs/coverage.md are written, whichever modules ran (`pages`).
"""

import importlib
import os
from collections.abc import Iterable, Sequence
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from turingstats.core.processor import SETTINGS

# Before numpy is imported.
os.environ.update(SETTINGS)

import numpy as np
import pandas as pd

DOCS = Path(__file__).parents[2] / "docs"
SEED = 2025
LEVEL = 0.95
SIZES = ("judges", "stimuli", "per_judge", "others")
"""Judges, stimuli, stimuli that each judge sees, and stimuli that only a machine judges."""
SPREADS = ((0.5, 0.0), (0.5, 0.5), (0.5, 1.0), (1.0, 1.0))
"""Standard deviations of judges' bias and sensitivity, and of stimuli, on the logit scale."""

Row = dict[str, Any]
"""What is found in a study: texts say what it is of. Limits of an interval (`low`, `high`) stand with the
`truth`, or with the `estimate` if the truth is what is estimated on average."""


class Case(NamedTuple):
    """A kind of studies: its columns in the table, its seed, and the arguments of `simulate_study`."""

    columns: Row
    seed: tuple[int, ...]
    arguments: tuple[Any, ...]


def list_cases(
    designs: Iterable[tuple[int, ...]],
    spreads: Iterable[tuple[float, float]],
    seed: tuple[int, ...] = (),
) -> list[Case]:
    """List the cases of all designs, given as `SIZES`, with all spreads."""
    return [
        Case(
            dict(zip(SIZES, design, strict=False))
            | dict(zip(("spread_judges", "spread_stimuli"), spread, strict=True)),
            (*seed, place),
            (design, spread),
        )
        for place, (design, spread) in enumerate(product(designs, spreads))
    ]


def simulate_case(name: str, place: int, studies: int) -> list[Row]:
    """Simulate studies of one case of a module, and average what they find."""
    module = importlib.import_module(f"tools.simulations.{name}")
    case = module.CASES[place]
    found = [
        row
        for study in range(studies)
        for row in module.simulate_study(
            np.random.default_rng([SEED, *case.seed, study]), *case.arguments
        )
    ]
    table = pd.DataFrame(found)
    if "low" in table:
        table = check_intervals(table)
    table = table.dropna()
    names = [name for name in table if not pd.api.types.is_numeric_dtype(table[name])]
    return [
        case.columns
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
    low, high = table["low"], table["high"]
    missing = low.isna() | high.isna()
    measures = {
        "coverage": (low <= truth) & (truth <= high),
        "width": high - low,
        "too_high": low > truth,
        "too_low": high < truth,
    }
    columns = ["low", "high", "truth", "estimate"]
    return table.drop(columns=columns, errors="ignore").assign(**measures)[~missing]


def list_arguments(names: Sequence[str], studies: int | None) -> list[tuple[str, int, int]]:
    """List the arguments of `simulate_case` for all cases of some modules."""
    modules = [importlib.import_module(f"tools.simulations.{name}") for name in names]
    return [
        (name, place, studies or module.STUDIES)
        for name, module in zip(names, modules, strict=True)
        for place in range(len(module.CASES))
    ]
