"""Evaluate a judge's scores: ROC, calibration, learning curve, and a test against chance.

All results are based on scores of responses that the judge was not trained on. Intervals are from a
bootstrap of stimuli, since responses to the same stimulus are not independent.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy.linalg import solve
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_curve

from turingstats.judges.svm.classifier import Setup, assign_folds, compute_decisions
from turingstats.judges.svm.features import draw_balanced_items
from turingstats.judges.svm.results import Measurement
from turingstats.stats.intervals import wilson

BINS = 10
MIN_EXAMPLES, REPEATS = 16, 5
"""Learning curve: minimum number of examples, and how often each number is drawn."""


def measure_quality(
    scored: pd.DataFrame, draws: int, level: float, rng: np.random.Generator
) -> Iterator[Measurement]:
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
        ends = {"ci_low": float(low), "ci_high": float(high)}
        yield Measurement(quantity, value=float(values[0]), **ends, n=len(scored), method=method)


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
    values, rank = np.unique(score, return_inverse=True)
    order = np.argsort(rank, kind="stable")
    starts = np.searchsorted(rank[order], np.arange(len(values)))
    machine, human = (
        np.add.reduceat(weights[:, order] * (truth[order] == kind), starts, axis=1)
        for kind in (1, 0)
    )
    below = np.cumsum(human, axis=1) - human / 2
    with np.errstate(invalid="ignore"):
        return (machine * below).sum(axis=1) / machine.sum(axis=1) / human.sum(axis=1)


def compute_roc_curve(scored: pd.DataFrame) -> Iterator[Measurement]:
    """Compute the share of machines' responses judged machine (value) by that of people's (x)."""
    false, true, _ = roc_curve(scored["machine"], scored["score"])
    for x in np.linspace(0, 1, 51):
        y = float(np.interp(x, false, true))
        yield Measurement("roc", x=float(x), value=y, n=len(scored))


def measure_calibration(scored: pd.DataFrame, level: float, seed: int) -> Iterator[Measurement]:
    """Measure the share of machines (value) by mean predicted probability (x), and the Brier score."""
    # Scores are converted to probabilities by logistic regression (Platt 1999) on the stimuli of the other
    # nine tenths, so that no response affects its own probability.
    fold = assign_folds(scored, BINS, True, seed)
    score, truth = scored[["score"]].to_numpy(), scored["machine"].to_numpy()
    probability = np.empty(len(scored))
    for part in np.unique(fold):
        test = fold == part
        others = truth[~test]
        if others.min() == others.max():
            probability[test] = others[0]
            continue
        model = LogisticRegression(C=1e6).fit(score[~test], others)
        probability[test] = model.predict_proba(score[test])[:, 1]
    for part in np.array_split(np.argsort(probability, kind="stable"), BINS):
        if len(part) == 0:
            continue
        low, high = wilson(int(truth[part].sum()), len(part), level)
        yield Measurement(
            "calibration",
            *(float(probability[part].mean()), float(truth[part].mean())),
            *(float(low), float(high)),
            n=len(part),
            method="logistic regression on the scores of other stimuli; Wilson interval",
        )
    error = float(np.mean((probability - truth) ** 2))
    yield Measurement("brier", value=error, n=len(scored))


def measure_learning_curve(
    items: pd.DataFrame, features: np.ndarray, setup: Setup
) -> Iterator[Measurement]:
    """Measure mean accuracy by number of examples (x), on stimuli that do not occur among the examples."""

    stimulus, truth = items["number"].to_numpy(), items["machine"].to_numpy()
    stimuli = np.unique(stimulus)
    accuracies = {}
    for number in range(REPEATS):
        rng = setup.make_generator("learning curve", number)
        held = np.isin(stimulus, rng.permutation(stimuli)[: max(1, len(stimuli) // 5)])
        test = draw_balanced_items(items, setup.max_responses, rng, held)
        pool = draw_balanced_items(items, setup.max_responses, rng, ~held)
        among = np.isin(np.arange(len(items)), pool)
        size = MIN_EXAMPLES if len(test) else len(pool) + 1
        while size <= len(pool):
            train = draw_balanced_items(items, size // 2, rng, among)
            score = compute_decisions(setup.kernel, features, truth, train, test)
            right = compute_accuracies(score > 0, truth[test], np.ones((1, len(test))))[0]
            accuracies.setdefault(size, []).append(float(right))
            size *= 2
    for size, values in accuracies.items():
        method = f"{len(values)} draws; interval, least and greatest"
        ends = {"ci_low": min(values), "ci_high": max(values)}
        mean = float(np.mean(values))
        yield Measurement("learning curve", size, mean, **ends, n=len(values), method=method)


def run_permutation_test(
    items: pd.DataFrame,
    features: np.ndarray,
    fold: np.ndarray,
    draws: int,
    rng: np.random.Generator,
) -> Measurement:
    """Test out-of-fold accuracy against judges trained again on permuted labels."""
    # The judge is the least-squares support vector machine (Suykens & Vandewalle 1999): its decisions are
    # linear in the labels, so computing them for all permutations costs about as much as for one.
    # Cross-validation accuracies are not binomial under the null (training sets overlap), so judges are
    # trained again (Ojala & Garriga 2010). Labels are exchanged between units of a block, so that the
    # responses to a stimulus stay together and each speaker has only one label.
    unit_of, first = np.unique(items["unit"].to_numpy(str), return_index=True)
    unit = np.searchsorted(unit_of, items["unit"].to_numpy(str))
    label = items["machine"].to_numpy()[first]
    block = np.unique(items["block"].to_numpy(str)[first], return_inverse=True)[1]
    # In an order by block, and at random within blocks, the k-th unit gets the label of the k-th drawn.
    order = np.argsort(block + rng.random((draws, len(label))), axis=1, kind="stable")
    labels = np.tile(label, (draws + 1, 1))
    labels[1:, np.argsort(block, kind="stable")] = label[order]
    values = compute_least_squares_accuracies(fit_least_squares(features, fold), labels[:, unit])
    among = "within stimuli" if (items["block"] != "").any() else "over speakers"
    beaten = int((values[1:] >= values[0] - 1e-9).sum())
    return Measurement(
        "permutation",
        value=float(values[0]),
        n=len(items),
        p=(beaten + 1) / (draws + 1),
        method=f"{draws} permutations of labels {among}; least-squares support vector machine "
        "trained anew on each, stimuli kept together",
    )


def fit_least_squares(features: np.ndarray, fold: np.ndarray) -> np.ndarray:
    """Compute the matrix (items x items) that maps the labels of all items, -1 and 1, to out-of-fold
    decisions; the penalty is the squared length of the weights, without the intercept.
    """

    # If the judge of all items fits labels y with residuals R y, the judge of all but fold F has residuals
    # (R_FF)^-1 (R y)_F in it, so no judge of a fold needs to be trained (Cook & Weisberg 1982, for single
    # items; the result also holds for groups and with penalties).
    seen = np.asarray(features, dtype=float)
    seen = seen - seen.mean(axis=0)
    square = seen.T @ seen + np.eye(seen.shape[1])
    residual = np.eye(len(seen)) - 1 / len(seen) - seen @ solve(square, seen.T, assume_a="pos")
    weights = np.zeros(residual.shape, dtype=np.float32)
    for part in np.unique(fold):
        test, train = np.flatnonzero(fold == part), np.flatnonzero(fold != part)
        inner, outer = residual[np.ix_(test, test)], residual[np.ix_(test, train)]
        weights[np.ix_(test, train)] = -solve(inner, outer, assume_a="pos")
    return weights


def compute_least_squares_accuracies(weights: np.ndarray, labels: np.ndarray) -> np.ndarray:
    """Compute the out-of-fold accuracy for each row of labels, 0 or 1; shape (rows,)."""
    machine = labels == 1
    judged = np.where(machine, np.float32(1), np.float32(-1)) @ weights.T > 0
    right = judged == machine
    shares = [
        (right & (machine == kind)).sum(axis=1) / (machine == kind).sum(axis=1)
        for kind in (False, True)
    ]
    return (shares[0] + shares[1]) / 2
