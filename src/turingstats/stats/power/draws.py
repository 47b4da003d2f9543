"""Draw the verdicts of many studies of the same design at once.

The model is that of `turingstats.stats.mixed`: on the logit scale, the probability that a response is judged
human is a constant of its side (people's responses, those of the agent in question, those of another agent),
plus what is normally distributed between judges and between stimuli. Ratings have several constants, one for
each point of their scale but the first: that of being rated so human, or more (a cumulative-link model).
"""

from collections.abc import Iterator, Sequence
from functools import cache
from typing import NamedTuple

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.optimize import brentq
from scipy.sparse import csr_array
from scipy.special import expit, logit, roots_hermitenorm

SIDES = ("people", "agent", "other")
"""Whose responses are judged: people's, the agent's in question, those of the agent it is compared with."""
X, W = roots_hermitenorm(60)
Rate = float | tuple[float, ...]
"""Share of a side's responses judged human; of ratings, the shares of those above each point but the last."""

Spread = float | np.ndarray


class Spreads(NamedTuple):
    """Standard deviations on the logit scale, one or by study; 0 for what does not vary."""

    judge: Spread = 0.0  # of judges in saying "human", whoever made the response
    # Of judges, separately for people's and machines' responses: how well they tell them apart.
    judge_made_by: Spread = 0.0
    stimulus: Spread = 0.0  # of stimuli, whoever responded to them
    # Of stimuli, separately for people's and machines' responses to them.
    stimulus_made_by: Spread = 0.0

    @property
    def total(self) -> Spread:
        """Standard deviation of a single verdict's probability."""
        return np.sqrt(sum(spread**2 for spread in self))


class Design(NamedTuple):
    """A planned study."""

    # Judges who begin, and trials of each.
    judges: int
    trials: int
    # All judges see stimuli out of the same set, at random and each at most once; None: every trial
    # has a stimulus of its own.
    stimuli: int | None
    # Trials on people's responses, on those of the agent in question, and on those of the other
    # agent, as shares of all trials; the rest is spent on further agents.
    shares: tuple[float, float, float]
    unsure: float = 0.0  # share of verdicts "unsure", which do not count


class Verdicts(NamedTuple):
    """Verdicts of several studies of one design, in the order of judges."""

    # Whole numbers, shape (verdicts,)
    judge: np.ndarray
    side: np.ndarray
    stimulus: np.ndarray
    # Shape (verdicts, studies); 1 if the response was judged human; a rating lies between 0 and 1
    human: np.ndarray
    given: np.ndarray  # shape (verdicts, studies or 1); 0 for unsure verdicts, which do not count


class Counts(NamedTuple):
    """Counts of one kind of unit, judges or stimuli, by side."""

    # Shape (units, sides, studies); verdicts summed, their number (of a single study if it is the same
    # in all), and their squares summed
    human: np.ndarray
    n: np.ndarray
    squares: np.ndarray


def draw_spreads(
    spreads: Spreads, errors: Spreads, studies: int, rng: np.random.Generator
) -> Spreads:
    """Draw the standard deviations of each study from normal distributions around estimates."""
    if not any(errors):
        return spreads
    return Spreads(
        *np.abs(rng.normal(np.array(spreads), np.array(errors), (studies, len(spreads)))).T
    )


@cache
def find_constant(rate: float, spread: float) -> float:
    """Find the constant of the logit scale at which a share `rate` of the responses is judged human."""
    reach = 30 * (1 + spread)
    return float(brentq(lambda c: W @ expit(c + spread * X) / W.sum() - rate, -reach, reach))


def find_constants(rate: float, spread: Spread) -> float | np.ndarray:
    """Find the constant of each study: interpolated, since it changes smoothly with the spread."""
    if np.ndim(spread) == 0:
        return find_constant(rate, float(spread))
    steps = np.arange(0, np.max(spread) + 0.4, 0.1)
    return CubicSpline(steps, [find_constant(rate, step) for step in steps])(spread)


def assign_sides(design: Design) -> np.ndarray:
    """Assign trials to places in `SIDES`, any run in nearly the shares asked for; 3: further agents."""
    number = design.judges * design.trials
    shares = [*design.shares, 1 - sum(design.shares)]
    shares = [share if share > 1e-9 else 0.0 for share in shares]
    # Trial i of a side comes at (i + 1/2) / share (Webster's method of apportionment).
    times: list[np.ndarray] = [
        (np.arange(np.ceil(number * share) + 1) + 0.5) / share if share else np.empty(0)
        for share in shares
    ]
    sides = np.repeat(np.arange(len(shares)), [len(of_side) for of_side in times])
    order = np.argsort(np.concatenate(times), kind="stable")[:number]
    return sides[order].reshape(design.judges, design.trials)


def draw_verdicts(
    design: Design,
    truths: Sequence[tuple[Rate, ...]],
    spreads: Spreads,
    studies: int,
    rng: np.random.Generator,
) -> Iterator[Verdicts]:
    """Draw the verdicts of several studies, in which the same judges see the same stimuli but for further
    agents: once for each of `truths`, the shares of the sides judged human (nan for another agent without
    trials).
    """
    sides = assign_sides(design)
    used = sides < len(SIDES)
    judge, side = np.nonzero(used)[0], sides[used]
    made_by = (side > 0).astype(int)
    # A verdict is "human" with the logistic probability if its log odds exceed a logistic number.
    leaning = -logit(rng.random((len(side), studies), np.float32))
    leaning += draw_effects(spreads[:2], design.judges, studies, rng)[judge, made_by]
    if design.stimuli is None:
        stimulus = np.arange(len(side))
    else:
        order = rng.permuted(np.tile(np.arange(design.stimuli), (design.judges, 1)), axis=1)
        stimulus = order[:, : design.trials][used]
    leaning += draw_effects(spreads[2:], design.stimuli or len(side), studies, rng)[
        stimulus, made_by
    ]
    given = np.ones((len(side), 1), np.float32)
    if design.unsure:
        given = (rng.random(leaning.shape, np.float32) >= design.unsure).astype(np.float32)
    for rates in truths:
        # Of each side and each point: what a leaning exceeds if the response is rated so human.
        sides = [np.ravel(rate) for rate in rates if rate == rate]
        edges = [[-find_constants(share, spreads.total) for share in points] for points in sides]
        points = len(sides[0])
        edges = np.array(edges, np.float32).reshape(len(sides), points, -1)
        above = sum(leaning > edges[side, point] for point in range(points))
        yield Verdicts(judge, side, stimulus, (above * given / points).astype(np.float32), given)


def draw_effects(
    spreads: tuple[Spread, ...], units: int, studies: int, rng: np.random.Generator
) -> np.ndarray:
    """Draw the effects of judges, or of stimuli, on people's and then on machines' responses.

    The first of two spreads is that for both kinds of responses, the second separate for each. Returns shape
    (units, 2, studies).
    """
    drawn = np.zeros((units, 2, studies), np.float32)
    for spread, kinds in zip(spreads, (1, 2), strict=True):
        if np.any(spread):
            normal = rng.standard_normal((units, kinds, studies), np.float32)
            drawn += np.asarray(spread, np.float32) * normal
    return drawn


def count_units(verdicts: Verdicts, unit: np.ndarray) -> Counts:
    """Count the verdicts of each unit, judge or stimulus, by side."""
    units, sides = int(unit.max()) + 1, len(SIDES)
    places = (unit * sides + verdicts.side, np.arange(len(unit)))
    belongs = csr_array((np.ones(len(unit), np.float32), places), shape=(units * sides, len(unit)))
    parts = (verdicts.human, verdicts.given, verdicts.human**2)
    return Counts(*((belongs @ part).reshape(units, sides, -1).astype(float) for part in parts))
