"""How often a study of a design would answer a question: simulated power."""

from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from turingstats.stats import crossed, equivalence
from turingstats.stats.power import tests
from turingstats.stats.power.draws import Design, Rate, Spreads, draw_spreads, draw_verdicts

CERTAIN = Spreads()
"""Errors of spreads that are stated."""
CELLS = 500_000
"""Verdicts that are drawn at once: as many as a processor keeps close."""


class Question(NamedTuple):
    """A question to a study."""

    contrast: str  # one of `turingstats.stats.power.tests.CONTRASTS`
    # One of difference, equivalence (if there is no difference), width; what is a success: p below the
    # level; two one-sided p below it; an interval no wider than asked for.
    goal: str


QUESTIONS = {
    "people": Question("people", "difference"),
    "chance": Question("chance", "difference"),
    "agents": Question("agents", "difference"),
    "same_as_people": Question("people", "equivalence"),
    "width": Question("people", "width"),
    "d_prime": Question("d_prime", "difference"),
    "d_prime_width": Question("d_prime", "width"),
}


class Goals(NamedTuple):
    """What counts as a success."""

    alpha: float  # level of each test
    level: float  # confidence level of the interval
    margin: float  # largest difference of the share judged human that counts as equivalent
    width: float  # widest interval of detectability
    d_prime_width: float = np.nan  # widest interval of d'


class Tally(NamedTuple):
    """Successes in simulated studies, and the average variances of the contrast."""

    successes: int
    studies: int
    # Of the contrast, and the part of it that more judges do not reduce, because all see the same stimuli.
    # Detectability counts as the difference of the shares judged human, twice its distance from 0.5.
    variance: float
    floor: float
    width: float  # mean width of the interval of detectability or d'; nan for other contrasts


def decide(question: Question, estimates: tests.Estimates, goals: Goals) -> np.ndarray:
    """Decide in which studies a question is answered."""
    if question.goal == "width":
        share = question.contrast == "people"
        widest = goals.width if share else goals.d_prime_width
        return tests.compute_widths(estimates, goals.level, share) <= widest
    if question.goal == "difference":
        return crossed.compute_p(*estimates) < goals.alpha
    # The difference from people is twice the distance of detectability from 0.5.
    value, error = estimates
    return equivalence.tost(2 * value, 2 * error.se, goals.margin, error.df) < goals.alpha


def simulate_design(
    design: Design,
    rates: tuple[Rate, ...],
    spreads: Spreads,
    goals: Goals,
    asked: tuple[str, ...],
    studies: int,
    rng: np.random.Generator,
    spread_errors: Spreads = CERTAIN,
) -> dict[str, Tally]:
    """Simulate studies of a design, and count by question in how many it is answered.

    Each study has spreads of its own if these are estimates with errors.
    """
    # Equivalence asks about people and the agent alone: it is judged human as often as they are.
    same = (rates[0], rates[0], rates[2])
    by_truth: dict[tuple[Rate, ...], list[str]] = {}
    for name in asked:
        truth = same if QUESTIONS[name].goal == "equivalence" else rates
        by_truth.setdefault(truth, []).append(name)
    successes = dict.fromkeys(asked, 0)
    sums: dict[str, list[np.ndarray]] = {name: [] for name in asked}
    for number in split_studies(design, studies):
        drawn = draw_spreads(spreads, spread_errors, number, rng)
        each = draw_verdicts(design, list(by_truth), drawn, number, rng)
        for names, verdicts in zip(by_truth.values(), each, strict=True):
            tables = tests.tabulate_units(verdicts)
            estimates = {
                contrast: tests.estimate_contrast(*tables, contrast)
                for contrast in {QUESTIONS[name].contrast for name in names}
            }
            for name in names:
                question = QUESTIONS[name]
                estimate = estimates[question.contrast]
                successes[name] += int(decide(question, estimate, goals).sum())
                sums[name].append(average_errors(question, estimate, goals))
    return {
        name: Tally(successes[name], studies, *map(float, np.mean(sums[name], axis=0)))
        for name in asked
    }


def split_studies(design: Design, studies: int) -> list[int]:
    """Split studies into batches of a size that is fast; each batch shows stimuli in an order of its own."""
    verdicts = design.judges * design.trials * min(sum(design.shares), 1)
    batches = int(np.ceil(studies * verdicts / CELLS))
    # A few orders at least, so that none of them decides.
    batches = min(max(batches, 5), studies)
    return [len(part) for part in np.array_split(np.arange(studies), batches)]


def average_errors(question: Question, estimates: tests.Estimates, goals: Goals) -> np.ndarray:
    """Average variances over studies, and the width of the interval of detectability or d'."""
    is_pair, width = question.contrast == "people", np.nan
    scale = 4 if is_pair else 1
    if question.contrast in ("people", "d_prime"):
        width = np.nanmean(tests.compute_widths(estimates, goals.level, is_pair))
    error = estimates.error
    # What varies from verdict to verdict is in the variance over stimuli, and falls with more judges.
    parts = error.se**2, error.stimuli - error.verdicts
    variance, floor = (scale * np.nanmean(part) for part in parts)
    return np.array([variance, max(floor, 0.0), width])


def find_needed_variance(
    question: Question, difference: float, goals: Goals, power: float
) -> float:
    """Find the variance of a contrast with which a question has the power, by the normal approximation.

    `difference` is the expected one, on the scale of the share judged human, or of d'.
    """
    if question.goal == "difference":
        return float((difference / (ndtri(1 - goals.alpha / 2) + ndtri(power))) ** 2)
    if question.goal == "equivalence":
        return float((goals.margin / (ndtri(1 - goals.alpha) + ndtri((1 + power) / 2))) ** 2)
    # Detectability has half the error of the difference of the shares.
    half = goals.width if question.contrast == "people" else goals.d_prime_width / 2
    return float((half / ndtri(0.5 + goals.level / 2)) ** 2)
