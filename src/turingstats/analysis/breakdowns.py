"""Accuracy by groups of judges and by properties of trials, such as games played or confidence.

Verdicts of the same judge are correlated, and so are those on the same stimulus. In the recommended reading
the variance of a share is that over judges and stimuli, as far as these are known; in the published one it is
estimated between judges (a ratio of sums over judges, linearized). The interval is Wilson's for the number of
independent trials that would have this variance (Korn and Graubard 1998). d' of judges follows appendix F of
Jones and Bergen (2024).
"""

import itertools
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.stats import t

from turingstats.analysis.rows import tabulate
from turingstats.config.study import Study
from turingstats.core.names import SLASH, join_names
from turingstats.data.counts import find_both_roles, number_names
from turingstats.stats import crossed, roc
from turingstats.stats.crossed import MIN_UNITS
from turingstats.stats.intervals import wilson
from turingstats.stats.signal_detection import CORRECTION, find_same_answers, z_scores

NAN = float("nan")
SESSIONS = (1, 2, 3, 5, 10)  # trials of a judge
MEASURED = ("quantity", "by", "level", "truth")
LIMITS = ("ci_low", "ci_high")
COUNTED = ("human_right", "human_n", "machine_right", "machine_n")
TRUTHS = {"all": ("human", "machine"), "human": ("human",), "machine": ("machine",)}
CLUSTERED = "variance between judges; Wilson interval of the effective number of trials"
CROSSED = "variance over judges and stimuli; Wilson interval of the effective number of trials"
CONFIDENCE = (
    "area under the ROC curve of confidence, right against wrong verdicts of all judges; placements "
    "(DeLong), error over judges and stimuli, t interval on the logit scale"
)
FEW = f"fewer than {MIN_UNITS} judges; Wilson interval, trials as independent"


def estimate_share(
    right: ArrayLike, judges: ArrayLike, level: float, stimuli: ArrayLike | None = None
) -> dict[str, Any]:
    """Estimate the share of correct verdicts, with an interval over judges, and over stimuli if given.

    The effective number of trials is at most the actual one; it is the actual one if all verdicts are
    equal or there are too few judges for a variance.
    """
    right = np.asarray(right, float)
    n, k = len(right), float(right.sum())
    judge, names = number_names(pd.Series(judges))
    number, se, method = len(names), NAN, FEW
    if number >= MIN_UNITS:
        se, method = crossed.estimate_mean_error(right, judge).se, CLUSTERED
    if stimuli is not None:
        stimulus, stimulus_names = number_names(pd.Series(stimuli))
        if min(number, len(stimulus_names)) >= MIN_UNITS:
            both = find_both_roles(names, stimulus_names)
            se, method = crossed.estimate_mean_error(right, judge, stimulus, both).se, CROSSED
    p, effective = k / n, float(n)
    if se > 0 and 0 < k < n:
        effective = min(n, p * (1 - p) / se**2)
    limits = map(float, wilson(p * effective, effective, level))
    estimate = {"k": k, "n": n, "value": p, "n_judges": number, "method": method}
    return estimate | dict(zip(LIMITS, limits, strict=True))


def estimate_mean(
    values: ArrayLike, judges: ArrayLike, level: float, positive: bool = False
) -> dict[str, Any]:
    """Estimate a mean with a t interval from the variance between judges (J - 1 degrees of freedom).

    With `positive`, the interval is symmetric on the log scale, so that it stays above 0.
    """

    values = np.asarray(values, float)
    judges, names = number_names(pd.Series(judges))
    number, half = len(names), NAN
    if number > 1:
        se = crossed.estimate_mean_error(values, judges).se
        half = float(t.isf((1 - level) / 2, number - 1) * se)
    mean = float(values.mean())
    low, high = mean - half, mean + half
    if positive:
        low, high = mean * np.exp(-half / mean), mean * np.exp(half / mean)
    return {
        "value": mean,
        "n": len(values),
        "n_judges": number,
        "ci_low": float(low),
        "ci_high": float(high),
    }


def select_human_verdicts(
    judgments: pd.DataFrame, groups: pd.DataFrame, reading: str
) -> pd.DataFrame:
    """Select the human judges' verdicts in a reading, with `right` and the groups of each judge."""
    table = judgments[judgments[f"kept_{reading}"] & (judgments["judge_kind"] == "human")]
    table = table[table["verdict"].astype(str).isin(["human", "machine"])]
    judge = table["judge"].astype(str)
    right = table["verdict"].astype(str) == table["truth"].astype(str)
    table = table.assign(judge=judge, right=right.astype(float))
    reading_groups = groups[groups["reading"] == reading]
    for by, members in reading_groups.groupby("group_by", sort=False):
        table[f"group:{by}"] = judge.map(members.set_index("judge")["group"])
    return table


def cut_into_bands(
    numbers: list[int] | np.ndarray, limits: tuple[float, ...]
) -> tuple[pd.Series, list[str]]:
    """Find the band of each number, as text, and list all bands in order.

    `limits` are the lower ends in increasing order; numbers below the first one are in no band.
    """
    ends = [*limits[1:], None]
    whole = all(float(limit).is_integer() for limit in limits)
    names = [
        f"{low:g}+" if high is None else f"{low:g}" if whole and high == low + 1
        else f"{low:g} to {high - 1 if whole else high:g}"
        for low, high in zip(limits, ends, strict=True)
    ]  # fmt: skip
    edges = [*limits, np.inf]
    cut = pd.cut(pd.to_numeric(pd.Series(numbers).astype(object)), edges, right=False, labels=names)
    return cut.astype(object), names


def measure_breakdowns(
    judgments: pd.DataFrame, groups: pd.DataFrame, study: Study, level: float
) -> pd.DataFrame:
    """Measure accuracy, number of judges and d' by group of judges, and accuracy by band of trial numbers.

    Quantities are accuracy (share of correct verdicts, on all trials and on those on people and on
    machines), judges (share of the judges who answered), d_prime (mean over judges), confidence_area
    (`turingstats.stats.roc`, where confidence has bands), mean and sd (of a trial's numbers) and at_most
    (share of judges with at most this many trials).
    """
    rows: list[dict[str, Any]] = []
    for reading in study.readings:
        people = select_human_verdicts(judgments, groups, reading)
        for (task, cohort), trials in people.groupby(["task", "cohort"]):
            ways = list_ways(trials, study)
            of_cohort = [
                *measure_levels(trials, ways, reading, study, level),
                *measure_numbers(trials, study.tasks[task].columns, level),
            ]
            # All trials of the source, including those that a filter left out later.
            source = judgments[(judgments["task"] == task) & (judgments["cohort"] == cohort)]
            session = source["judge"].astype(str).value_counts()
            for most in SESSIONS:
                share = measure_share(int((session <= most).sum()), len(session), level)
                how = "judges with at most so many trials in the source; Wilson interval"
                of_cohort.append(("at_most", "trials", f"{most}", "all", share | {"method": how}))
            of_cohort += measure_judges(trials, ways, reading, study, level)
            shared = {"task": task, "cohort": cohort, "reading": reading}
            for *place, estimate in of_cohort:
                rows.append(shared | dict(zip(MEASURED, place, strict=True)) | estimate)
    return tabulate(rows, "breakdowns", study=study.study)


Measured = tuple[str, str, str, str, dict[str, Any]]
"""What is in the columns `MEASURED`, and the estimate."""


def list_ways(trials: pd.DataFrame, study: Study) -> dict[str, tuple[pd.Series, list[str]]]:
    """List the ways to break trials down: the level of each trial, and all levels in order."""
    ways = {}
    for by, described in study.demographics.items():
        if f"group:{by}" in trials:
            ways[by] = trials[f"group:{by}"], list(described)
    for by, limits in study.bands.items():
        if by in trials and trials[by].notna().any():
            bands, names = cut_into_bands(trials[by].to_numpy(), limits)
            ways[by] = bands.set_axis(trials.index), names
    for pair in study.breakdowns:
        parts = pair.split("+")
        if {*parts} <= {*ways, *trials}:
            (first, outer), (second, inner) = (find_way(trials, name, ways) for name in parts)
            known = first.notna() & second.notna()
            pairs = zip(first[known], second[known], strict=True)
            levels = pd.Series([join_names(pair, SLASH) for pair in pairs], first.index[known])
            names = [join_names(pair, SLASH) for pair in itertools.product(outer, inner)]
            ways[pair] = levels.reindex(first.index), names
    return ways


def find_way(
    trials: pd.DataFrame, name: str, ways: dict[str, tuple[pd.Series, list[str]]]
) -> tuple[pd.Series, list[str]]:
    """Find a way to break trials down, or the values of a column, in order of appearance."""
    if name in ways:
        return ways[name]
    levels = trials[name].astype(object)
    levels = levels.astype(str).where(levels.notna(), None)
    return levels, list(levels.dropna().unique())


def measure_levels(
    trials: pd.DataFrame,
    ways: dict[str, tuple[pd.Series, list[str]]],
    reading: str,
    study: Study,
    level: float,
) -> Iterator[Measured]:
    """Measure accuracy at each level, and the area under the ROC curve of confidence."""
    # Categories and few columns, since there may be a million rows.
    columns = ["task", "judge", "stimulus", "truth", "right", *{"confidence"} & set(trials)]
    trials = trials[columns].astype({"judge": "category", "stimulus": "category"})
    of_truth = {truth: trials["truth"].isin(kinds).to_numpy() for truth, kinds in TRUTHS.items()}
    for by, (levels, names) in ways.items():
        codes = pd.Index(names, dtype=object).get_indexer(levels)
        for place, name in enumerate(names):
            for truth, rows in of_truth.items():
                part = trials[(codes == place) & rows]
                if len(part):
                    stimuli = get_stimuli(part, reading, study)
                    share = estimate_share(part["right"], part["judge"], level, stimuli)
                    yield "accuracy", by, name, truth, share
    for truth, rows in of_truth.items() if "confidence" in ways else ():
        part = trials[trials["confidence"].notna() & rows]
        if len(part):
            area = measure_confidence_area(part, get_stimuli(part, reading, study), level)
            yield "confidence_area", "confidence", "all", truth, area


def measure_numbers(
    trials: pd.DataFrame, columns: Mapping[str, str], level: float
) -> Iterator[Measured]:
    """Measure mean and standard deviation of the numbers of trials."""
    for name in (name for name, kind in columns.items() if kind == "number"):
        numbers = pd.to_numeric(trials[name].astype(object)).dropna()
        if len(numbers):
            mean = estimate_mean(numbers, trials.loc[numbers.index, "judge"], level)
            how = "mean over trials; t interval, variance between judges"
            yield "mean", name, "all", "all", mean | {"method": how}
            spread = {"value": float(numbers.std()), "n": len(numbers)}
            how = "standard deviation over trials"
            yield "sd", name, "all", "all", spread | {"method": how}


def measure_judges(
    trials: pd.DataFrame,
    ways: dict[str, tuple[pd.Series, list[str]]],
    reading: str,
    study: Study,
    level: float,
) -> Iterator[Measured]:
    """Measure the share of judges, and their mean d', in each demographic group."""
    scores, dropped = select_judge_d_primes(trials, reading)
    for by in [name for name in study.demographics if name in ways]:
        answered = trials.drop_duplicates("judge").dropna(subset=f"group:{by}")
        group = answered.set_index("judge")[f"group:{by}"]
        for name in ways[by][1]:
            share = measure_share(int((group == name).sum()), len(group), level)
            yield "judges", by, name, "all", share | {"method": "Wilson interval"}
            part = scores["d_prime"][scores.index.map(group) == name]
            if len(part):
                how = f"mean over judges of d', {describe_smoothing()}; t interval"
                how += f"; left out: {dropped}" if dropped else ""
                mean = estimate_mean(part, part.index, level)
                yield "d_prime", by, name, "all", mean | {"method": how}


def measure_share(k: int, n: int, level: float) -> dict[str, Any]:
    """Measure the share of k in n judges, with its Wilson interval."""
    low, high = wilson(k, n, level)
    limits = {"ci_low": float(low), "ci_high": float(high)}
    return {"value": k / n, "k": k, "n": n, "n_judges": n} | limits


def get_stimuli(trials: pd.DataFrame, reading: str, study: Study) -> pd.Series | None:
    """Get the stimuli of trials of one task; None where they are not known, or no sample in this reading."""
    known = trials["stimulus"].notna().all()
    task = study.tasks[str(trials["task"].iloc[0])]
    sampled = reading == "recommended" and "stimuli" in task.samples
    return trials["stimulus"] if sampled and known else None


def measure_confidence_area(
    trials: pd.DataFrame, stimuli: pd.Series, level: float
) -> dict[str, Any]:
    """Measure the area under the ROC curve of confidence, over judges, and over stimuli if they are given."""
    judge, names = number_names(trials["judge"])
    area = roc.compute_roc_area(trials["right"], trials["confidence"], judge, level)
    area["method"] = roc.METHOD
    few = stimuli is None or min(len(names), stimuli.nunique()) < MIN_UNITS
    if few or not np.isfinite(area["ci_low"]):
        return area
    value, influence = roc.linearize_area(trials["right"].to_numpy(bool), trials["confidence"])
    error = crossed.estimate_crossed_error(influence, judge, number_names(stimuli)[0])
    return area | crossed.describe_estimate(value, error, level) | {"method": CONFIDENCE}


def describe_smoothing() -> str:
    """Describe the correction of hit and false alarm rates in words."""
    return "{:g} added to hits and false alarms, {:g} to their trials".format(*CORRECTION)


def select_judge_d_primes(trials: pd.DataFrame, reading: str) -> tuple[pd.DataFrame, str]:
    """Compute d' for the judges of a reading who have one, and describe how many were left out and why.

    The published reading has all judges; the recommended one those who saw people and machines and gave
    both answers.
    """
    scores = compute_judge_d_primes(trials)
    if reading == "published":
        return scores, ""
    reasons = {
        "judges of people or machines alone": ~scores["both"],
        "judges with the same answer to all": scores["both"] & scores["same_answers"],
    }
    dropped = "; ".join(f"{judges.sum()} {why}" for why, judges in reasons.items() if judges.any())
    return scores[scores["both"] & ~scores["same_answers"]], dropped


def compute_judge_d_primes(trials: pd.DataFrame) -> pd.DataFrame:
    """Compute d' for every judge, where a hit is a machine judged machine.

    `both` is whether the judge saw people and machines, `same_answers` whether the judge gave the same
    answer to all. After smoothing, a judge who saw no people has a false alarm rate of 0.5, with z = 0.
    """
    machine = (trials["truth"].astype(str) == "machine").to_numpy()
    right = trials["right"].to_numpy()
    sums = pd.DataFrame(
        {
            "judge": trials["judge"].to_numpy(),
            "human_right": right * ~machine,
            "human_n": (~machine).astype(float),
            "machine_right": right * machine,
            "machine_n": machine.astype(float),
        }
    )
    four = sums.groupby("judge").sum()
    counts = [four[name] for name in COUNTED]
    hits, alarms = np.nan_to_num(z_scores(*counts))
    return four.assign(
        d_prime=hits - alarms,
        same_answers=find_same_answers(*counts),
        both=(four["human_n"] > 0) & (four["machine_n"] > 0),
    )
