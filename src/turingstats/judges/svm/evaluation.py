"""Evaluate a judge's scores: accuracy, and the area under the ROC curve.

All results are based on scores of responses that the judge was not trained on. Intervals are from a
bootstrap of stimuli, since responses to the same stimulus are not independent.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd


def measure_quality(
    scored: pd.DataFrame, draws: int, level: float, rng: np.random.Generator
) -> Iterator[dict[str, Any]]:
    """Measure the accuracy (mean of the shares of people's and of machines' responses classified correctly)
    and the area under the ROC curve, with intervals from `draws` bootstrap samples of stimuli.
    """
    score, truth = scored["score"].to_numpy(), scored["machine"].to_numpy()
    groups, codes = np.unique(scored["number"].to_numpy(), return_inverse=True)
    weights = rng.multinomial(len(groups), np.full(len(groups), 1 / len(groups)), size=draws)
    weights = np.vstack([np.ones(len(groups)), weights])[:, codes].astype(np.float32)
    tail = 100 * (1 - level) / 2
    method = f"{draws} bootstrap samples of {len(groups)} stimuli, percentile"
    for quantity, values in (
        ("accuracy", compute_accuracies(score > 0, truth, weights)),
        ("auc", compute_areas(score, truth, weights)),
    ):
        drawn = values[1:][np.isfinite(values[1:])]
        low, high = np.percentile(drawn, [tail, 100 - tail]) if len(drawn) else (np.nan, np.nan)
        measured = {"value": values[0], "ci_low": low, "ci_high": high, "n": len(scored)}
        yield {"quantity": quantity, "method": method} | measured


def compute_accuracies(judged: np.ndarray, truth: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Compute the mean of the two shares classified correctly, for each row of weights; shape (rows,)."""
    with np.errstate(invalid="ignore"):
        shares = [
            weights @ ((judged == kind) & (truth == kind)) / (weights @ (truth == kind))
            for kind in (0, 1)
        ]
    return (shares[0] + shares[1]) / 2


def compute_areas(score: np.ndarray, truth: np.ndarray, weights: np.ndarray) -> np.ndarray:
    """Compute the area under the ROC curve, where ties count half, for each row of weights; shape (rows,)."""
    human, machine = np.flatnonzero(truth == 0), np.flatnonzero(truth == 1)
    human = human[np.argsort(score[human], kind="stable")]
    cumulated = np.zeros((len(weights), len(human) + 1), weights.dtype)
    np.cumsum(weights[:, human], axis=1, out=cumulated[:, 1:])
    # Of people's scores: those below each machine's, and those up to it.
    places = [np.searchsorted(score[human], score[machine], side) for side in ("left", "right")]
    below = (cumulated.take(places[0], axis=1) + cumulated.take(places[1], axis=1)) / 2
    machines = weights.take(machine, axis=1)
    with np.errstate(invalid="ignore"):
        return (machines * below).sum(axis=1) / machines.sum(axis=1) / cumulated[:, -1]
