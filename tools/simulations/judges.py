"""Intervals of one judgment per stimulus, when judges and stimuli are both samples.

On the logit scale, the probability that a verdict is right is a constant, plus the judge's sensitivity, plus
(responses of machines) or minus (people's) the judge's bias, plus the stimulus's ease; all three are normal.
Each study draws new judges and new stimuli, half of them people's responses and half of machines; the truth
is the mean over all judges and stimuli.
"""

from collections.abc import Iterator

import numpy as np
from scipy.special import expit, roots_hermitenorm

from tools.simulations import LEVEL, Row
from turingstats.stats import crossed, resampling
from turingstats.stats.quantities import QUANTITIES, differentiate_quantity

DRAWS, CONSTANT = 400, 0.3
ESTIMATED = ("p_MM", "detectability")
RESAMPLED, CLOSED = "judges resampled", "judges and stimuli, closed form"

Study = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""Judge, stimulus, whether a machine made it, and whether the verdict is right, of each verdict."""


def simulate_study(rng: np.random.Generator, case: Row) -> Iterator[Row]:
    """Simulate a study, and yield its intervals."""
    spreads = case["spread_judges"], case["spread_stimuli"]
    study, truth = draw_study(rng, case, spreads), compute_truth(spreads)
    by_judge = crossed.sum_by_unit(tabulate_verdicts(study), study[0])
    drawn = resampling.bootstrap_totals(by_judge, DRAWS, rng)
    for quantity in ESTIMATED:
        _, *resampled = resampling.summarize_draws(compute_value(quantity, drawn), LEVEL)
        closed = estimate_crossed_interval(study, quantity)
        for kind, ends in ((RESAMPLED, resampled), (CLOSED, closed)):
            yield {"quantity": quantity, "interval": kind, "ends": ends, "truth": truth}


def draw_seen(
    rng: np.random.Generator, judges: int, stimuli: int, seen: int
) -> tuple[np.ndarray, np.ndarray]:
    """Draw the judge and the stimulus of each verdict, if all judges see as many stimuli."""
    shown = rng.random((judges, stimuli)).argsort(axis=1)[:, :seen]
    return np.repeat(np.arange(judges), shown.shape[1]), shown.ravel()


def draw_study(
    rng: np.random.Generator,
    case: Row,
    spreads: tuple[float, float],
    constant: float = CONSTANT,
) -> Study:
    """Draw the verdicts of one study."""
    judges, stimuli = draw_seen(rng, case["judges"], case["stimuli"], case["per_judge"])
    of_machine = stimuli % 2 == 1
    sensitivity, bias = rng.normal(0, spreads[0], (2, case["judges"]))
    ease = rng.normal(0, spreads[1], (case["stimuli"],))
    logits = constant + sensitivity[judges] + ease[stimuli]
    logits += np.where(of_machine, bias[judges], -bias[judges])
    return judges, stimuli, of_machine, rng.random(len(judges)) < expit(logits)


def compute_truth(spreads: tuple[float, float], constant: float = CONSTANT) -> float:
    """Compute the mean of the probability over all judges and stimuli, by Gauss-Hermite quadrature."""
    nodes, weights = roots_hermitenorm(60)
    spread = np.sqrt(2 * spreads[0] ** 2 + spreads[1] ** 2)
    return float(weights @ expit(constant + spread * nodes) / weights.sum())


def tabulate_verdicts(study: Study) -> np.ndarray:
    """Tabulate of each verdict the right ones and trials of people's, then of machines', responses."""
    *_, of_machine, right = study
    counts = [right & ~of_machine, ~of_machine, right & of_machine, of_machine]
    return np.column_stack(counts).astype(int)


def estimate_crossed_interval(study: Study, quantity: str) -> tuple[np.ndarray, np.ndarray]:
    """Estimate the interval of a quantity over judges and stimuli."""
    counts, (judges, stimuli, *_) = tabulate_verdicts(study), study
    totals = counts.sum(axis=0)
    slopes = differentiate_quantity(quantity, totals).reshape(2, 2)
    # The sides are people's responses and machines'; a rate has one of them.
    by_side = counts.reshape(-1, 2, 2)
    trials = by_side[:, :, 1] * slopes.any(axis=1)
    error = crossed.estimate_crossed_error((by_side * slopes).sum(axis=2), judges, stimuli, trials)
    return crossed.compute_crossed_interval(compute_value(quantity, totals), error, LEVEL)


def compute_value(quantity: str, totals: np.ndarray) -> np.ndarray:
    """Compute a quantity from totals of right verdicts and trials, shape (..., 4)."""
    return QUANTITIES[quantity].value(*np.moveaxis(totals, -1, 0))
