"""Scores of detectors: hit rates at stated false-alarm rates, and their means."""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd

from turingstats.analysis.breakdowns import estimate_share
from turingstats.analysis.graded_verdicts import (
    Graded,
    code_units,
    count_units,
    describe_estimate,
    measure_ratings,
    name_stimuli,
    select_agents,
)
from turingstats.analysis.rows import tabulate
from turingstats.config.graded import ALL_DETECTORS
from turingstats.stats import roc

NAN = float("nan")
FALSE_ALARMS = (0.01, 0.05)
"""False-alarm rates at which the threshold and the hits are reported."""
SHARE = "clustered by stimulus; Wilson interval of the effective number of trials"


def measure_graded(graded: list[Graded], level: float) -> pd.DataFrame:
    """Measure ratings, and thresholds of detectors."""
    return tabulate([*measure_ratings(graded, level), *measure_scores(graded, level)], "ratings")


def measure_scores(graded: list[Graded], level: float) -> Iterator[dict[str, Any]]:
    """Measure thresholds of detectors; yields rows.

    Quantities are threshold, false_alarms and hits, at the false-alarm rate in `level`. Means over the
    detectors of a task have the cohort `ALL_DETECTORS`.
    """
    for keys, scale, trials in graded:
        if scale["kind"] == "score":
            for row in measure_thresholds(trials, level):
                yield keys | row
    yield from pool_detectors(graded, level)


def find_threshold(trials: pd.DataFrame, rate: float) -> float:
    """Find the smallest score that at most a share `rate` of people's responses reach; infinite if none."""
    machine = (trials["truth"].astype(str) == "machine").to_numpy()
    # The curve begins at a threshold above all scores, without false alarms.
    alarms, _, thresholds = roc.find_roc_points(machine, trials["rating"].to_numpy(float))
    return float(thresholds[np.flatnonzero(alarms <= rate)[-1]])


def name_rate(agent: str) -> str:
    """Name the share of an agent's responses that reach a threshold."""
    return "false_alarms" if agent == "human" else "hits"


def measure_thresholds(
    trials: pd.DataFrame, level: float, rates: Sequence[float] = FALSE_ALARMS
) -> Iterator[dict[str, Any]]:
    """Measure the hits of one detector where false alarms are at most at stated rates; yields rows."""
    agents = select_agents(trials)
    if "human" not in agents or len(agents) < 2:
        return
    scores, (_, stimuli) = trials["rating"].to_numpy(float), code_units(trials)
    people = trials[(trials["truth"].astype(str) != "machine").to_numpy()]
    for rate in rates:
        threshold = find_threshold(trials, rate)
        shared = {"level": f"{rate:g}", "n_judges": 1}
        method = f"smallest score with at most {rate:g} of people's responses at or above it"
        yield (
            {"agent": "human", "quantity": "threshold", "n": len(people)}
            | shared
            | count_units(code_units(people))
            | {
                "value": threshold if np.isfinite(threshold) else NAN,
                "method": method + ("" if np.isfinite(threshold) else "; none has"),
            }
        )
        for agent, rows in agents.items():
            of_agent = rows.to_numpy()
            share = estimate_share(scores[of_agent] >= threshold, stimuli[of_agent], level)
            # Its clusters are stimuli here.
            share["n_stimuli"] = share.pop("n_judges")
            method = f"share at or above the threshold, which is taken as fixed; {SHARE}"
            yield (
                {"agent": agent, "quantity": name_rate(agent)} | share | shared | {"method": method}
            )


def pool_detectors(graded: list[Graded], level: float) -> Iterator[dict[str, Any]]:
    """Average over the detectors of each task, each with its own threshold; yields rows.

    Quantities are roc_area, hits at stated false-alarm rates, and judged_machine: the share of responses on
    the machine side of the declared threshold, which for people's is the false-alarm rate. Errors are over
    stimuli, which detectors share.
    """
    by_task: dict[tuple[str, ...], list[tuple[dict[str, str], pd.DataFrame]]] = {}
    for keys, scale, trials in graded:
        if scale["kind"] == "score" and trials["truth"].nunique() > 1:
            shared = keys["study"], keys["reading"], keys["task"]
            by_task.setdefault(shared, []).append((keys, trials))
    for (study, reading, task), detectors in by_task.items():
        if len(detectors) < 2:
            continue
        (first, _), *_ = detectors
        singles = [measure_influences(trials) for _, trials in detectors]
        for quantity, agent, at in dict.fromkeys(name for part in singles for name in part):
            measured = [
                part[quantity, agent, at] for part in singles if (quantity, agent, at) in part
            ]
            values, influences, stimuli = zip(*measured, strict=True)
            influence = np.concatenate(influences) / len(values)
            codes = np.unique(np.concatenate(stimuli), return_inverse=True)[1]
            units = np.zeros(len(codes), int), codes
            estimate = describe_estimate(
                float(np.mean(values)), influence, units, level, share=True
            )
            described = f"mean of {len(values)} detectors; {estimate['method']}".replace(
                "this judge", "these detectors"
            )
            yield (
                {"study": study, "reading": reading, "task": task, "cohort": ALL_DETECTORS}
                | estimate
                | {
                    "judge_kind": first["judge_kind"],
                    "judge": "",
                    "agent": agent,
                    "quantity": quantity,
                    "level": at,
                    "n_judges": len(values),
                    "method": described,
                }
            )


Measured = dict[tuple[str, str, str], tuple[float, np.ndarray, np.ndarray]]
"""By quantity, agent and level: the value, how much each trial moves it, and the stimuli of the trials."""


def measure_influences(trials: pd.DataFrame) -> Measured:
    """Measure one detector, and how much each trial moves each number."""
    machine = (trials["truth"].astype(str) == "machine").to_numpy()
    scores = trials["rating"].to_numpy(float)
    names = name_stimuli(trials).to_numpy()
    reached = {f"{rate:g}": scores >= find_threshold(trials, rate) for rate in FALSE_ALARMS}
    said = (trials["verdict"].astype(str) == "machine").to_numpy()
    measured: Measured = {}
    for agent, rows in select_agents(trials).items():
        own = rows.to_numpy()
        shares = {("judged_machine", ""): said}
        shares |= {(name_rate(agent), at): over for at, over in reached.items()}
        for (quantity, at), is_machine in shares.items():
            share = float(is_machine[own].mean())
            measured[quantity, agent, at] = (
                share,
                (is_machine[own] - share) / own.sum(),
                names[own],
            )
        if agent != "human":
            both = own | ~machine
            area, influence = roc.linearize_area(machine[both], scores[both])
            measured["roc_area", agent, ""] = area, influence, names[both]
    return measured
