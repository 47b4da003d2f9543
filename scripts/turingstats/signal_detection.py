"""Signal detection: how well judges tell machines from people (d'), and which answer they favor (c).

A hit is a machine's response judged machine, a false alarm a person's response judged machine.
Detectability mixes both: a judge who says "machine" to everything and one who guesses have 0.5 alike.
d' = z(hit rate) - z(false alarm rate) is 0 for both; the criterion c = -(z(hit rate) + z(false alarm
rate)) / 2 tells them apart: positive where a judge is slow to say machine.

All functions take counts, numbers or arrays that broadcast.
"""

import numpy as np

CORRECTION = (0.5, 1.0)
"""Added to successes and to trials (log-linear; Hautus 1995), so that rates of 0 and 1 have a z."""


def corrected(k, n, correction=CORRECTION):
    """Log-linear rate (k + 0.5) / (n + 1), nan where n is 0.

    Parameters
    ----------
    k, n : int or array
        Successes, trials.
    correction : (float, float)
        Added to either; (0, 0) leaves rates as they are.
    """
    k, n = np.asarray(k, float), np.asarray(n, float)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(n > 0, (k + correction[0]) / (n + correction[1]), np.nan)


def z_scores(human_right, human_n, machine_right, machine_n, correction=CORRECTION):
    """z of the hit rate and of the false alarm rate.

    Parameters
    ----------
    human_right, human_n : int or array
        People's responses judged human, and all that were judged.
    machine_right, machine_n : int or array
        Machines' responses judged machine, and all that were judged.
    correction : (float, float)
        See `corrected`.

    Returns
    -------
    z_hit, z_false_alarm : arrays
    """
    from scipy.special import ndtri

    false_alarms = np.asarray(human_n) - np.asarray(human_right)
    hit = ndtri(corrected(machine_right, machine_n, correction))
    return hit, ndtri(corrected(false_alarms, human_n, correction))


def d_prime(human_right, human_n, machine_right, machine_n, correction=CORRECTION):
    """Sensitivity d' = z(hit rate) - z(false alarm rate); parameters as `z_scores`."""
    hit, false_alarm = z_scores(human_right, human_n, machine_right, machine_n, correction)
    return hit - false_alarm


def criterion(human_right, human_n, machine_right, machine_n, correction=CORRECTION):
    """Criterion c = -(z(hit rate) + z(false alarm rate)) / 2; parameters as `z_scores`."""
    hit, false_alarm = z_scores(human_right, human_n, machine_right, machine_n, correction)
    return -(hit + false_alarm) / 2


def standard_errors(human_right, human_n, machine_right, machine_n, correction=CORRECTION):
    """Errors of d' and c that take all trials as independent.

    Returns
    -------
    se_d_prime, se_criterion : arrays

    Notes
    -----
    Delta method (Gourevitch & Galanter 1967): var z(p) = p (1 - p) / (n phi(z)**2), with the corrected
    rate p; var d' is the sum of both, var c a quarter of it.
    """
    from scipy.special import ndtr

    total = 0.0
    z = z_scores(human_right, human_n, machine_right, machine_n, correction)
    for score, n in zip(z, (machine_n, human_n), strict=True):
        p = ndtr(score)
        density = np.exp(-(score**2) / 2) / np.sqrt(2 * np.pi)
        with np.errstate(invalid="ignore", divide="ignore"):
            total = total + p * (1 - p) / (np.asarray(n, float) * density**2)
    return np.sqrt(total), np.sqrt(total) / 2


def intervals(human_right, human_n, machine_right, machine_n, level=0.95):
    """Normal intervals of d' and c that take all trials as independent.

    Returns
    -------
    d_prime, criterion : (low, high), each a pair of arrays
    """
    from scipy.special import ndtri

    counts = (human_right, human_n, machine_right, machine_n)
    half = ndtri((1 + level) / 2)
    values = d_prime(*counts), criterion(*counts)
    return tuple(
        (value - half * se, value + half * se)
        for value, se in zip(values, standard_errors(*counts), strict=True)
    )


def by_judge(counts, level):
    """d' and c of every human judge, over all agents.

    Parameters
    ----------
    counts : pandas.DataFrame
        Columns of `turingstats.schema.COUNTS`; the recommended reading is used.
    level : float
        Of the intervals.

    Returns
    -------
    pandas.DataFrame
        One row a judge and cohort: study, task, cohort, judge, n_human, n_machine, hits, false_alarms,
        detectability, d_prime, d_prime_se, d_prime_low, d_prime_high, criterion, ...; missing where a
        judge saw only people's or only machines' responses.
    """
    own = counts[
        (counts["reading"] == "recommended")
        & (counts["group_by"] == "all")
        & (counts["judge_kind"] == "human")
    ]
    machine = own["agent"] != "human"
    decided = own["n_human"] + own["n_machine"]
    keys = ["study", "task", "cohort", "judge"]
    table = own[keys].assign(
        n_human=decided.where(~machine, 0),
        n_machine=decided.where(machine, 0),
        hits=own["n_machine"].where(machine, 0),
        false_alarms=own["n_machine"].where(~machine, 0),
    )
    table = table.groupby(keys, sort=False).sum().reset_index()
    right = table["n_human"] - table["false_alarms"]
    four = right, table["n_human"], table["hits"], table["n_machine"]
    both = (table["n_human"] > 0) & (table["n_machine"] > 0)
    share = (right / table["n_human"].where(both) + table["hits"] / table["n_machine"]) / 2
    table["detectability"] = share
    values = {"d_prime": d_prime(*four), "criterion": criterion(*four)}
    errors, limits = standard_errors(*four), intervals(*four, level)
    for (name, value), se, (low, high) in zip(values.items(), errors, limits, strict=True):
        table[name], table[f"{name}_se"] = value, se
        table[f"{name}_low"], table[f"{name}_high"] = low, high
    return table


# --- confidence --------------------------------------------------------------------------------


def ratings(said_machine, confidence):
    """Confidence that a response is a machine's: negative where the verdict was human.

    Parameters
    ----------
    said_machine : array of bool
    confidence : array of float
        How sure the judge was of the verdict, 0 or more.
    """
    return np.where(np.asarray(said_machine, bool), 1.0, -1.0) * np.asarray(confidence, float)


def roc(scores, is_signal):
    """Receiver operating characteristic.

    Parameters
    ----------
    scores : array
        Higher means more like a signal (a machine); from `ratings`, or any confidence.
    is_signal : array of bool

    Returns
    -------
    false_alarms, hits : arrays
        Rates at every threshold, from (0, 0) to (1, 1).
    """
    scores, is_signal = np.asarray(scores, float), np.asarray(is_signal, bool)
    levels, place = np.unique(-scores, return_inverse=True)
    signal = np.bincount(place[is_signal], minlength=len(levels)).cumsum()
    noise = np.bincount(place[~is_signal], minlength=len(levels)).cumsum()
    with np.errstate(invalid="ignore"):
        return np.r_[0, noise / noise[-1]], np.r_[0, signal / signal[-1]]


def area(signal, noise):
    """Area under the ROC curve from counts by score.

    Parameters
    ----------
    signal, noise : array, shape (..., levels)
        Trials of either kind at each score, scores in rising order.

    Returns
    -------
    array, shape (...)
        Probability that a signal has a higher score than noise, ties half (Mann-Whitney); nan where
        there is none of either.
    """
    signal, noise = np.asarray(signal, float), np.asarray(noise, float)
    below = np.cumsum(noise, axis=-1) - noise / 2
    pairs = signal.sum(axis=-1) * noise.sum(axis=-1)
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.where(pairs > 0, (signal * below).sum(axis=-1) / pairs, np.nan)


def area_with_interval(scores, is_signal, judges, n_bootstrap, generator, level=0.95):
    """Area under the ROC curve with an interval from a bootstrap of judges.

    Parameters
    ----------
    scores, is_signal : arrays
        See `roc`.
    judges : array
        Judge of each trial.
    n_bootstrap : int
    generator : numpy.random.Generator
    level : float

    Returns
    -------
    value, se, low, high : float
    """
    from turingstats import resampling

    judge = np.unique(np.asarray(judges), return_inverse=True)[1]
    levels, place = np.unique(np.asarray(scores, float), return_inverse=True)
    shape = (judge.max() + 1, 2, len(levels))
    bins = np.ravel_multi_index((judge, np.asarray(is_signal, int), place), shape)
    counts = np.bincount(bins, minlength=np.prod(shape)).reshape(shape)
    value = float(area(counts[:, 1].sum(axis=0), counts[:, 0].sum(axis=0)))
    totals = resampling.bootstrap_totals(counts.reshape(len(counts), -1), n_bootstrap, generator)
    drawn = totals.reshape(n_bootstrap, 2, len(levels))
    drawn = area(drawn[:, 1], drawn[:, 0])
    drawn = drawn[np.isfinite(drawn)]
    tail = 100 * (1 - level) / 2
    low, high = np.percentile(drawn, [tail, 100 - tail])
    return value, float(np.std(drawn, ddof=1)), float(low), float(high)
