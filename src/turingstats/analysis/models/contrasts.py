"""Differences between agents, and between levels of other factors, in the fitted models.

Also what published tests ask of a fit, which `counterparts` contrasts.
"""

import itertools
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from scipy.special import stdtrit

from turingstats.analysis.models.asked import Asked, find_group_column
from turingstats.config.study import Comparison
from turingstats.stats.mixed import marginal, wald
from turingstats.stats.mixed.fit import Fit
from turingstats.stats.mixed.syntax import find_formula_columns
from turingstats.stats.multiplicity import correct_family

MAX_LEVELS = 8
"""Most machines, or levels of another factor, of which all pairs are compared."""


def list_factors(fitted: Fit) -> list[str]:
    """List the factors among the fixed effects of a fit."""
    table = fitted.data.table
    names = find_formula_columns("y ~ " + fitted.data.fixed)
    return [n for n in names if n in table and hasattr(table[n], "cat")]


class LevelAverage(NamedTuple):
    """The average probability of an outcome at a level of a factor."""

    value: float
    se: float
    low: float
    high: float
    gradient: np.ndarray
    """Derivatives of the value by the coefficients."""
    predictors: np.ndarray
    """Averages, shape (coefficients,)."""


def average_levels(fitted: Fit, factor: str, level: float) -> dict[str, LevelAverage]:
    """Average the probability of the outcome at each level of a factor."""
    cells = marginal.build_cell_designs(fitted, [factor])
    return {name: average_rows(fitted, *parts, level=level) for (name,), parts in cells.items()}


def average_rows(
    fitted: Fit, design: np.ndarray, sd: np.ndarray, weights: np.ndarray, level: float
) -> LevelAverage:
    """Average the probability of the outcome over rows of a design."""
    average = marginal.average_probability(fitted, design, sd, weights, level)
    return LevelAverage(*average, np.average(design, axis=0, weights=weights))


def compare_levels(
    fitted: Fit,
    factor: str,
    levels: dict[str, LevelAverage],
    level: float,
    correction: str | None = None,
) -> list[dict[str, Any]]:
    """Compare the levels of a factor, one row per pair.

    estimate: log odds of the outcome at `first` minus those at `second`, which z and p test against 0;
    p_adjusted is corrected over the contrasts of a factor (`correct_family`).
    probability_difference: the same for the average probability of the outcome. Other terms are as observed.
    """
    pairs, how = choose_pairs(fitted, factor, levels)
    contrasts = []
    for first, second in pairs:
        one, other = levels[first], levels[second]
        tested = wald.assess_contrast(fitted, one.predictors - other.predictors, level)
        difference, gradient = one.value - other.value, one.gradient - other.gradient
        se = float(np.sqrt(gradient @ fitted.covariance @ gradient))
        half = stdtrit(fitted.df, (1 + level) / 2) * se
        contrasts.append(
            {
                "factor": factor,
                "first": first,
                "second": second,
                **wald.list_wald_columns(tested),
                "df": fitted.df,
                "probability_first": one.value,
                "probability_second": other.value,
                "probability_difference": difference,
                "probability_se": se,
                "probability_low": difference - half,
                "probability_high": difference + half,
                "method": f"{how}; Wald test from the covariance of the fixed effects, t with df; "
                "probabilities averaged over trials and random effects, delta method; intervals not adjusted",
            }
        )
    correct_family(contrasts, correction)
    return contrasts


def choose_pairs(
    fitted: Fit, factor: str, levels: dict[str, LevelAverage]
) -> tuple[list[tuple[str, str]], str]:
    """Choose the levels to compare, also in words: all pairs, or each with one if there are many machines."""
    names = list(levels)
    machines = [name for name in names if factor != "agent" or name != "human"]
    if len(machines) <= MAX_LEVELS:
        return list(itertools.combinations(names, 2)), "all pairs of levels"
    if factor != "agent":
        return [(name, names[0]) for name in names[1:]], "each level against the first"
    # The best imitator is judged human, or misjudged, most often.
    choose = max if fitted.data.response == "said_human" else min
    best = choose(machines, key=lambda name: levels[name].value)
    pairs = [(name, best) for name in names if name != best]
    return pairs, "each agent against the machine that was judged human most often"


def summarize_fit(fitted: Fit, comparisons: Iterable[Comparison]) -> Asked:
    """Extract from a fit what `turingstats.analysis.models.counterparts` needs for some comparisons."""
    columns = dict.fromkeys(map(find_group_column, comparisons))
    predictors = {column: average_predictors(column, fitted) for column in columns}
    return Asked(fitted.estimate, fitted.covariance, fitted.df, fitted.notes, predictors)


def average_predictors(across: str | None, fitted: Fit) -> dict[tuple[str, ...], np.ndarray] | None:
    """Average the predictors for each kind of response, in each of the groups of a column (None: no groups).

    Returns weights of the coefficients by (agent, group), or by (agent,) without groups; agents are
    human, all and each agent. Empty if the model could not be fitted, None if it lacks the groups.
    """
    table = fitted.data.table
    if not fitted.usable:
        return {}
    side = "agent" if "agent" in table else "made_by"
    if side not in table or (across and across not in table):
        return None
    shares = table[side].value_counts()
    machines = [name for name in table[side].cat.categories if name != "human"]
    averages = {
        levels: np.average(design, axis=0, weights=weights)
        for levels, (design, _, weights) in marginal.build_cell_designs(
            fitted, [side] if across is None else [side, across]
        ).items()
    }
    for group in dict.fromkeys(levels[1:] for levels in list(averages)):
        rows = [averages[(name, *group)] for name in machines]
        averages["all", *group] = np.average(rows, axis=0, weights=shares[machines])
    return averages
