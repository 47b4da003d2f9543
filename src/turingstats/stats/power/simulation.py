"""How often a study of a design would answer a question: simulated power."""

from typing import NamedTuple

import numpy as np
from scipy.special import ndtri

from turingstats.stats import equivalence
from turingstats.stats.power import tests
from turingstats.stats.power.draws import (
    Design,
    Rate,
    Spreads,
    Verdicts,
    draw_leanings,
    draw_spreads,
    draw_verdicts,
    judge_responses,
    take_judges,
)

CERTAIN = Spreads()
"""Errors of spreads that are stated."""
CELLS = 500_000
"""Verdicts that are drawn at once: as many as a processor keeps close."""


class Question(NamedTuple):
    """A question to a study."""

    contrast: str  # one of `turingstats.stats.power.tests.CONTRASTS`
    # One of difference, equivalence, width; what is a success: p below the level; two one-sided p
    # below it; an interval no wider than asked for.
    goal: str
    truth: str  # the rates for which the power is reported; see `list_truths`
    null: str = ""  # those for which success would be an error; empty if there are none


QUESTIONS = {
    "people": Question("people", "difference", "expected", "same"),
    "chance": Question("chance", "difference", "expected", "even"),
    "agents": Question("agents", "difference", "expected", "same"),
    "same_as_people": Question("people", "equivalence", "same", "at_margin"),
    "same_as_chance": Question("chance", "equivalence", "even", "margin_from_even"),
    "width": Question("people", "width", "expected"),
    "d_prime": Question("d_prime", "difference", "expected", "same"),
    "d_prime_width": Question("d_prime", "width", "expected"),
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
    # Successes among as many studies in which they are errors; None if there are none.
    errors: int | None
    # Of the contrast, and the part of it that more judges do not reduce. Detectability counts as
    # the difference of the shares judged human, twice its distance from 0.5.
    variance: float
    floor: float
    width: float  # mean width of the interval of detectability or d'; nan for other contrasts


def list_truths(rates: tuple[Rate, ...], margin: float) -> dict[str, tuple[Rate, ...]]:
    """List the rates of the sides that are simulated.

    expected; same (everyone judged human as often as people); even (the agent at 0.5); and both with the
    agent exactly one margin below. The rate of the other agent is nan without one. Ratings have only the
    first two.
    """
    people, _, other = rates
    truths = {"expected": rates, "same": (people, people, people if other == other else other)}
    if isinstance(people, tuple):
        return truths
    return truths | {
        "even": (people, 0.5, other),
        "at_margin": (people, max(people - margin, 1e-3), other),
        "margin_from_even": (people, 0.5 - margin, other),
    }


def decide(question: Question, estimates: tests.Estimates, goals: Goals) -> np.ndarray:
    """Decide in which studies a question is answered."""
    if question.goal == "width":
        share = question.contrast == "people"
        widest = goals.width if share else goals.d_prime_width
        return tests.compute_widths(estimates, goals.level, share) <= widest
    if question.goal == "difference":
        return tests.compute_p(estimates) < goals.alpha
    # The difference from people is twice the distance of detectability from 0.5.
    scale = 2 if question.contrast == "people" else 1
    p = equivalence.tost(scale * estimates.value, scale * estimates.se, goals.margin, estimates.df)
    return p < goals.alpha


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
    truths = list_truths(rates, goals.margin)
    questions = {name: QUESTIONS[name] for name in asked}
    # Errors of equivalence tests are those at the margin, which no plan depends on: not simulated here.
    nulls = {name: q.null if q.goal == "difference" else "" for name, q in questions.items()}
    needed = dict.fromkeys([*(q.truth for q in questions.values()), *filter(None, nulls.values())])
    successes, errors = dict.fromkeys(asked, 0), dict.fromkeys(asked, 0)
    sums: dict[str, list[np.ndarray]] = {name: [] for name in asked}
    for number in split_studies(design, studies):
        drawn = draw_spreads(spreads, spread_errors, number, rng)
        leanings = draw_leanings(design, drawn, number, rng)
        for truth in needed:
            tables = tests.tabulate_units(judge_responses(leanings, truths[truth]))
            for contrast, names in group_contrasts(questions, nulls, truth).items():
                estimates = tests.estimate_contrast(*tables, contrast)
                for name in names:
                    question = questions[name]
                    count = int(decide(question, estimates, goals).sum())
                    if question.truth == truth:
                        successes[name] += count
                        sums[name].append(average_errors(question, estimates, goals))
                    if nulls[name] == truth:
                        errors[name] += count
    return {
        name: Tally(
            successes[name],
            studies,
            errors[name] if nulls[name] else None,
            *(float(value) for value in np.mean(sums[name], axis=0)),
        )
        for name in asked
    }


def group_contrasts(
    questions: dict[str, Question], nulls: dict[str, str], truth: str
) -> dict[str, list[str]]:
    """Group the questions that a truth is simulated for by their contrast."""
    groups: dict[str, list[str]] = {}
    for name, question in questions.items():
        if truth in (question.truth, nulls[name]):
            groups.setdefault(question.contrast, []).append(name)
    return groups


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
    variance, floor = (scale * np.nanmean(part) for part in (estimates.se**2, estimates.floor))
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


def simulate_interim_analyses(
    design: Design,
    rates: tuple[Rate, ...],
    spreads: Spreads,
    contrast: str,
    judges: list[int],
    bounds: np.ndarray,
    studies: int,
    rng: np.random.Generator,
    spread_errors: Spreads = CERTAIN,
) -> np.ndarray:
    """Simulate studies that test after so many judges each, and count those that stop at each analysis.

    `design` has as many judges as at the last analysis; `bounds` are boundaries of the normal statistic with
    the same p as that of the test.
    """
    stops = np.zeros(len(bounds), int)
    for number in split_studies(design, studies):
        drawn = draw_spreads(spreads, spread_errors, number, rng)
        verdicts = draw_verdicts(design, rates, drawn, number, rng)
        z = np.stack([compute_normal_statistic(verdicts, seen, contrast) for seen in judges])
        beyond = np.abs(z) >= bounds[:, None]
        stops += (beyond & (np.cumsum(beyond, axis=0) == 1)).sum(axis=1)
    return stops


def compute_normal_statistic(verdicts: Verdicts, judges: int, contrast: str) -> np.ndarray:
    """Compute the statistic of each study from its first judges, as a normal one with the same p."""
    estimates = tests.estimate_contrast(
        *tests.tabulate_units(take_judges(verdicts, judges)), contrast
    )
    return -np.sign(estimates.value) * ndtri(tests.compute_p(estimates) / 2)
