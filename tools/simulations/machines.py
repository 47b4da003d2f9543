"""Estimates with the help of a machine judge, and comparisons of people with it, on the same responses.

All responses are one agent's, so that a verdict is right if it is not human. The logit of the machine's
verdict has twice the ease of the stimulus.
"""

from collections.abc import Iterator

import numpy as np
from scipy.special import expit, roots_hermitenorm

from tools.simulations import LEVEL, Row
from tools.simulations.judges import CLOSED, CONSTANT, compute_truth, draw_seen
from turingstats.stats import annotator_test, crossed, machine_agreement, prediction_powered

HELP = ("people alone", "prediction-powered")


def simulate_study(rng: np.random.Generator, case: Row) -> Iterator[Row]:
    """Simulate a study, and yield its intervals of the share judged human, and of comparisons."""
    n_others, spreads = case["others"], (case["spread_judges"], case["spread_stimuli"])
    judges, stimuli = draw_seen(rng, case["judges"], case["stimuli"], case["per_judge"])
    own = rng.normal(0, np.sqrt(2) * spreads[0], (case["judges"],))
    ease = rng.normal(0, spreads[1], (case["stimuli"] + n_others,))
    human = rng.random(len(judges)) < expit(CONSTANT + own[judges] + ease[stimuli])
    predicted = rng.random(len(ease)) < expit(CONSTANT + 2.0 * ease)
    seen, unseen = predicted[stimuli], predicted[-n_others:]
    rate = prediction_powered.estimate_powered_rate(
        human, seen, judges, stimuli, unseen, np.arange(n_others)
    )
    estimates = (rate.people_value, rate.people_error), (rate.value, rate.error)
    for kind, (value, error) in zip(HELP, estimates, strict=True):
        row = {"quantity": "judged human", "interval": kind, "estimate": value}
        ends = crossed.compute_crossed_interval(value, error, LEVEL)
        yield row | {"ends": ends, "truth": compute_truth(spreads)}
    for row in compare_with_machine(judges, stimuli, human, seen):
        of_correlation = row["quantity"] == "corrected correlation"
        truth = compute_correlation(spreads) if of_correlation else np.nan
        # Nothing to correlate where stimuli do not differ.
        if not of_correlation or np.isfinite(truth):
            yield row | {"truth": truth}


def compare_with_machine(
    judges: np.ndarray, stimuli: np.ndarray, human: np.ndarray, predicted: np.ndarray
) -> Iterator[Row]:
    """Yield estimates of people compared with a machine, and their intervals."""
    clustered = {"interval": CLOSED}
    difference = predicted.astype(float) - human
    error = crossed.estimate_mean_error(difference, judges, stimuli)
    mean = float(difference.mean())
    ends = crossed.compute_crossed_interval(mean, error, LEVEL, share=False)
    yield {"quantity": "difference of accuracy", **clustered, "estimate": mean, "ends": ends}
    trials = annotator_test.leave_each_out(judges, stimuli, stimuli, human, predicted)
    rho = annotator_test.estimate_advantage(trials, LEVEL)
    ends = rho.ci_low, rho.ci_high
    yield {"quantity": "advantage", **clustered, "estimate": rho.value, "ends": ends}
    shown, first = np.unique(stimuli, return_index=True)
    counts = np.bincount(stimuli, human)[shown].astype(int), np.bincount(stimuli)[shown]
    estimates = machine_agreement.estimate_machine_agreement(
        predicted[first], *counts, shown, LEVEL
    )
    if not estimates["reliability"].ci_low > 0:
        # As for real studies.
        del estimates["corrected_correlation"]
    for name in ("agreement", "corrected_correlation"):
        if one := estimates.get(name):
            row = {"quantity": name.replace("_", " "), "interval": "jackknife of stimuli"}
            yield row | {"estimate": one.value, "ends": (one.ci_low, one.ci_high)}


def compute_correlation(spreads: tuple[float, float]) -> float:
    """Compute the correlation of the machine's verdicts with the shares of all people, by quadrature."""
    nodes, weights = roots_hermitenorm(60)
    weights = weights / weights.sum()
    ease, own = spreads[1] * nodes, np.sqrt(2) * spreads[0] * nodes
    share = expit(CONSTANT + ease[:, None] + own) @ weights
    machine = expit(CONSTANT + 2 * ease)
    mean, rate = weights @ share, weights @ machine
    variance = weights @ (share - mean) ** 2
    if not variance > 1e-12:
        return np.nan
    return float(weights @ ((share - mean) * machine) / np.sqrt(variance * rate * (1 - rate)))
