"""Bradley-Terry model of comparisons: the strengths of agents, with errors over judges and stimuli.

Of two options, the one shown first is chosen with the log odds strength(first) - strength(second) + advantage
of the first place. A tie is half a win of either: it says that the two are close, and leaving ties out would
make differences look larger than judges find them. A model of ties (Davidson, Rao & Kupper) adds a parameter
for how often judges do not choose, and its strengths are those of decided choices.
Of several options, the chosen one is compared with each of the others: if choices follow Luce's rule, each of
these pairs follows the Bradley-Terry model, and errors over judges and stimuli allow for pairs of one choice.
"""

import warnings
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.sparse import coo_array
from scipy.sparse.csgraph import connected_components
from scipy.special import expit, stdtr
from statsmodels.genmod.families import Binomial
from statsmodels.genmod.generalized_linear_model import GLM

from turingstats.stats.crossed import MIN_UNITS, SMALLEST, combine_variances
from turingstats.stats.mixed.fit import Fit, fit_model


class Comparisons(NamedTuple):
    """Comparisons of two options each; agents, judges and stimuli are numbered from 0, shape (rows,)."""

    first: np.ndarray
    second: np.ndarray
    # 1 if the first was chosen, 0 if the second, 0.5 for a tie.
    outcome: np.ndarray
    judge: np.ndarray
    # None if stimuli are not known.
    stimulus: np.ndarray | None

    def select(self, rows: np.ndarray) -> "Comparisons":
        """Select rows."""
        stimulus = None if self.stimulus is None else self.stimulus[rows]
        first, second, outcome, judge = (part[rows] for part in self[:4])
        return Comparisons(first, second, outcome, judge, stimulus)


class Differences(NamedTuple):
    """Differences of strength between all pairs of agents, shape (agents, agents)."""

    value: np.ndarray  # strength of the row's agent minus that of the column's
    se: np.ndarray  # nan if neither judges nor stimuli are a sample
    df: np.ndarray

    @property
    def p(self) -> np.ndarray:
        """Two-sided p of Student's t; nan where there is no error."""
        with np.errstate(divide="ignore", invalid="ignore"):
            return 2 * stdtr(self.df, -np.abs(self.value / self.se))


class BradleyTerry(NamedTuple):
    """Fitted strengths on the logit scale, and how much they vary over judges and over stimuli."""

    # Relative to their mean, shape (agents,).
    strength: np.ndarray
    # Log odds of the first of two equal options; nan if not estimated.
    advantage: float
    # Of the strengths and the advantage, shape (agents + 1, agents + 1): the inverse information, and sums of
    # squares over judges, stimuli, and pairs of both; None where stimuli are not known.
    independent: np.ndarray
    by_unit: tuple[np.ndarray | None, np.ndarray | None, np.ndarray | None]
    # Judges, and stimuli, of each agent and of all comparisons (last), shape (2, agents + 1).
    units: np.ndarray

    def estimate_error(self, contrast: np.ndarray, units: np.ndarray) -> tuple[float, float]:
        """Estimate the standard error, and its degrees of freedom, of a contrast of the parameters.

        `units` are the numbers of judges and stimuli that it depends on, shape (2,); see
        `turingstats.stats.crossed.estimate_crossed_error`.
        """
        squares = [np.nan if v is None else float(contrast @ v @ contrast) for v in self.by_unit]
        spread, noise = [np.nan, np.nan], 0.0
        for k, number in enumerate(units):
            if number >= MIN_UNITS and np.isfinite(squares[k]):
                spread[k] = squares[k] * number / (number - 1)
                noise += spread[k] ** 2 / (number - 1)
        variance = float(combine_variances(spread[0], spread[1], squares[2]))
        variance = variance if np.isfinite(variance) else float(np.fmax(spread[0], spread[1]))
        if not variance > SMALLEST**2:
            return np.nan, np.nan
        return float(np.sqrt(variance)), max(variance**2 / noise, 1.0)

    def estimate_differences(self) -> Differences:
        """Estimate the differences between all pairs of agents; each needs judges, and stimuli, of both."""
        n = len(self.strength)
        se, df = np.full((2, n, n), np.nan)
        for a, b in zip(*np.triu_indices(n, 1), strict=True):
            contrast = np.zeros(n + 1)
            contrast[[a, b]] = 1, -1
            units = self.units[:, [a, b]].min(axis=1)
            se[a, b], df[a, b] = se[b, a], df[b, a] = self.estimate_error(contrast, units)
        return Differences(self.strength[:, None] - self.strength, se, df)

    def describe_units(self) -> str:
        """Name what errors hold for: "judges and stimuli", "judges", "stimuli", or ""."""
        names = [
            ("judges", "stimuli")[k] for k, n in enumerate(self.units[:, -1]) if n >= MIN_UNITS
        ]
        return " and ".join(names)

    @property
    def shared_spread(self) -> np.ndarray:
        """Covariance of the strengths over judges plus that over stimuli, from which ranks are simulated."""
        parts = [
            v[:-1, :-1]
            for v, number in zip(self.by_unit[:2], self.units[:, -1], strict=True)
            if v is not None and number >= MIN_UNITS
        ]
        return np.sum(parts, axis=0) if parts else np.zeros((len(self.strength),) * 2)


def find_comparable_agents(comparisons: Comparisons, number: int) -> np.ndarray:
    """Number the groups of agents whose strengths can be compared; shape (agents,), the largest is 0.

    Within a group, each agent won against another one, and lost, directly or through others (Ford 1957,
    American Mathematical Monthly 64(8), 28-33); otherwise strengths are infinite or unrelated.
    """
    first, second, outcome = comparisons[:3]
    winner = np.concatenate([first[outcome > 0], second[outcome < 1]])
    loser = np.concatenate([second[outcome > 0], first[outcome < 1]])
    graph = coo_array((np.ones(len(winner)), (winner, loser)), shape=(number, number))
    groups = connected_components(graph.tocsr(), connection="strong")[1]
    sizes = np.bincount(groups)
    order = sorted(range(len(sizes)), key=lambda g: (-sizes[g], np.flatnonzero(groups == g)[0]))
    return np.argsort(order)[groups]


def shows_both_orders(comparisons: Comparisons) -> bool:
    """Tell whether most comparisons are of pairs that were shown in both orders; else order says nothing."""
    first, second = comparisons[:2]
    lower, upper = np.minimum(first, second), np.maximum(first, second)
    pair = np.unique(lower * (upper.max() + 1) + upper, return_inverse=True)[1]
    share = np.bincount(pair, first == lower) / np.bincount(pair)
    return bool(((share > 0) & (share < 1))[pair].mean() > 0.5)


def fit_bradley_terry(
    comparisons: Comparisons, number: int, places: bool = True
) -> BradleyTerry | None:
    """Fit the Bradley-Terry model by maximum likelihood.

    Parameters
    ----------
    comparisons : Comparisons
        All agents can be compared with each other (`find_comparable_agents`).
    number : int
        Number of agents, at least 2.
    places : bool
        Whether to estimate an advantage of the option shown first.

    Returns
    -------
    BradleyTerry or None
        None if the likelihood has no maximum.

    Notes
    -----
    Logistic regression on agents, 1 for the first and -1 for the second of a row. A row moves the parameters
    by information^-1 (x) (outcome - probability); sums over the rows of a judge, of a stimulus, and of both
    give variances clustered in two ways, as for all numbers here (`turingstats.stats.crossed`). They hold
    whatever relates the choices of a judge, or those about a stimulus: no random effects are assumed. R's
    BradleyTerry2 (`BTm`) has the same strengths; its errors take comparisons as independent (`independent`).
    """
    first, second, outcome = comparisons[:3]
    size = number + 1
    # Of each ordered pair: all that the likelihood depends on.
    cells, cell = np.unique(first * number + second, return_inverse=True)
    trials, wins = np.bincount(cell), np.bincount(cell, outcome)
    design = np.zeros((len(cells), size))
    rows = np.arange(len(cells))
    design[rows, cells // number] += 1
    design[rows, cells % number] -= 1
    design[:, -1] = places
    # The strength of the first agent is 0 in the search; afterwards, the mean is.
    free = np.arange(1, size if places else number)
    with warnings.catch_warnings():
        # statsmodels warns of separation, which is recognized here.
        warnings.simplefilter("ignore")
        model = GLM(np.column_stack([wins, trials - wins]), design[:, free], family=Binomial())
        result = model.fit(tol=1e-12)
    if not (
        result.converged
        and 1e-8 < result.fittedvalues.min() <= result.fittedvalues.max() < 1 - 1e-8
    ):
        return None
    beta, inverse = np.zeros(size), np.zeros((size, size))
    beta[free], inverse[np.ix_(free, free)] = result.params, result.cov_params()
    center = np.eye(size)
    center[:number, :number] -= 1 / number
    beta, inverse = center @ beta, center @ inverse @ center.T
    residual = outcome - expit(design @ beta)[cell]
    judge, stimulus = comparisons.judge, comparisons.stimulus
    both = None if stimulus is None else judge * (stimulus.max() + 1) + stimulus
    place = np.arange(len(first))

    def add_squares(unit: np.ndarray | None) -> np.ndarray | None:
        """Add the squares of how much each unit moves the parameters."""
        if unit is None:
            return None
        codes = np.unique(unit, return_inverse=True)[1]
        columns = np.concatenate([first, second, np.full(len(first), number)])
        values = np.concatenate([residual, -residual, residual * places])
        at = codes[np.tile(place, 3)]
        scores = coo_array((values, (at, columns)), shape=(codes.max() + 1, size)).tocsr()
        return inverse @ (scores.T @ scores).toarray() @ inverse.T

    units = np.zeros((2, size), int)
    for k, unit in enumerate((judge, stimulus)):
        if unit is not None:
            units[k, -1] = len(np.unique(unit))
            for agent in range(number):
                units[k, agent] = len(np.unique(unit[(first == agent) | (second == agent)]))
    by_unit = (add_squares(judge), add_squares(stimulus), add_squares(both))
    advantage = float(beta[-1]) if places else np.nan
    return BradleyTerry(beta[:-1], advantage, inverse, by_unit, units)


def fit_mixed_strengths(
    comparisons: Comparisons, number: int
) -> tuple[np.ndarray, np.ndarray, Fit]:
    """Fit strengths, an advantage of the first place, and random effects of judges and stimuli.

    A judge's effect is how much more often than others the judge takes the option shown first; a stimulus's,
    how much more often the first is taken there. That judges or stimuli favor particular agents is not
    modeled, which would take a random effect of each agent: clustered errors allow for it without a model.

    Returns
    -------
    strength, se : arrays, shape (agents,)
        Relative to the mean of the agents; nan if the model could not be fitted.
    fit : Fit
        A tie is half a win and half a loss in its outcomes.
    """
    first, second, outcome, judge, stimulus = comparisons
    agents = [f"agent{k}" for k in range(1, number)]
    table = pd.DataFrame(
        {name: (first == k).astype(float) - (second == k) for k, name in enumerate(agents, start=1)}
    ).assign(won=outcome, lost=1 - outcome, judge=judge)
    random = "(1 | judge)"
    if stimulus is not None:
        table, random = table.assign(stimulus=stimulus), "(1 | judge) + (1 | stimulus)"
    fit = fit_model(table, f"cbind(won,lost) ~ 1 + {' + '.join(agents)} + {random}")
    if not fit.usable or len(fit.names) != number:
        return *np.full((2, number), np.nan), fit
    center = np.zeros((number, number))
    center[1:, 1:] = np.eye(number - 1)
    center[:, 1:] -= 1 / number
    variance = center @ fit.covariance @ center.T
    return center @ fit.estimate, np.sqrt(np.diag(variance)), fit
