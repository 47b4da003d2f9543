"""The alternative annotator test: does a machine agree with people at least as well as one of them does?

Calderon, Reichart & Dror (2025), "The Alternative Annotator Test for LLM-as-a-Judge", ACL 2025. Each person
is left out in turn; the machine and the person left out are compared with the people who remain.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr
from scipy.stats import false_discovery_control

from turingstats.stats import crossed, resampling
from turingstats.stats.agreement import Estimate
from turingstats.stats.hypothesis.outcome import NAN

FEWEST_PEOPLE = 3
"""Fewest people for whom the test is meant."""
FEWEST_RESPONSES = 30
"""Fewest responses of a person that the t test is meant for."""
MOST_PEOPLE = 500
"""Most people for whom omega has an interval: a bootstrap of two thousand takes half a minute."""
RATE = 0.05
"""False discovery rate of the tests of all people."""


class Trials(NamedTuple):
    """The verdicts that are compared: those on responses that several people judged; arrays by verdict."""

    person: np.ndarray  # numbered from 0, without gaps
    stimulus: np.ndarray
    machine_as_good: np.ndarray  # the machine agrees with the others at least as well as the person
    person_as_good: np.ndarray

    def count_people(self) -> int:
        """Count the people."""
        return int(self.person.max(initial=-1)) + 1


def leave_each_out(
    judges: ArrayLike,
    responses: ArrayLike,
    stimuli: ArrayLike,
    verdicts: ArrayLike,
    predicted: ArrayLike,
) -> Trials:
    """Compare each person and the machine with the other people who judged the same response.

    Parameters
    ----------
    judges, responses, stimuli : array, shape (verdicts,)
        Who judged what; one verdict per judge and response.
    verdicts, predicted : array of bool, shape (verdicts,)
        The person's verdict, and the machine's on the same response.

    Returns
    -------
    Trials
        Verdicts on responses without another judge are left out.
    """
    verdicts, predicted = np.asarray(verdicts, bool), np.asarray(predicted, bool)
    codes = crossed.number_units(responses)
    number = np.bincount(codes)[codes]
    positive = np.bincount(codes, verdicts)[codes] - verdicts
    # How many of the others agree with the person, and with the machine.
    with_person = np.where(verdicts, positive, number - 1 - positive)
    with_machine = np.where(predicted, positive, number - 1 - positive)
    kept = number > 1
    return Trials(
        crossed.number_units(np.asarray(judges)[kept]),
        crossed.number_units(np.asarray(stimuli)[kept]),
        (with_machine >= with_person)[kept],
        (with_person >= with_machine)[kept],
    )


def keep_people(trials: Trials) -> Trials:
    """Keep the people with enough responses; the others still count among those who remain."""
    enough = np.bincount(trials.person)[trials.person] >= FEWEST_RESPONSES
    kept = Trials(*(part[enough] for part in trials))
    return kept._replace(person=crossed.number_units(kept.person))


def estimate_advantage(trials: Trials, level: float = 0.95) -> Estimate:
    """Estimate rho: how often the machine does at least as well as a person left out, mean over people.

    Each person counts the same, whatever their number of verdicts. The interval, over people and stimuli, is
    that of `turingstats.stats.crossed`; nan with fewer than `FEWEST_PEOPLE`.
    """
    people = trials.count_people()
    if people < FEWEST_PEOPLE:
        return Estimate(NAN, NAN, NAN, NAN)
    weights = 1 / (np.bincount(trials.person)[trials.person] * people)
    value = float(weights @ trials.machine_as_good)
    influence = weights * (trials.machine_as_good - value)
    number = weights * len(weights)
    error = crossed.estimate_crossed_error(
        influence[:, None], trials.person, trials.stimulus, number[:, None]
    )
    low, high = crossed.compute_crossed_interval(value, error, level)
    return Estimate(value, float(error.se), float(low), float(high))


def estimate_winning_rate(
    trials: Trials,
    epsilon: float,
    rng: np.random.Generator,
    n_bootstrap: int,
    level: float = 0.95,
) -> Estimate:
    """Estimate omega, the share of people for whom the machine's disadvantage is below epsilon.

    Parameters
    ----------
    trials : Trials
        Of people with `FEWEST_RESPONSES` or more (`keep_people`).
    epsilon : float
        By how much a person may be as good more often than the machine: 0.1, 0.15 and 0.2 are proposed for
        crowd workers, skilled people and experts.

    Returns
    -------
    Estimate
        The machine passes if it is 0.5 or more; nan with fewer than `FEWEST_PEOPLE`, and without an interval
        with more than `MOST_PEOPLE`.

    Notes
    -----
    For each person, a one-sided t test: the share of responses on which the person is as good as the machine
    or better, less that on which the machine is as good or better, is below epsilon. p values are corrected
    by Benjamini & Yekutieli (2001) at `RATE`. The interval is from a bootstrap of both people and stimuli. It
    is approximate, since tests of resampled data decide less sharply, and widened to hold the estimate.
    """
    people = trials.count_people()
    if people < FEWEST_PEOPLE:
        return Estimate(NAN, NAN, NAN, NAN)
    loss = trials.person_as_good.astype(int) - trials.machine_as_good
    parts = np.column_stack([np.ones_like(loss), loss, loss**2])
    sums = crossed.sum_by_code(parts, trials.person)
    value = float(reject(assess_loss(sums, epsilon)).mean())
    if people > MOST_PEOPLE:
        return Estimate(value, NAN, NAN, NAN)
    columns = np.zeros((trials.stimulus.max() + 1, people, 3), int)
    np.add.at(columns, (trials.stimulus, trials.person), parts)
    table = columns.reshape(len(columns), -1)
    drawn = resampling.bootstrap_totals(table, n_bootstrap, rng).reshape(n_bootstrap, people, 3)
    who = rng.integers(0, people, (n_bootstrap, people))
    p = np.take_along_axis(assess_loss(drawn, epsilon), who, axis=1)
    se, low, high = resampling.summarize_draws(reject(p).mean(axis=1), level)
    return Estimate(value, float(se), float(np.minimum(low, value)), float(np.maximum(high, value)))


def assess_loss(sums: np.ndarray, epsilon: float) -> np.ndarray:
    """Compute p of t tests that a mean is below epsilon, from n, sum and sum of squares, shape (..., 3)."""
    n, total, squares = np.moveaxis(np.asarray(sums, float), -1, 0)
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = total / n
        variance = np.maximum(squares - n * mean**2, 0) / (n - 1)
        # All values alike: certain, as t is infinite.
        t = np.where(
            variance > 1e-12, (mean - epsilon) / np.sqrt(variance / n), np.inf * (mean - epsilon)
        )
    # Without verdicts, as in some draws, there is nothing to reject.
    return np.where(n > 1, np.nan_to_num(stdtr(n - 1, t), nan=1.0), 1.0)


def reject(p: np.ndarray) -> np.ndarray:
    """Say which p values are rejected by Benjamini & Yekutieli's procedure along the last axis."""
    return false_discovery_control(p, axis=-1, method="by") <= RATE
