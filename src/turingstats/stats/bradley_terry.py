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
from scipy.sparse.csgraph import connected_components, shortest_path
from scipy.special import ndtri, softmax, stdtr

from turingstats.stats.clustered import UnitSums, divide, estimate_spread
from turingstats.stats.crossed import MIN_UNITS, SMALLEST, combine_units, sum_by_code
from turingstats.stats.mixed.fit import Fit, fit_model

SCORES = np.array([[1.0, 0], [0, 0], [0.5, 1]])
"""Score of the first option, and whether it is a tie, of a win, a loss and a tie."""
MAX_STEP, MAX_STEPS, TOLERANCE = 3.0, 300, 1e-10
MAX_CORRECTED = 1_500_000
"""Judges, and stimuli, times parameters up to which each parameter has a correction of its own."""
DIVERGED = 15.0
"""Log odds beyond which a likelihood has no maximum."""


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

    def sum_pairs(self, number: int, weights: np.ndarray | None = None) -> np.ndarray:
        """Count rows, or sum weights, by first and second agent; shape (agents, agents)."""
        pairs = self.first * number + self.second
        return np.bincount(pairs, weights, number**2).reshape(number, number)


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
    # How far one step of the unpenalized likelihood moves the parameters.
    step: np.ndarray
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
        crossed = combine_units(spread, df, squares[2], corrected[2])
        is_crossed = np.isfinite(crossed.variance)
        variance = np.where(is_crossed, crossed.variance, np.fmax(*spread))
        df = np.where(is_crossed, crossed.df, np.fmax(*df))
        return np.sqrt(np.where(variance > SMALLEST**2, variance, np.nan)), np.maximum(df, 1.0)


# --- which agents can be compared ---------------------------------------------------------------


class Order(NamedTuple):
    """Who can be compared with whom, and who won against whom, directly or through others."""

    # Numbers of each agent, the largest is 0, shape (agents,). Agents of different islands never met, not
    # even through others; within a group each won and lost against another, directly or through others.
    island: np.ndarray
    group: np.ndarray
    # Whether the agent of the row won against that of the column, shape (agents, agents).
    won: np.ndarray

    def find_base(self) -> np.ndarray:
        """Find the agents whose mean strength is 0: those of the largest group, or all if none has two."""
        base = self.group == 0
        return base if base.sum() > 1 else np.ones(len(base), bool)

    def find_open_ends(self) -> tuple[np.ndarray, np.ndarray]:
        """Find agents whose strengths have no lower, and those whose have no upper limit.

        Their likelihood has no maximum: they won, or lost, all comparisons with the agents of the base.
        """
        apart = self.group[:, None] != self.group
        others = apart & self.find_base()
        up, down = (self.won & others).any(axis=1), (self.won.T & others).any(axis=1)
        unrelated = others.any(axis=1) & ~up & ~down
        return down | unrelated, up | unrelated


def order_agents(comparisons: Comparisons, number: int) -> Order:
    """Find which agents can be compared; strengths have finite estimates within a group (Ford 1957, American
    Mathematical Monthly 64(8), 28-33).
    """
    won = comparisons.sum_pairs(number, comparisons.outcome > 0)
    graph = csr_array(won + comparisons.sum_pairs(number, comparisons.outcome < 1).T)
    parts = []
    for connection in ("weak", "strong"):
        groups = connected_components(graph, connection=connection)[1]
        sizes = np.bincount(groups)
        if parts:
            # The largest group is one of the largest island.
            sizes = sizes * (np.bincount(groups, parts[0] == 0) > 0)
        seen = np.unique(groups, return_index=True)[1]
        parts.append(np.argsort(np.lexsort([seen, -sizes]))[groups])
    island, group = parts
    return Order(island, group, np.isfinite(shortest_path(graph, unweighted=True)))


def shows_both_orders(comparisons: Comparisons) -> bool:
    """Tell whether most comparisons are of pairs that were shown in both orders; else order says nothing."""
    first, second = comparisons[:2]
    number = 1 + max(first.max(), second.max())
    counts = comparisons.sum_pairs(number)
    return bool(counts[(counts > 0) & (counts.T > 0)].sum() > 0.5 * len(first))


# --- fits ---------------------------------------------------------------------------------------


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
        Whether to add half the log determinant of the information to the log likelihood.

    Returns
    -------
    BradleyTerry or None
        None if a likelihood without penalty has no maximum.

    Notes
    -----
    With d the difference of strengths plus the advantage, a win, a loss and a tie have probabilities
    proportional to exp(d / 2), exp(-d / 2) and exp(tie), and the Bradley-Terry model is the case without the
    last. The penalty (Jeffreys' prior; Firth 1993, Biometrika 80, 27-38) removes the bias of order 1 / n and
    keeps the strengths of agents who won, or lost, everything finite: R's BradleyTerry2 has it as
    `br = TRUE`, brglm2 as `AS_mean`.
    A row moves the parameters by information^-1 (observed - expected score); sums over the rows of a judge,
    of a stimulus, and of both give variances clustered in two ways, as for all numbers here
    (`turingstats.stats.crossed`). They hold whatever relates the choices of a judge, or those about a
    stimulus: no random effects are assumed.
    """
    maximum = maximize(comparisons, number, places, ties, penalized=penalized)
    if maximum is None:
        return None
    center = np.eye(number + 2)
    center[:number, :number] -= 1 / number if base is None else base / base.sum()
    inverse = center @ maximum.inverse
    judge, stimulus = comparisons.judge, comparisons.stimulus
    columns, values = list_scores(comparisons, maximum.choices, places, ties)
    step = inverse @ np.bincount(columns.ravel(), values.ravel(), number + 2)
    # Without stimuli, each comparison is a verdict.
    verdict = np.arange(len(judge)) if stimulus is None else judge * (stimulus.max() + 1) + stimulus
    scores = [
        None if unit is None else sum_scores(pd.factorize(unit)[0], columns, values, number + 2)
        for unit in (judge, stimulus, verdict)
    ]
    nothing = np.full((number + 2, number + 2), np.nan)
    by_unit = np.stack(
        [
            nothing if sums is None else inverse @ (sums.T @ sums).toarray() @ inverse.T
            for sums in scores
        ]
    )
    verdicts = np.diag(by_unit[2])
    corrected = correct_errors(comparisons, maximum.choices, inverse, scores[:2], verdicts)
    units = np.array([count_units(comparisons, unit, number) for unit in (judge, stimulus)])
    parameters, independent = center @ maximum.parameters, inverse @ center.T
    return BradleyTerry(parameters, independent, by_unit, *corrected, units, step, (places, ties))


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


class WinRates(NamedTuple):
    """How often the first agent of each pair won, ties as half; shape (pairs,)."""

    rate: np.ndarray
    se: np.ndarray
    df: np.ndarray
    # Comparisons, and those that the first agent won, and ties.
    n: np.ndarray
    wins: np.ndarray
    ties: np.ndarray


def estimate_win_rates(comparisons: Comparisons, number: int) -> WinRates:
    """Estimate how often the first agent of each pair won, with errors over judges and stimuli."""
    first, second, outcome = comparisons[:3]
    a, b = np.triu_indices(number, 1)
    place = np.zeros((number, number), int)
    place[a, b] = np.arange(len(a))
    of = place[np.minimum(first, second), np.maximum(first, second)]
    gained = np.where(first < second, outcome, 1 - outcome)
    n, won, wins, ties = (
        np.bincount(of, part, len(a))
        for part in (np.ones(len(of)), gained, gained == 1, gained == 0.5)
    )
    rate = np.where(n > 0, divide(won, n), np.nan)
    influence = (gained - rate[of]) / n[of]
    units, squares, counts = [], np.full((3, len(a)), np.nan), np.zeros((2, len(a)), int)
    verdict = np.arange(len(of))
    for k, unit in enumerate((comparisons.judge, comparisons.stimulus)):
        if unit is not None:
            units.append(sum_within(of, unit, influence, len(a)))
            squares[k] = (units[-1].influence ** 2).sum(axis=(1, 2))
            counts[k] = (units[-1].trials > 0).sum(axis=(1, 2))
    if comparisons.stimulus is not None:
        verdict = comparisons.judge * (comparisons.stimulus.max() + 1) + comparisons.stimulus
    squares[2] = (sum_within(of, verdict, influence, len(a)).influence ** 2).sum(axis=(1, 2))
    se, df = combine_errors(squares, *correct_sums(units, squares[2]), counts)
    return WinRates(rate, se, df, *(part.astype(int) for part in (n, wins, ties)))


def sum_within(of: np.ndarray, unit: np.ndarray, values: np.ndarray, number: int) -> UnitSums:
    """Sum values by unit within each of some groups of rows; shape (groups, most units of a group, 1)."""
    keys, codes = np.unique(of * (unit.max() + 1) + unit, return_inverse=True)
    group = keys // (unit.max() + 1)
    at = np.arange(len(keys)) - np.searchsorted(group, group)
    sums = np.zeros((2, number, at.max() + 1, 1))
    sums[:, group, at, 0] = np.bincount(codes, values), np.bincount(codes)
    return UnitSums(*sums)


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


def count_units(comparisons: Comparisons, unit: np.ndarray | None, number: int) -> np.ndarray:
    """Count the judges, or stimuli, of each agent and of all comparisons (last); shape (agents + 1,)."""
    if unit is None:
        return np.zeros(number + 1, int)
    codes, names = pd.factorize(unit)
    seen = np.zeros((len(names), number), bool)
    seen[codes, comparisons.first] = seen[codes, comparisons.second] = True
    return np.append(seen.sum(axis=0), len(names))


def assess_contrast(
    comparisons: Comparisons, number: int, places: bool, contrast: np.ndarray
) -> float:
    """Test that a contrast of strengths is 0 that has no finite estimate; return z.

    Notes
    -----
    Choices about agents who won everything do not vary, so that Wald's test says nothing. The score test
    asks how far a step from the best fit with the contrast 0 goes, relative to its error there: the larger
    of those over judges and over stimuli, which both hold the step itself. If all of J judges agree, z is
    at most the square root of J; and p is at least that of a sign test of judges, or of stimuli, 2^(1 - J).
    """
    maximum = maximize(comparisons, number, places, ties=False, null=contrast)
    assert maximum is not None  # With the penalty there always is one.
    information = compute_information(maximum.choices.covariance, comparisons.sum_pairs(number))
    free = np.array([True] * number + [places, False])
    moved = invert_information(information, free, None) @ contrast
    columns, values = list_scores(comparisons, maximum.choices, places, ties=False)
    influence = (moved[columns] * values).sum(axis=0)
    concerned = np.abs(contrast[:number]) > 0
    rows = concerned[comparisons.first] | concerned[comparisons.second]
    largest, fewest = 0.0, np.inf
    for unit in (comparisons.judge, comparisons.stimulus):
        units = 0 if unit is None else len(np.unique(unit[rows]))
        if units >= MIN_UNITS:
            sums = np.bincount(pd.factorize(unit)[0], influence)
            largest, fewest = max(largest, (sums**2).sum()), min(fewest, units)
    if not largest > SMALLEST**2:
        return np.nan
    z = influence.sum() / np.sqrt(largest)
    return float(np.copysign(min(abs(z), -ndtri(0.5**fewest)), z))


def compare_agents(fit: BradleyTerry, comparisons: Comparisons, order: Order) -> Differences:
    """Estimate the differences between all pairs; where they have no finite estimate, by score tests.

    There `se` is the value over z, so that p is that of the score test, and `df` infinite.
    """
    found = fit.estimate_differences()
    n = len(order.group)
    for a, b in zip(*np.nonzero(np.triu(order.group[:, None] != order.group)), strict=True):
        contrast = np.eye(n + 2)[a] - np.eye(n + 2)[b]
        z = assess_contrast(comparisons, n, fit.estimated[0], contrast)
        found.se[[a, b], [b, a]] = imply_error(found.value[a, b], z)
        found.df[[a, b], [b, a]] = np.inf
    return found


def imply_error(value: float, z: float) -> float:
    """Compute the error by which a value has this z; infinite if the test points the other way."""
    return value / z if value * z > 0 else np.nan if np.isnan(z) else np.inf


def estimate_strength_errors(
    fit: BradleyTerry, comparisons: Comparisons, order: Order
) -> tuple[np.ndarray, np.ndarray]:
    """Estimate standard errors and degrees of freedom of all strengths, shape (agents,).

    Where a strength has a limit on one side only, that of the score test; nan where it has none.
    """
    n, base = len(order.group), order.find_base()
    se, df = np.full((2, n), np.nan)
    for at, (low, high) in enumerate(zip(*order.find_open_ends(), strict=True)):
        contrast = np.eye(n + 2)[at]
        if low != high:
            contrast[:n] -= base / base.sum()
            z = assess_contrast(comparisons, n, fit.estimated[0], contrast)
            se[at], df[at] = imply_error(fit.strength[at], z), np.inf
        elif not low:
            se[at], df[at] = fit.estimate_error(at)
    return se, df


def is_determined(comparisons: Comparisons, order: Order) -> bool:
    """Tell whether the agents, or the place of an option, alone determine choices.

    Then an advantage of the first place has no finite estimate.
    """
    inside = order.group == 0
    rows = inside[comparisons.first] & inside[comparisons.second]
    if not rows.any():
        return True
    number = np.cumsum(inside) - 1
    part = comparisons.select(rows)
    part = part._replace(first=number[part.first], second=number[part.second])
    return maximize(part, int(inside.sum()), True, False, penalized=False) is None


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
