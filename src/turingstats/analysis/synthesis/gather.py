"""Which studies, tasks and agents enter the synthesis, and why others do not.

Only verdicts of people enter, observed ones or counts that a paper prints: generated data say nothing about
machines.
"""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from turingstats.analysis.synthesis import odds_ratios, printed_odds
from turingstats.analysis.synthesis.odds_ratios import CHOICE, SINGLE, Effects
from turingstats.core import files
from turingstats.core.data_labels import PRINTED_COUNTS, is_generated

LEFT_OUT = ["study", "reference", "what", "reason"]
COVARIANCES = ["effect_id", "other_id", "covariance"]

BROKEN = "its study file is not valid"
NOT_RUN = "there are no results of it"
NO_PEOPLE = "no observed or printed verdicts of people on responses of both people and machines"
GENERATED = "its verdicts are generated, and the paper prints no counts"
FEEDBACK = "they had been trained with the right answers"
SAME_ROWS = "its verdicts may be those of {}"
SAME_FILES = "it has the same raw files as {}"


def gather_effects(
    studies: list[dict[str, Any]], results: Path, level: float, broken: Iterable[str] = ()
) -> tuple[Effects, pd.DataFrame]:
    """Gather the odds ratios of all studies, in their order, and what does not enter (`LEFT_OUT`) and why.

    A study may have no folder of results; `broken` are studies whose files cannot be read.
    """
    by_study, left_out = {}, [(name, "", "study", BROKEN) for name in broken]
    for study in studies:
        folder = Path(results) / study["study"]
        effects, reasons = gather_study(study, folder, level)
        left_out += [(study["study"], study["reference"], *reason) for reason in reasons]
        by_study[study["study"]] = effects
    # Printed counts have no raw files.
    raw = {
        name: read_checksums(Path(results) / name / "data/provenance.json")
        for name, effects in by_study.items()
        if len(effects.table) and not (effects.table["data"] == PRINTED_COUNTS).any()
    }
    references = {study["study"]: study["reference"] for study in studies}
    for name in sorted(raw, key=lambda name: (len(by_study[name].table), name)):
        larger = [other for other in raw if other != name and raw[other] & raw[name]]
        if larger:
            reason = SAME_FILES.format(references[larger[0]] or larger[0])
            left_out.append((name, references[name], "study", reason))
            by_study[name] = odds_ratios.combine_effects([])
            del raw[name]
    return odds_ratios.combine_effects(by_study.values()), pd.DataFrame(left_out, columns=LEFT_OUT)


def gather_study(
    study: dict[str, Any], folder: Path, level: float
) -> tuple[Effects, list[tuple[str, str]]]:
    """Gather the odds ratios of a study, and what does not enter and why."""
    if study["why_not"]:
        return odds_ratios.combine_effects([]), [("study", study["why_not"])]
    path = folder / "data/counts.parquet"
    if not path.exists():
        return odds_ratios.combine_effects([]), [("study", NOT_RUN)]
    counts = files.read_frame(path)
    counts = counts[
        (counts["reading"] == "recommended")
        & (counts["group_by"] == "all")
        & (counts["judge_kind"] == "human")
    ]
    if counts["data"].map(is_generated).any():
        parts, reasons = gather_printed(study, folder, level)
        lacking = GENERATED
    else:
        parts, reasons = gather_verdicts(study, counts, level)
        lacking = NO_PEOPLE
    effects = odds_ratios.combine_effects(parts)
    return effects, reasons if len(effects.table) else [*reasons, ("study", lacking)]


def gather_verdicts(
    study: dict[str, Any], counts: pd.DataFrame, level: float
) -> tuple[list[Effects], list[tuple[str, str]]]:
    """Gather the odds ratios of a study from its verdicts, task by task."""
    parts, reasons = [], []
    for name, task in study["tasks"].items():
        cohorts = task["cohorts"]
        if task["same_as"]:
            other = study["tasks"][task["same_as"]]["label"]
            reasons.append((task["label"], SAME_ROWS.format(other)))
            continue
        of_task = counts[(counts["task"] == name) & counts["cohort"].isin(list(cohorts))]
        of_task = of_task[of_task["agent"].isin(["human", *task["agents"]])]
        instructed = [c for c in of_task["cohort"].unique() if cohorts[c]["setting"] == "feedback"]
        reasons += [
            (f"{task['label']}: {cohorts[cohort]['label']}", FEEDBACK) for cohort in instructed
        ]
        of_task = of_task[~of_task["cohort"].isin(instructed)]
        if "stimuli" not in task["samples"]:
            of_task = of_task.assign(stimulus="")
        if len(of_task):
            measured = odds_ratios.measure_task(of_task, task["choice"], level)
            parts.append(describe_effects(measured, study, name, of_task["data"].iloc[0]))
    return parts, reasons


def gather_printed(
    study: dict[str, Any], folder: Path, level: float
) -> tuple[list[Effects], list[tuple[str, str]]]:
    """Gather the odds ratios of a study from what its paper prints."""
    parts, reasons = [], []
    path = folder / "statistics/success_rates.csv"
    if path.exists():
        rates = files.read_frame(path)
        rates = rates[(rates["data"] == PRINTED_COUNTS) & (rates["subset"] == study["whole"])]
        for task, of_task in rates.groupby("task", sort=False):
            measured = printed_odds.measure_counts(of_task, level)
            parts.append(describe_effects(measured, study, task, PRINTED_COUNTS))
    path = folder / "statistics/printed_rates.csv"
    if path.exists():
        rates = files.read_frame(path)
        # The printed settings of one test are levels of conditions of the first task of choices.
        task = next(name for name, one in study["tasks"].items() if one["choice"])
        of_task = rates[rates["cohort"].isin(list(study["tasks"][task]["cohorts"]))]
        measured, without = printed_odds.measure_choices(of_task, level)
        parts.append(describe_effects(measured, study, task, PRINTED_COUNTS))
        labels = study["agents"]
        reasons += [(labels[agent]["label"], printed_odds.NOT_PRINTED) for agent in without]
    return parts, reasons


def describe_effects(effects: Effects, study: dict[str, Any], name: str, data: str) -> Effects:
    """Add the names of a task's odds ratios: study, task, agents and what they are."""
    task, agents = study["tasks"][name], [study["agents"][one] for one in effects.table["agent"]]
    table = effects.table.assign(
        effect_id=[f"{study['study']}.{name}.{agent}" for agent in effects.table["agent"]],
        study=study["study"],
        reference=study["reference"] or study["title"],
        task=name,
        task_label=task["label"],
        design=CHOICE if task["choice"] else SINGLE,
        agent_label=[agent["label"] for agent in agents],
        kind=[agent["kind"] or None for agent in agents],
        released=np.array([agent["released"] for agent in agents], float),
        data=data,
    )
    return Effects(table.reindex(columns=list(odds_ratios.EFFECTS)), effects.covariance)


def read_checksums(path: Path) -> set[str]:
    """Read the checksums of the raw files of a study."""
    if not path.exists():
        return set()
    source = json.loads(path.read_text(encoding="utf-8"))["source"]
    return set((source.get("sha256") or {}).values())


def list_covariances(effects: Effects) -> pd.DataFrame:
    """List the covariances that are not 0, each pair once, with variances: columns `COVARIANCES`."""
    first, second = np.nonzero(np.tril(effects.covariance))
    names = effects.table["effect_id"].to_numpy(object)
    values = names[first], names[second], effects.covariance[first, second]
    return pd.DataFrame(dict(zip(COVARIANCES, values, strict=True)))
