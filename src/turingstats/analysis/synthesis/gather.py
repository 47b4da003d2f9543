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

from turingstats.analysis.synthesis import odds_ratios
from turingstats.analysis.synthesis.odds_ratios import CHOICE, SINGLE
from turingstats.core import files
from turingstats.core.data_labels import PRINTED_COUNTS, is_generated
from turingstats.data.schema import RESULTS
from turingstats.stats.multiplicity import adjust_p_values

BROKEN = "its study file is not valid"
NOT_RUN = "there are no results of it"
NO_PEOPLE = "no observed or printed verdicts of people on responses of both people and machines"
GENERATED = "its verdicts are generated, and the paper prints no counts"
FEEDBACK = "they had been trained with the right answers"
SAME_FILES = "it has the same raw files as {}"
NOT_PRINTED = "the paper prints no counts of it, and none follow from its rates"


def gather_effects(
    studies: list[dict[str, Any]], results: Path, level: float, broken: Iterable[str] = ()
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Gather the odds ratios of all studies, in their order, and what does not enter and why.

    p_adjusted is Holm's over all odds ratios. A study may have no folder; `broken` are studies whose
    files cannot be read.
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
        if len(effects) and not (effects["data"] == PRINTED_COUNTS).any()
    }
    references = {study["study"]: study["reference"] for study in studies}
    for name in sorted(raw, key=lambda name: (len(by_study[name]), name)):
        larger = [twin for twin in raw if twin != name and raw[twin] & raw[name]]
        if larger:
            reason = SAME_FILES.format(references[larger[0]] or larger[0])
            left_out.append((name, references[name], "study", reason))
            by_study[name] = combine_effects([])
            del raw[name]
    effects = combine_effects(by_study.values())
    effects = effects.assign(p_adjusted=adjust_p_values(effects["p"], "holm"))
    return effects, pd.DataFrame(left_out, columns=RESULTS["not_synthesized"])


def gather_study(
    study: dict[str, Any], folder: Path, level: float
) -> tuple[pd.DataFrame, list[tuple[str, str]]]:
    """Gather the odds ratios of a study, and what does not enter and why."""
    if study["why_not"]:
        return combine_effects([]), [("study", study["why_not"])]
    path = folder / "data/counts.parquet"
    if not path.exists():
        return combine_effects([]), [("study", NOT_RUN)]
    counts = files.read_frame(path)
    counts = counts[
        (counts["reading"] == "recommended")
        & (counts["group_by"] == "all")
        & (counts["judge_kind"] == "human")
    ]
    if counts["data"].map(is_generated).any():
        tables, reasons = gather_printed(study, folder, level)
        lacking = GENERATED
    else:
        tables, reasons = gather_verdicts(study, counts, level)
        lacking = NO_PEOPLE
    effects = combine_effects(tables)
    return effects, reasons if len(effects) else [*reasons, ("study", lacking)]


def gather_verdicts(
    study: dict[str, Any], counts: pd.DataFrame, level: float
) -> tuple[list[pd.DataFrame], list[tuple[str, str]]]:
    """Gather the odds ratios of a study from its verdicts, task by task."""
    tables, reasons = [], []
    for name, task in study["tasks"].items():
        cohorts = task["cohorts"]
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
            several = [name for name in task["agents"] if study["agents"][name].get("several")]
            measured = odds_ratios.measure_task(of_task, task["choice"], level, several)
            (data,) = of_task["data"].unique()
            tables.append(describe_effects(measured, study, name, data))
    return tables, reasons


def gather_printed(
    study: dict[str, Any], folder: Path, level: float
) -> tuple[list[pd.DataFrame], list[tuple[str, str]]]:
    """Gather the odds ratios of a study from what its paper prints."""
    tables, reasons = [], []
    path = folder / "statistics/success_rates.csv"
    if path.exists():
        rates = files.read_frame(path)
        rates = rates[(rates["data"] == PRINTED_COUNTS) & (rates["subset"] == study["whole"])]
        for task, of_task in rates.groupby("task", sort=False):
            measured = odds_ratios.measure_counts(of_task, level)
            tables.append(describe_effects(measured, study, task, PRINTED_COUNTS))
    path = folder / "statistics/printed_rates.csv"
    if path.exists():
        rates = files.read_frame(path)
        # The printed settings of one test are levels of conditions of the first task of choices.
        task = next(name for name, one in study["tasks"].items() if one["choice"])
        of_task = rates[rates["cohort"].isin(list(study["tasks"][task]["cohorts"]))]
        measured, without = odds_ratios.measure_choices(of_task, level)
        tables.append(describe_effects(measured, study, task, PRINTED_COUNTS))
        labels = study["agents"]
        reasons += [(labels[agent]["label"], NOT_PRINTED) for agent in without]
    return tables, reasons


def describe_effects(
    effects: pd.DataFrame, study: dict[str, Any], name: str, data: str
) -> pd.DataFrame:
    """Add the names of a task's odds ratios: study, task, agents and what they are.

    Where an agent has several, ids and labels say whose judgments each is from.
    """
    task, agents = study["tasks"][name], [study["agents"][one] for one in effects["agent"]]
    ids = f"{study['study']}.{name}." + effects["agent"]
    labels = pd.Series([agent["label"] for agent in agents], effects.index, object)
    again = effects["agent"].duplicated(keep=False)
    if again.any():
        cohorts = effects["cohorts"][again]
        ids[again] += "." + cohorts
        labels[again] += [f" ({task['cohorts'][cohort]['label']})" for cohort in cohorts]
    return effects.assign(
        effect_id=ids,
        study=study["study"],
        reference=study["reference"] or study["title"],
        task=name,
        task_label=task["label"],
        design=CHOICE if task["choice"] else SINGLE,
        agent_label=labels,
        kind=[agent["kind"] or None for agent in agents],
        data=data,
    ).reindex(columns=RESULTS["effects"])


def combine_effects(tables: Iterable[pd.DataFrame]) -> pd.DataFrame:
    """Combine the odds ratios of different tasks."""
    filled = [table for table in tables if len(table)]
    return (
        pd.concat(filled, ignore_index=True) if filled else pd.DataFrame(columns=RESULTS["effects"])
    )


def read_checksums(path: Path) -> set[str]:
    """Read the checksums of the raw files of a study."""
    if not path.exists():
        return set()
    source = json.loads(path.read_text(encoding="utf-8"))["source"]
    return set((source.get("sha256") or {}).values())


def list_forest(effects: pd.DataFrame) -> pd.DataFrame:
    """List the rows of the forest plot: the agents of each task, those judged human most often first."""
    tasks = pd.factorize(effects["study"] + "." + effects["task"])[0]
    rows = effects.iloc[np.lexsort([-effects["log_odds_ratio"].astype(float), tasks])]
    return rows.assign(
        section=rows["task_label"] + ", " + rows["reference"],
        label=rows["agent_label"],
        reading="recommended",
    )[RESULTS["forest"]]
