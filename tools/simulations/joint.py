"""Joint tests of groups of judges, or of agents, when judges and stimuli are both samples.

On the logit scale, the probability of a verdict is a constant, plus what is the judge's, the stimulus's, and
that of either in a group; all are normal. The test beside is Wald's, with the variances that many studies of
the same design have. What degrees of freedom cost is the difference between the power of that test, which is
noncentral chi-square's, and noncentral F's with the same noncentrality and the degrees of freedom of a study.
"""

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.special import chdtrc, chdtri, expit, fdtri
from scipy.stats import ncf, ncx2

from tools.simulations import LEVEL, SEED, Row, list_cases
from turingstats.stats import crossed
from turingstats.stats.clustered import UnitSums

KNOWN = 3000
"""Studies from which variances are known: power is then known within one point."""
CONSTANT = 0.3


class Study(NamedTuple):
    """Judge, stimulus, group or side (numbers), and verdict of each row."""

    judge: np.ndarray
    stimulus: np.ndarray
    group: np.ndarray
    right: np.ndarray


def draw_numbers(rng: np.random.Generator, judges: int, mean: float, kind: str) -> np.ndarray:
    """Draw how many verdicts judges give: equal, gamma (shape), Zipf, or arena (Pareto, of index 1.2)."""
    name, _, shape = kind.partition(" ")
    if name == "gamma":
        numbers = mean * rng.gamma(float(shape), 1 / float(shape), judges)
    elif name == "Zipf":
        ranks = 1 / np.arange(1, judges + 1)
        numbers = rng.permutation(judges * mean * ranks / ranks.sum())
    elif name == "arena":
        numbers = np.floor(rng.pareto(1.2, judges) + 1)
    else:
        numbers = np.full(judges, mean)
    return np.maximum(np.round(numbers), 1).astype(int)


def draw_design(
    rng: np.random.Generator, judges: int, stimuli: int, mean: float, kind: str
) -> tuple[np.ndarray, np.ndarray]:
    """Draw the judge and the stimulus of each verdict; nobody sees a stimulus twice."""
    numbers = np.minimum(draw_numbers(rng, judges, mean, kind), stimuli)
    order = rng.random((judges, stimuli)).argsort(axis=1)
    judge, stimulus = np.nonzero(order < numbers[:, None])
    return judge, stimulus


def draw_study(rng: np.random.Generator, case: Row) -> Study:
    """Draw the verdicts of one study."""
    groups = case["groups"]
    judge, stimulus = draw_design(
        rng, case["judges"], case["stimuli"], case["per_judge"], case["numbers"]
    )
    group = judge % groups if case["of"] == "judges" else rng.integers(0, groups, len(judge))
    logits = np.where(group == 1, CONSTANT + case["gap"], CONSTANT)
    for unit, kind in ((judge, "judges"), (stimulus, "stimuli")):
        logits += rng.normal(0, case[f"spread_{kind}"], (case[kind],))[unit]
        logits += rng.normal(0, case["spread_groups"], (groups, case[kind]))[group, unit]
    return Study(judge, stimulus, group, (rng.random(len(judge)) < expit(logits)).astype(float))


def sum_units(study: Study) -> tuple[np.ndarray, list[UnitSums], np.ndarray]:
    """Sum a study by judge and by stimulus: rates of groups, sums, and products of verdicts."""
    sides = np.eye(study.group.max() + 1)[study.group]
    n = sides.sum(axis=0)
    rates = study.right @ sides / n
    influence = sides * (study.right[:, None] - rates) / n
    units = [
        UnitSums(*(crossed.sum_by_code(part, unit) for part in (influence, sides)))
        for unit in (study.judge, study.stimulus)
    ]
    return rates, units, influence.T @ influence


def contrast_groups(groups: int) -> np.ndarray:
    """Contrast each other group with the first, shape (groups - 1, groups)."""
    return np.eye(groups)[1:] - np.eye(groups)[:1]


@cache
def simulate_moments(place: int) -> tuple[np.ndarray, np.ndarray]:
    """Simulate the mean and inverse covariance of the contrasts in many studies of a design."""
    case = list_cases("joint")[place]
    found = []
    for study in range(KNOWN):
        drawn = draw_study(np.random.default_rng([SEED, 8, place, study]), case)
        counts = np.bincount(drawn.group)
        found.append(
            contrast_groups(case["groups"]) @ (np.bincount(drawn.group, drawn.right) / counts)
        )
    return np.mean(found, axis=0), np.linalg.inv(np.atleast_2d(np.cov(np.transpose(found))))


def compute_cost(number: int, df: float, noncentrality: float) -> float:
    """Compute how much less power F has with some degrees of freedom than with infinitely many."""
    known = ncx2.sf(chdtri(number, 1 - LEVEL), number, noncentrality)
    return float(known - ncf.sf(fdtri(number, df, LEVEL), number, df, noncentrality))


def simulate_study(rng: np.random.Generator, case: Row) -> Iterator[Row]:
    """Simulate a study, and yield whether the test rejects, and whether one that knows variances does."""
    rates, units, verdicts = sum_units(draw_study(rng, case))
    weights = contrast_groups(case["groups"])
    values = weights @ rates
    test = crossed.assess_contrasts(values, units, verdicts, weights)
    mean, inverse = simulate_moments(list_cases("joint").index(case))
    known = chdtrc(len(values), values @ inverse @ values)
    cost = compute_cost(len(values), test.df[-1], mean @ inverse @ mean)
    row = {"test": "over judges and stimuli", "df": float(test.df[-1]), "cost": cost}
    yield row | {"rejected": float(test.p < 1 - LEVEL), "known": float(known < 1 - LEVEL)}
