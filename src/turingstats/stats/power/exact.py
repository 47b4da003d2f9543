"""Exact power of tests of independent verdicts: one verdict, or one pair of verdicts, from each judge."""

from collections.abc import Callable

import numpy as np
from scipy.special import expit
from scipy.stats import binom

from turingstats.stats.power.draws import Spreads, W, X, find_constant

MAX_NUMBER = 100_000
"""Judges beyond which no design is sought."""


def find_critical(n: int | np.ndarray, alpha: float) -> np.ndarray:
    """Find the most successes at which the exact two-sided test against 1/2 still rejects; -1 if none."""
    low = binom.ppf(alpha / 2, n, 0.5)
    # The quantile itself may be too probable, or just as probable as allowed.
    return np.where(2 * binom.cdf(low, n, 0.5) < alpha, low, low - 1)


def compute_binomial_power(n: int | np.ndarray, rate: float, alpha: float = 0.05) -> np.ndarray:
    """Compute the power of the exact two-sided binomial test of `n` verdicts of a true rate against 1/2."""
    critical = find_critical(n, alpha)
    return binom.cdf(critical, n, rate) + binom.sf(np.asarray(n) - critical - 1, n, rate)


def compute_mcnemar_power(
    pairs: int, only_first: float, only_second: float, alpha: float = 0.05
) -> float:
    """Compute the power of McNemar's exact two-sided test of paired verdicts.

    `only_first` and `only_second` are the probabilities that only one of a pair is judged human. Averaged
    over the number of pairs that differ, given which the test is a binomial one.
    """
    differ = only_first + only_second
    if not differ > 0:
        return 0.0
    # What is ten standard deviations from the mean has no weight.
    mean, reach = pairs * differ, 10 * np.sqrt(pairs * differ * (1 - differ)) + 10
    number = np.arange(max(int(mean - reach), 0), min(int(mean + reach), pairs) + 1)
    power = compute_binomial_power(number, only_first / differ, alpha)
    return float(binom.pmf(number, pairs, differ) @ power)


def find_discordance(
    first: float, second: float, spreads: Spreads, same_side: bool
) -> tuple[float, float]:
    """Find how often a judge judges only the first, or only the second, of two responses human.

    The responses are to different stimuli; on the `same_side` both are machines', so that what judges make of
    machines' responses is shared.
    """
    shared = np.hypot(spreads.judge, spreads.judge_made_by if same_side else 0.0)
    apart = np.sqrt(max(spreads.total**2 - shared**2, 0.0))
    share = W / W.sum()
    given = [
        expit(find_constant(rate, spreads.total) + shared * X[:, None] + apart * X) @ share
        for rate in (first, second)
    ]
    return float(share @ (given[0] * (1 - given[1]))), float(share @ ((1 - given[0]) * given[1]))


def find_smallest_number(power_of: Callable[[int], float], power: float) -> float:
    """Find the smallest number from which on the power stays above the one asked for.

    Power of exact tests goes up and down with the number; the ten numbers that follow must have it, too.
    Infinite beyond `MAX_NUMBER`.
    """
    high = 5
    while power_of(high) < power:
        high *= 2
        if high > MAX_NUMBER:
            return float("inf")
    low = max(high // 2, 5)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if power_of(middle) >= power else (middle, high)
    number = max(low - 30, 5)
    while any(power_of(number + more) < power for more in range(11)):
        number += 1
    return float(number)
