"""Ratings and scores: their distribution, their means, and how well they tell machines from people.

Ratings of people are a sample of judges and of stimuli, so that errors are over both
(`turingstats.stats.crossed`). A machine judge, such as a detector, is described by itself, and errors are
over its stimuli.
"""

import itertools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from turingstats.config.graded import CohortGrades, Grades
from turingstats.config.study import Study
from turingstats.data.counts import merge_sessions
from turingstats.stats import crossed, roc
from turingstats.stats.crossed import CrossedError

NAN = float("nan")
MOST_POINTS = 20
"""Maximum number of points of a scale that are counted one by one; more are counted in ten bins."""
STEP = 0.005
"""Smallest distance of two points of the ROC curve of a score."""
Graded = tuple[dict[str, str], Grades, pd.DataFrame]
"""Who judged in which reading (people of a cohort, or a machine judge), on what scale, and the trials."""
CROSSED = "error over judges and stimuli, Student's t with Satterthwaite's df"
STIMULI = "error over stimuli, Student's t; holds for this judge"
NONE = "no interval: a single stimulus"


def describe_method(error: CrossedError, share: bool) -> str:
    """Describe how an interval was computed."""
    if not np.isfinite(error.df):
        return NONE
    method = STIMULI if np.isnan(error.judges) else CROSSED
    return f"{method}; interval on the logit scale" if share else method


def name_stimuli(trials: pd.DataFrame) -> pd.Series:
    """Name the stimuli of trials; a trial without a stimulus has one of its own."""
    numbers = pd.Series(range(len(trials)), index=trials.index)
    stimuli = trials["stimulus"].astype(object)
    return stimuli.where(stimuli.notna(), "trial " + numbers.astype(str)).astype(str)


def code_units(trials: pd.DataFrame) -> tuple[np.ndarray, np.ndarray]:
    """Number the judges and the stimuli of trials."""
    return pd.factorize(trials["judge"].astype(str))[0], pd.factorize(name_stimuli(trials))[0]


def split_judges(table: pd.DataFrame) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    """Split the trials of cohorts by who is described: people together, each machine judge by itself.

    A machine judge is named without its cohort; the name is empty for people, and for a machine judge
    that has the name of its cohort.
    """
    for (task, cohort, kind), trials in table.groupby(["task", "cohort", "judge_kind"]):
        keys = {"task": task, "cohort": cohort, "judge_kind": kind}
        if kind == "human":
            yield keys | {"judge": ""}, trials
            continue
        for judge, part in trials.groupby("judge", sort=False):
            name = str(judge).removeprefix(f"{task}.{cohort}.")
            yield keys | {"judge": "" if name == cohort else name}, part


def select_agents(trials: pd.DataFrame) -> dict[str, pd.Series]:
    """Select the trials of people's responses, of all machines' if there are several, and of each one's."""
    agent = trials["agent"].astype(str)
    machines = [name for name in trials["agent"].cat.categories if (agent == name).any()]
    machines = [name for name in machines if name != "human"]
    selected = {"human": agent == "human"} if (agent == "human").any() else {}
    if len(machines) > 1:
        selected["all"] = agent != "human"
    return selected | {name: agent == name for name in machines}


def measure_ratings(graded: list[Graded], level: float) -> Iterator[dict[str, Any]]:
    """Measure the distribution and the mean of ratings and scores, and their ROC curves.

    Quantities are share (of trials at a point or in a bin, `level`), mean, difference (of the means of an
    agent's and of people's responses), confidence (its mean), roc (hits by false alarms, `x`, at each
    criterion, `level`) and roc_area. For people, judge is empty. Yields rows.
    """
    for keys, scale, trials in graded:
        for row in measure_judge(trials, scale, level):
            yield keys | row


def list_graded(
    judgments: pd.DataFrame,
    study: Study,
    grades: CohortGrades,
    people: dict[str, str] | None = None,
) -> list[Graded]:
    """List the trials with a rating or score by reading and judge; the recommended one merges sessions."""
    if not grades:
        return []
    cohorts = dict.fromkeys(name for task in study.tasks.values() for name in task.cohorts)
    order = {"task": study.tasks, "cohort": cohorts, "agent": study.agents}
    listed = []
    for reading in study.readings:
        graded = judgments[judgments[f"kept_{reading}"] & judgments["rating"].notna()]
        if reading == "recommended":
            graded = merge_sessions(graded, people)
        graded = graded.assign(
            **{name: graded[name].cat.set_categories(list(names)) for name, names in order.items()}
        )
        for keys, trials in split_judges(graded):
            by_cohort = grades.get(keys["task"], {})
            scale = by_cohort.get(keys["cohort"], by_cohort.get("all"))
            if scale:
                described = {"study": study.study, "reading": reading} | keys
                listed.append((described, scale, trials))
    return listed


def measure_judge(trials: pd.DataFrame, grades: Grades, level: float) -> Iterator[dict[str, Any]]:
    """Measure the ratings of the people of a cohort, or of one machine judge; yields rows."""
    agents = select_agents(trials)
    bins = choose_bins(trials["rating"].to_numpy(float), grades)
    for agent, rows in agents.items():
        part = trials[rows]
        for row in (*measure_distribution(part, bins, level), *measure_means(part, grades, level)):
            yield {"agent": agent} | row
    for agent, rows in agents.items():
        if agent != "human" and "human" in agents:
            both = trials[rows | agents["human"]]
            if grades["kind"] == "rating":
                yield {"agent": agent} | measure_difference(both, "rating", level, grades["points"])
            for row in measure_curve(both, grades, level):
                yield {"agent": agent} | row


def choose_bins(ratings: np.ndarray, grades: Grades) -> list[tuple[str, float, float]]:
    """Choose the points or bins that ratings are counted in: name, lower limit (inclusive), upper limit.

    The last bin has no upper limit.
    """
    if grades["points"] and len(grades["points"]) <= MOST_POINTS:
        points = grades["points"]
        ends = [*points[1:], np.inf]
        return [
            (f"{point}", float(point), float(end)) for point, end in zip(points, ends, strict=True)
        ]
    low, high = find_limits(ratings, grades)
    edges = low + (high - low) * np.arange(11) / 10 if high > low else np.array([low, high])
    names = [f"{a:.4g} to {b:.4g}" for a, b in itertools.pairwise(edges)]
    return list(zip(names, edges[:-1], [*edges[1:-1], np.inf], strict=True))


def find_limits(ratings: np.ndarray, grades: Grades) -> tuple[float, float]:
    """Find the limits of a scale: its ends, 0 and 1 for probabilities, otherwise those of the scores."""
    if grades["points"]:
        return grades["points"][0], grades["points"][-1]
    return (0.0, 1.0) if is_probability(ratings) else (ratings.min(), ratings.max())


def is_probability(scores: np.ndarray) -> bool:
    """Tell whether scores may be probabilities."""
    return bool(scores.min() >= 0 and scores.max() <= 1)


def measure_distribution(
    trials: pd.DataFrame, bins: list[tuple[str, float, float]], level: float
) -> Iterator[dict[str, Any]]:
    """Measure the share of trials at each point or in each bin, with intervals."""
    ratings = trials["rating"].to_numpy(float)
    inside = np.column_stack([(ratings >= low) & (ratings < high) for _, low, high in bins])
    shares, units = inside.mean(axis=0), code_units(trials)
    error = crossed.estimate_crossed_error((inside - shares) / len(trials), *units)
    low, high = crossed.compute_crossed_interval(shares, error, level)
    counted = count_units(units)
    for i, (name, *_) in enumerate(bins):
        one = error.pick(i)
        yield counted | {
            "quantity": "share",
            "level": name,
            "value": shares[i],
            "k": int(inside[:, i].sum()),
            "n": len(trials),
            "se": one.se,
            "df": one.df,
            "ci_low": low[i],
            "ci_high": high[i],
            "method": describe_method(one, share=True),
        }


def count_units(units: tuple[np.ndarray, np.ndarray]) -> dict[str, int]:
    """Count the judges and stimuli of trials."""
    judges, stimuli = units
    return {"n_judges": len(np.unique(judges)), "n_stimuli": len(np.unique(stimuli))}


def measure_means(trials: pd.DataFrame, grades: Grades, level: float) -> Iterator[dict[str, Any]]:
    """Measure the mean rating or score, and for ratings the mean confidence, with intervals."""
    mean = estimate_mean(trials, "rating", level)
    if grades["points"]:
        # A mean rating lies on the scale.
        ends = grades["points"][0], grades["points"][-1]
        mean |= {name: float(np.clip(mean[name], *ends)) for name in ("ci_low", "ci_high")}
    yield {"quantity": "mean"} | mean
    if grades["kind"] == "rating" and trials["confidence"].notna().any():
        yield {"quantity": "confidence"} | estimate_mean(trials, "confidence", level)


def measure_difference(
    trials: pd.DataFrame, column: str, level: float, points: Sequence[float] = ()
) -> dict[str, Any]:
    """Measure how much higher machines' responses are rated than people's, with the error of a contrast.

    The interval ends where the scale of `points` does.
    """
    machine = (trials["agent"].astype(str) != "human").to_numpy()
    values = trials[column].to_numpy(float)
    means = values[~machine].mean(), values[machine].mean()
    value = float(means[1] - means[0])
    number = np.where(machine, machine.sum(), -(~machine).sum())
    influence = ((values - np.where(machine, means[1], means[0])) / number)[:, None]
    units = code_units(trials)
    samples = [unit for unit in units if len(np.unique(unit)) > 1]
    sides = np.column_stack([~machine, machine]).astype(float)
    tested = crossed.assess_contrasts(
        np.array([value]),
        [crossed.sum_sides(influence * sides, sides, unit) for unit in samples],
        crossed.multiply_pairs(influence * sides, crossed.number_pairs(*units)),
        np.ones((1, 2)),
    )
    reach = tested.compute_reach(level) if tested.df else NAN
    method = CROSSED if len(samples) == 2 else STIMULI
    most = points[-1] - points[0] if points else np.inf
    return count_units(units) | {
        "quantity": "difference",
        "value": value,
        "n": len(values),
        "se": tested.se,
        "df": tested.df[0] if tested.df else NAN,
        "ci_low": max(value - reach, -most),
        "ci_high": min(value + reach, most),
        "method": f"mean of machines' minus mean of people's responses; {method}"
        if tested.df
        else f"no interval: fewer than {crossed.MIN_UNITS} judges or stimuli of either kind",
    }


def estimate_mean(trials: pd.DataFrame, column: str, level: float) -> dict[str, Any]:
    """Estimate the mean of a column over the trials that have a value, with its interval."""
    filled = trials[trials[column].notna()]
    values = filled[column].to_numpy(float)
    mean = float(values.mean())
    influence = (values - mean) / len(values)
    return describe_estimate(mean, influence, code_units(filled), level, share=False)


def describe_estimate(
    value: float,
    influence: np.ndarray,
    units: tuple[np.ndarray, np.ndarray],
    level: float,
    share: bool,
) -> dict[str, Any]:
    """Describe an estimate by its error, from the influence of each trial, its interval and its sample."""
    error = crossed.estimate_crossed_error(influence, *units)
    sample = count_units(units) | {"n": len(influence), "method": describe_method(error, share)}
    return sample | crossed.describe_estimate(value, error, level, share)


def measure_curve(trials: pd.DataFrame, grades: Grades, level: float) -> Iterator[dict[str, Any]]:
    """Measure the ROC curve of people's and machines' responses, and the area under it."""
    machine = (trials["truth"].astype(str) == "machine").to_numpy()
    ratings = trials["rating"].to_numpy(float)
    units = code_units(trials)
    counted = count_units(units) | {"n": len(trials)}
    rated = grades["kind"] == "rating"
    alarms, hits, criteria = roc.find_roc_points(machine, ratings)
    kept = np.ones(len(criteria), bool) if rated else thin_curve(alarms, hits)
    for i in np.flatnonzero(kept):
        criterion = "none" if np.isinf(criteria[i]) else f"at least {criteria[i]:.6g}"
        yield counted | {
            "quantity": "roc",
            "level": criterion,
            "x": alarms[i],
            "value": hits[i],
            "k": round(hits[i] * machine.sum()),
            "n": int(machine.sum()),
            "method": "share of machines' responses rated so, by that of people's (x)"
            + ("" if rated else f"; points at least {STEP:g} apart"),
        }
    if len(np.unique(units[0])) > 1:
        area, influence = roc.linearize_area(machine, ratings)
        estimate = describe_estimate(area, influence, units, level, share=True)
        method = f"placements (DeLong); {estimate['method']}"
    else:
        estimate = roc.compute_roc_area(machine, ratings, units[1], level)
        method = "DeLong, clustered by stimulus (Obuchowski); interval on the logit scale"
        estimate = {name: estimate[name] for name in ("value", "se", "ci_low", "ci_high")}
    yield (
        counted | {"quantity": "roc_area", "k": int(machine.sum())} | estimate | {"method": method}
    )


def thin_curve(alarms: np.ndarray, hits: np.ndarray) -> np.ndarray:
    """Choose points of a curve that are at least `STEP` apart in either rate, and its last point."""
    kept = np.zeros(len(alarms), bool)
    last = (-np.inf, -np.inf)
    for i, point in enumerate(zip(alarms, hits, strict=True)):
        if max(point[0] - last[0], point[1] - last[1]) >= STEP:
            kept[i], last = True, point
    kept[-1] = True
    return kept
