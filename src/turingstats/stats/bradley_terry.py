"""Bradley-Terry model of comparisons: the strengths of agents, with errors over judges and stimuli.

Of two options, the one shown first has an expected score with the log odds strength(first) - strength(second)
+ advantage of the first place, where a win scores 1 and a tie one half. Without ties the score is the
probability that it is chosen. Davidson's model adds a parameter for how often judges do not choose.
Of several options, the chosen one is compared with each of the others: if choices follow Luce's rule, each of
these pairs follows the Bradley-Terry model, and errors over judges and stimuli allow for pairs of one choice.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy.sparse import coo_array, csr_array
from scipy.special import softmax

from turingstats.stats import crossed
from turingstats.stats.clustered import SMALLEST, UnitSums, divide, estimate_spread
from turingstats.stats.comparisons import Comparisons, count_units
from turingstats.stats.crossed import MIN_UNITS, sum_by_code

SCORES = np.array([[1.0, 0], [0, 0], [0.5, 1]])
"""Score of the first option, and whether it is a tie, of a win, a loss and a tie."""
MAX_STEP, MAX_STEPS, TOLERANCE = 3.0, 300, 1e-10
MAX_CORRECTED = 1_500_000
"""Judges, and stimuli, times parameters up to which each parameter has a correction of its own."""
DIVERGED = 15.0
"""Log odds beyond which a likelihood has no maximum."""


class Differences(NamedTuple):
    """Differences of strength between all pairs of agents, shape (agents, agents)."""

    value: np.ndarray  # strength of the row's agent minus that of the column's
    se: np.ndarray  # nan if neither judges nor stimuli are a sample
    df: np.ndarray

    @property
    def p(self) -> np.ndarray:
        """Two-sided p of Student's t; nan where there is no error."""
        return crossed.compute_two_sided_p(self.value, self.se, self.df)


class BradleyTerry(NamedTuple):
    """Fitted parameters on the logit scale, and how much they vary over judges and over stimuli.

    Parameters are the strengths of n agents, the advantage of the first place, and Davidson's log odds of a
    tie; the last two are 0 where they are not estimated. Shapes: (n + 2,) and (n + 2, n + 2).
    """

    parameters: np.ndarray
    independent: np.ndarray  # inverse information: the variance if comparisons were independent
    # Sums of squares over judges, stimuli, and pairs of both, shape (3, n + 2, n + 2); nan where stimuli are
    # not known.
    by_unit: np.ndarray
    # By what the variances of the parameters over judges, and over stimuli, are multiplied since units have
    # unequal shares, and that over pairs for what counts once, shape (3, n + 2); degrees of freedom of the
    # first two, shape (2, n + 2).
    correction: np.ndarray
    freedom: np.ndarray
    # Judges, and stimuli, of each agent and of all comparisons (last), shape (2, n + 1).
    units: np.ndarray
    # Whether the advantage and the ties are estimated.
    estimated: tuple[bool, bool]

    @property
    def strength(self) -> np.ndarray:
        """Strengths, shape (n,)."""
        return self.parameters[:-2]

    @property
    def advantage(self) -> float:
        """Log odds of the first of two equal options; nan if not estimated."""
        return float(self.parameters[-2]) if self.estimated[0] else np.nan

    @property
    def tie(self) -> float:
        """Log of the probability of a tie over that of a win, between equal agents; nan if not estimated."""
        return float(self.parameters[-1]) if self.estimated[1] else np.nan

    def estimate_error(self, parameter: int) -> tuple[float, float]:
        """Estimate the standard error, and its degrees of freedom, of a parameter.

        It depends on judges and stimuli of its agent, or on all (`estimate_crossed_error`).
        """
        squares = np.array([v[parameter, parameter] for v in self.by_unit])
        units = self.units[:, min(parameter % len(self.parameters), len(self.strength))]
        se, df = combine_errors(
            squares, self.correction[:, parameter], self.freedom[:, parameter], units
        )
        return float(se), float(df)

    def estimate_differences(self) -> Differences:
        """Estimate the differences between all pairs of agents; each needs judges, and stimuli, of both."""
        n = len(self.strength)
        own = np.array([np.diag(v)[:n] for v in self.by_unit])
        both = own[:, :, None] + own[:, None]
        squares = both - 2 * np.array([v[:n, :n] for v in self.by_unit])
        # Means of both agents, who share the units, by how much each varies.
        parts = own * self.correction[:, :n], divide(own[:2], self.freedom[:, :n])
        correction, inverse = (
            divide(part[:, :, None] + part[:, None], both[: len(part)]) for part in parts
        )
        fewer = np.minimum(self.units[:, :n, None], self.units[:, None, :n])
        value = np.subtract.outer(self.strength, self.strength)
        return Differences(value, *combine_errors(squares, correction, divide(1, inverse), fewer))

    def describe_units(self) -> str:
        """Name what errors hold for: "judges and stimuli", "judges", "stimuli", or ""."""
        names = [
            ("judges", "stimuli")[k] for k, n in enumerate(self.units[:, -1]) if n >= MIN_UNITS
        ]
        return " and ".join(names)

    @property
    def shared_spread(self) -> np.ndarray:
        """Covariance of the strengths over judges plus that over stimuli, from which ranks are simulated."""
        n = len(self.strength)
        parts = [
            v[:n, :n]
            for v, number in zip(self.by_unit[:2], self.units[:, -1], strict=True)
            if number >= MIN_UNITS
        ]
        return np.sum(parts, axis=0) if parts else np.zeros((n, n))


class Choices(NamedTuple):
    """What a model expects of the choices between ordered pairs of agents, shape (agents, agents, ...)."""

    # Of score and tie: mean, deviation of a win, a loss and a tie from it (first axis), and covariance.
    mean: np.ndarray
    deviation: np.ndarray
    probability: np.ndarray  # of a win, a loss and a tie (first axis)
    covariance: np.ndarray


def expect_choices(parameters: np.ndarray, ties: bool) -> Choices:
    """Expect the choices between all pairs of agents, given the parameters (`BradleyTerry`)."""
    strength, (advantage, tie) = parameters[:-2], parameters[-2:]
    half = (np.subtract.outer(strength, strength) + advantage) / 2
    odds = np.stack([half, -half, np.full(half.shape, tie if ties else -np.inf)])
    probability = softmax(odds, axis=0)
    mean = np.einsum("kij,km->ijm", probability, SCORES)
    deviation = SCORES[:, None, None] - mean
    covariance = np.einsum("kij,kijm,kijl->ijml", probability, deviation, deviation)
    return Choices(mean, deviation, probability, covariance)


def add_up(score: np.ndarray, tie: np.ndarray) -> np.ndarray:
    """Add up what pairs say about score and tie to what they say about the parameters."""
    return np.array([*(score.sum(axis=1) - score.sum(axis=0)), score.sum(), tie.sum()])


def compute_information(covariance: np.ndarray, trials: np.ndarray) -> np.ndarray:
    """Compute the information of the parameters."""
    n = len(trials)
    score, both, tie = (trials * covariance[..., m, k] for m, k in ((0, 0), (0, 1), (1, 1)))
    information = np.zeros((n + 2, n + 2))
    information[:n, :n] = np.diag(score.sum(axis=0) + score.sum(axis=1)) - score - score.T
    information[n] = information[:, n] = add_up(score, both)
    information[n + 1] = information[:, n + 1] = add_up(both, tie)
    return information


def invert_information(
    information: np.ndarray, free: np.ndarray, null: np.ndarray | None
) -> np.ndarray:
    """Invert the information of the free parameters, where strengths sum to 0, and `null` is 0."""
    n = len(free) - 2
    inverse = np.zeros_like(information)
    sums = np.where(np.arange(n + 2) < n, 1 / n, 0)
    regular = information + np.outer(sums, sums) * information[:n, :n].max()
    inverse[np.ix_(free, free)] = np.linalg.inv(regular[np.ix_(free, free)])
    center = np.eye(n + 2)
    center[:n, :n] -= 1 / n
    inverse = center @ inverse @ center
    if null is not None:
        moved = inverse @ null
        inverse -= np.outer(moved, moved) / (null @ moved)
    return inverse


def reduce_bias(choices: Choices, trials: np.ndarray, inverse: np.ndarray) -> np.ndarray:
    """Compute the derivative of half the log determinant of the information (Firth 1993)."""
    n = len(trials)
    own, place, tie = np.diag(inverse)[:n], inverse[:n, n], inverse[:n, n + 1]
    spread = np.empty((n, n, 2, 2))
    spread[..., 0, 0] = np.add.outer(own, own) - 2 * inverse[:n, :n] + inverse[n, n]
    spread[..., 0, 0] += 2 * np.subtract.outer(place, place)
    spread[..., 0, 1] = spread[..., 1, 0] = np.subtract.outer(tie, tie) + inverse[n, n + 1]
    spread[..., 1, 1] = inverse[n + 1, n + 1]
    weights = np.einsum("kijm,ijml,kijl->kij", choices.deviation, spread, choices.deviation)
    third = np.einsum("kij,kij,kijm->mij", choices.probability, weights, choices.deviation)
    return add_up(*(trials * third / 2))


class Maximum(NamedTuple):
    """Parameters at the maximum of a likelihood, the inverse information there, and the choices expected."""

    parameters: np.ndarray
    inverse: np.ndarray
    choices: Choices


def maximize(
    comparisons: Comparisons,
    number: int,
    places: bool,
    ties: bool,
    null: np.ndarray | None = None,
    penalized: bool = True,
) -> Maximum | None:
    """Maximize the likelihood, as `fit_bradley_terry` describes it, where the contrast `null` is 0.

    Without the penalty, None if the likelihood has no maximum.
    """
    trials = comparisons.sum_pairs(number)
    won = add_up(
        comparisons.sum_pairs(number, comparisons.outcome),
        comparisons.sum_pairs(number, 1.0 * (comparisons.outcome == 0.5)),
    )
    free = np.array([True] * number + [places, ties])
    parameters = np.zeros(number + 2)
    for _ in range(MAX_STEPS):
        choices = expect_choices(parameters, ties)
        information = compute_information(choices.covariance, trials)
        inverse = invert_information(information, free, null)
        gradient = won - add_up(*np.moveaxis(trials[..., None] * choices.mean, -1, 0))
        if penalized:
            gradient += reduce_bias(choices, trials, inverse)
        step = inverse @ gradient
        size = np.abs(step).max()
        if size < TOLERANCE:
            return Maximum(parameters, inverse, choices)
        parameters = parameters + step * min(1, MAX_STEP / size)
        if not penalized and np.ptp(parameters[:-2]) + abs(parameters[-2]) > DIVERGED:
            return None
    return Maximum(parameters, inverse, choices) if penalized else None


def fit_bradley_terry(
    comparisons: Comparisons,
    number: int,
    places: bool = True,
    ties: bool = False,
    base: np.ndarray | None = None,
    penalized: bool = True,
) -> BradleyTerry | None:
    """Fit the Bradley-Terry model, or Davidson's model of ties, with reduced bias.

    Parameters
    ----------
    comparisons : Comparisons
        All agents have met, if only through others (`order_agents`).
    number : int
        Number of agents, at least 2.
    places : bool
        Whether to estimate an advantage of the option shown first.
    ties : bool
        Whether ties have a parameter (Davidson 1970; with an advantage, Davidson & Beaver 1977); else a tie
        is half a win of either.
    base : array of bool, shape (agents,), optional
        Agents whose mean strength is 0; by default all.
    penalized : bool
        Whether half the log determinant of the information is added to the log likelihood.

    Returns
    -------
    BradleyTerry or None
        None if a likelihood without the penalty has no maximum.

    Notes
    -----
    With d the difference of strengths plus the advantage, a win, a loss and a tie have probabilities
    proportional to exp(d / 2), exp(-d / 2) and, in Davidson's model, exp(tie). The penalty (Jeffreys' prior;
    Firth 1993, Biometrika 80, 27-38) removes the bias of order 1 / n and keeps the strengths of agents who
    won, or lost, everything finite: R's BradleyTerry2 has it as `br = TRUE`, brglm2 as `AS_mean`.
    Sums of scores over the rows of a judge, of a stimulus, and of both give variances clustered in two ways
    (`turingstats.stats.crossed`), which hold whatever relates the choices of a judge, or those about a
    stimulus: no random effects are assumed.
    """
    maximum = maximize(comparisons, number, places, ties, penalized=penalized)
    return maximum and measure_errors(comparisons, maximum, (places, ties), base)


def measure_errors(
    comparisons: Comparisons,
    maximum: Maximum,
    estimated: tuple[bool, bool],
    base: np.ndarray | None,
) -> BradleyTerry:
    """Measure how much the parameters vary over judges and stimuli; see `fit_bradley_terry`.

    A row moves them by information^-1 (observed - expected score).
    """
    number = len(maximum.parameters) - 2
    center = np.eye(number + 2)
    center[:number, :number] -= 1 / number if base is None else base / base.sum()
    inverse = center @ maximum.inverse
    judge, stimulus = comparisons.judge, comparisons.stimulus
    columns, values = list_scores(comparisons, maximum.choices, *estimated)
    scores = [
        None if unit is None else sum_scores(pd.factorize(unit)[0], columns, values, number + 2)
        for unit in (judge, stimulus, comparisons.number_verdicts())
    ]
    by_unit = np.full((3, number + 2, number + 2), np.nan)
    for place, sums in enumerate(scores):
        if sums is not None:
            by_unit[place] = inverse @ (sums.T @ sums).toarray() @ inverse.T
    verdicts = np.diag(by_unit[2])
    corrected = correct_errors(comparisons, maximum.choices, inverse, scores[:2], verdicts)
    units = np.array([count_units(comparisons, unit, number) for unit in (judge, stimulus)])
    parameters, independent = center @ maximum.parameters, inverse @ center.T
    return BradleyTerry(parameters, independent, by_unit, *corrected, units, estimated)


def sum_scores(codes: np.ndarray, columns: np.ndarray, values: np.ndarray, size: int) -> csr_array:
    """Sum the scores of the rows (`list_scores`) of each unit; shape (units, parameters)."""
    at = np.broadcast_to(codes, columns.shape)
    shape = codes.max() + 1, size
    return coo_array((values.ravel(), (at.ravel(), columns.ravel())), shape=shape).tocsr()


def weigh_pairs(choices: Choices, inverse: np.ndarray) -> np.ndarray:
    """Compute how much one comparison of each pair informs of each parameter; shape (pairs, parameters)."""
    n = len(choices.mean)
    score = inverse[:, :n, None] - inverse[:, None, :n] + inverse[:, n, None, None]
    moved = np.stack(np.broadcast_arrays(score, inverse[:, n + 1, None, None]), axis=-1)
    return np.einsum("pijm,ijml,pijl->ijp", moved, choices.covariance, moved).reshape(n * n, -1)


def correct_errors(
    comparisons: Comparisons,
    choices: Choices,
    inverse: np.ndarray,
    scores: list[csr_array | None],
    verdicts: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Compute corrections and degrees of freedom of variances over judges and stimuli (`estimate_spread`).

    Parameters
    ----------
    inverse : array, shape (parameters, parameters)
        Turns scores into how much they move the parameters.
    scores : two arrays, shape (units, parameters)
        Of judges and of stimuli, as from `sum_scores`; None where stimuli are not known.
    verdicts : array, shape (parameters,)
        Variances over pairs of judge and stimulus.

    Returns
    -------
    correction, freedom : arrays, shapes (3, parameters) and (2, parameters)
        As in `BradleyTerry`.
    """
    known = [sums for sums in scores if sums is not None]
    correction, freedom = np.full((3, len(verdicts)), np.nan), np.full((2, len(verdicts)), np.nan)
    estimated = np.flatnonzero(verdicts > SMALLEST**2)
    if not len(estimated):
        return correction, freedom
    # Of many units, some parameters tell what is alike for all.
    step = 1 + len(estimated) * sum(sums.shape[0] for sums in known) // MAX_CORRECTED
    chosen = estimated[::step]
    # A unit has as many trials as is its share of what is known of a parameter.
    weights = weigh_pairs(choices, inverse[chosen])
    trials = weights[comparisons.first * len(choices.mean) + comparisons.second]
    trials *= len(trials) / trials.sum(axis=0)
    units = [
        UnitSums(
            (sums @ inverse[chosen].T).T[..., None],
            sum_by_code(trials, pd.factorize(unit)[0]).T[..., None],
        )
        for unit, sums in zip((comparisons.judge, comparisons.stimulus), known, strict=False)
    ]
    for table, found in zip(
        (correction, freedom), correct_sums(units, verdicts[chosen]), strict=True
    ):
        table[:, estimated] = found.mean(axis=1, keepdims=True)
        table[:, chosen] = found
    return correction, freedom


def list_scores(
    comparisons: Comparisons, choices: Choices, places: bool, ties: bool
) -> tuple[np.ndarray, np.ndarray]:
    """List by how much each row is above what is expected of it, by parameter; shape (4, rows) each."""
    first, second, outcome = comparisons[:3]
    expected = choices.mean[first, second]
    score, tie = outcome - expected[:, 0], (outcome == 0.5) - expected[:, 1]
    place = np.full(len(first), choices.mean.shape[0])
    columns = np.stack([first, second, place, place + 1])
    return columns, np.stack([score, -score, score * places, tie * ties])


def combine_errors(
    squares: np.ndarray, correction: np.ndarray, freedom: np.ndarray, units: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Combine sums of squares over judges, stimuli and both into standard errors and degrees of freedom.

    `squares` and `correction` have shape (3, ...), `freedom` and `units`, the numbers of judges and stimuli,
    shape (2, ...).
    """
    corrected = squares * correction
    spread, df = np.where(units >= MIN_UNITS, [corrected[:2], freedom], np.nan)
    with np.errstate(invalid="ignore"):
        both = crossed.combine_units(spread, df, squares[2], corrected[2])
        variance = np.where(np.isfinite(both.variance), both.variance, np.fmax(*spread))
        df = np.where(np.isfinite(both.variance), both.df, np.fmax(*df))
        return np.sqrt(np.where(variance > SMALLEST**2, variance, np.nan)), np.maximum(df, 1.0)


def correct_sums(units: list[UnitSums], verdicts: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Compute corrections and degrees of freedom of several variances, as in `BradleyTerry`.

    `units` are sums by judge, and by stimulus, where known, of shape (variances, units, 1).
    """
    correction, freedom = np.full((3, len(verdicts)), np.nan), np.full((2, len(verdicts)), np.nan)
    spread = estimate_spread(units, verdicts.reshape(-1, 1, 1), np.ones((1, 1)))
    correction[2] = divide(spread.common, spread.by_verdict)[:, 0, 0]
    for k, (part, own) in enumerate(zip(units, spread.by_unit, strict=True)):
        plain = (part.influence**2).sum(axis=(1, 2))
        correction[k] = divide(own[:, 0, 0], spread.root[:, 0, 0] ** 2 * plain)
        freedom[k] = spread.dfs[k]
    return correction, freedom
