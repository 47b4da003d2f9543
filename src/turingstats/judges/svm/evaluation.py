"""Evaluate a judge's scores: ROC, calibration, learning curve, and a test against chance.

All results are based on scores of responses that the judge was not trained on. Intervals are from a
bootstrap of stimuli, since responses to the same stimulus are not independent. Rows have the columns of
`turingstats.judges.svm.results.COLUMNS`.
"""

import numpy as np
from scipy.linalg import solve
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_curve

from turingstats.judges.svm.classifier import assign_folds, compute_decisions
from turingstats.judges.svm.features import draw_balanced_items
from turingstats.stats.intervals import wilson

BINS = 10
FIRST, REPEATS = 16, 5
"""Learning curve: minimum number of examples, and how often each number is drawn."""


def measure_quality(scored, draws, level, rng):
    """Measure accuracy and area under the ROC curve, with intervals.

    Parameters
    ----------
    scored : pandas.DataFrame
        stimulus, machine (0 or 1), score.
    draws : int
        Bootstrap samples of stimuli.
    level : float
        Confidence level of the intervals, such as 0.95.
    rng : numpy.random.Generator

    Yields
    ------
    dict
        Rows of `COLUMNS`: accuracy (mean of the shares of people's and of machines' responses classified
        correctly) and auc (the probability that a machine's response has the higher score; ties count
        half).
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
        yield {
            "quantity": quantity,
            "value": float(values[0]),
            "ci_low": float(low),
            "ci_high": float(high),
            "n": len(scored),
            "method": method,
        }


def compute_accuracies(said, truth, weights):
    """Compute the mean of the two shares classified correctly, for each row of weights; shape (rows,)."""
    with np.errstate(invalid="ignore"):
        shares = [
            weights @ ((said == kind) & (truth == kind)) / (weights @ (truth == kind))
            for kind in (0, 1)
        ]
    return (shares[0] + shares[1]) / 2


def compute_areas(score, truth, weights):
    """Compute the area under the ROC curve for each row of weights; shape (rows,)."""
    values, place = np.unique(score, return_inverse=True)
    order = np.argsort(place, kind="stable")
    starts = np.searchsorted(place[order], np.arange(len(values)))
    machine, human = (
        np.add.reduceat(weights[:, order] * (truth[order] == kind), starts, axis=1)
        for kind in (1, 0)
    )
    below = np.cumsum(human, axis=1) - human / 2
    with np.errstate(invalid="ignore"):
        return (machine * below).sum(axis=1) / machine.sum(axis=1) / human.sum(axis=1)


def compute_roc_curve(scored, points=51):
    """Compute the ROC curve at evenly spaced shares of people's responses judged machine.

    Yields
    ------
    dict
        Rows of `COLUMNS`: x, share of people's responses judged machine; value, share of machines'.
    """
    false, true, _ = roc_curve(scored["machine"], scored["score"])
    for x in np.linspace(0, 1, points):
        y = float(np.interp(x, false, true))
        yield {"quantity": "roc", "x": float(x), "value": y, "n": len(scored)}


def measure_calibration(scored, level, seed):
    """Measure whether scores, converted to probabilities, match how often machines occur.

    Scores are converted to probabilities by logistic regression (Platt 1999) on the stimuli of the other
    nine tenths, so that no response affects its own probability.

    Yields
    ------
    dict
        Rows of `COLUMNS`: calibration (x, mean probability of a tenth of the responses; value, share
        of machines among them) and brier (mean squared error of the probabilities; 0.25 is chance).
    """
    fold = assign_folds(scored, BINS, True, seed)
    score, truth = scored[["score"]].to_numpy(), scored["machine"].to_numpy()
    probability = np.empty(len(scored))
    for place in np.unique(fold):
        test = fold == place
        known = truth[~test]
        if known.min() == known.max():
            probability[test] = known[0]
            continue
        model = LogisticRegression(C=1e6).fit(score[~test], known)
        probability[test] = model.predict_proba(score[test])[:, 1]
    for part in np.array_split(np.argsort(probability, kind="stable"), BINS):
        if len(part) == 0:
            continue
        low, high = wilson(int(truth[part].sum()), len(part), level)
        yield {
            "quantity": "calibration",
            "x": float(probability[part].mean()),
            "value": float(truth[part].mean()),
            "ci_low": float(low),
            "ci_high": float(high),
            "n": len(part),
            "method": "logistic regression on the scores of other stimuli; Wilson interval",
        }
    error = float(np.mean((probability - truth) ** 2))
    yield {"quantity": "brier", "value": error, "n": len(scored)}


def measure_learning_curve(items, features, setup):
    """Measure accuracy by number of examples, on stimuli that do not occur among the examples.

    Yields
    ------
    dict
        Rows of `COLUMNS`: x, examples; value, mean accuracy; interval, minimum and maximum accuracy of
        the repeats.
    """

    stimulus, truth = items["number"].to_numpy(), items["machine"].to_numpy()
    stimuli = np.unique(stimulus)
    accuracies = {}
    for number in range(REPEATS):
        rng = setup.make_generator("learning curve", number)
        held = np.isin(stimulus, rng.permutation(stimuli)[: max(1, len(stimuli) // 5)])
        test = draw_balanced_items(items, setup.max_responses, rng, held)
        pool = draw_balanced_items(items, setup.max_responses, rng, ~held)
        among = np.isin(np.arange(len(items)), pool)
        size = FIRST if len(test) else np.inf
        while size <= len(pool):
            train = draw_balanced_items(items, size // 2, rng, among)
            score = compute_decisions(setup.kernel, features, truth, train, test)
            right = compute_accuracies(score > 0, truth[test], np.ones((1, len(test))))[0]
            accuracies.setdefault(size, []).append(float(right))
            size *= 2
    for size, values in accuracies.items():
        yield {
            "quantity": "learning curve",
            "x": size,
            "value": float(np.mean(values)),
            "ci_low": min(values),
            "ci_high": max(values),
            "n": len(values),
            "method": f"{len(values)} draws; interval, least and greatest",
        }


def run_permutation_test(items, features, fold, draws, rng):
    """Test whether features predict labels, with judges trained again on permuted labels.

    Parameters
    ----------
    items : pandas.DataFrame
        machine, unit, block: labels are exchanged between units of a block, so that the responses to a
        stimulus stay together and each speaker has only one label.
    features : numpy.ndarray, shape (items, features)
    fold : numpy.ndarray of int, shape (items,)
        The judge of a fold is trained on the others.
    draws : int
        Permutations.
    rng : numpy.random.Generator

    Returns
    -------
    dict
        A row of `COLUMNS`: value, out-of-fold accuracy; p = (b + 1) / (draws + 1), where b is the number
        of permutations with the same or a higher accuracy.

    Notes
    -----
    The judge is the least-squares support vector machine (Suykens & Vandewalle 1999): its decisions
    are linear in the labels, so computing them for all permutations costs about as much as for one.
    Cross-validation accuracies are not binomial under the null (training sets overlap), so judges are
    trained again (Ojala & Garriga 2010).
    """
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
    return {
        "quantity": "permutation",
        "value": float(values[0]),
        "n": len(items),
        "p": (beaten + 1) / (draws + 1),
        "method": f"{draws} permutations of labels {among}; least-squares support vector machine "
        "trained anew on each, stimuli kept together",
    }


def fit_least_squares(features, fold, penalty=1.0):
    """Compute the matrix that maps the labels of all items to out-of-fold decisions.

    Parameters
    ----------
    features : numpy.ndarray, shape (items, features)
    fold : numpy.ndarray of int, shape (items,)
    penalty : float
        Penalty on the squared length of the weights; the intercept is not penalized.

    Returns
    -------
    numpy.ndarray, shape (items, items)
        decisions = matrix @ labels, with labels of -1 and 1; an item's own fold has no weight.

    Notes
    -----
    If the judge of all items fits labels y with residuals R y, the judge of all but fold F has residuals
    (R_FF)^-1 (R y)_F in it, so no judge of a fold needs to be trained (Cook & Weisberg 1982, for single
    items; the result also holds for groups and with penalties).
    """

    seen = np.asarray(features, dtype=float)
    seen = seen - seen.mean(axis=0)
    square = seen.T @ seen + penalty * np.eye(seen.shape[1])
    residual = np.eye(len(seen)) - 1 / len(seen) - seen @ solve(square, seen.T, assume_a="pos")
    weights = np.zeros(residual.shape, dtype=np.float32)
    for place in np.unique(fold):
        test, train = np.flatnonzero(fold == place), np.flatnonzero(fold != place)
        inner, outer = residual[np.ix_(test, test)], residual[np.ix_(test, train)]
        weights[np.ix_(test, train)] = -solve(inner, outer, assume_a="pos")
    return weights


def compute_least_squares_accuracies(weights, labels):
    """Compute the out-of-fold accuracy for each row of labels, 0 or 1; shape (rows,)."""
    machine = labels == 1
    said = np.where(machine, np.float32(1), np.float32(-1)) @ weights.T > 0
    shares = [
        ((said == kind) & (machine == kind)).sum(axis=1) / (machine == kind).sum(axis=1)
        for kind in (False, True)
    ]
    return (shares[0] + shares[1]) / 2
