"""What judges were shown and contributors were asked, as far as the data and the study file tell.

A paper's constants (the share of trials on people, conversation lengths, the minimum number of words in a
caption) are claims, too. `measure_protocol` takes them from the trials and responses, `list_settings` from
the study file.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from turingstats.config.settings import FIXATIONS
from turingstats.config.study import Study
from turingstats.core.scan_paths import parse_scan_path

SCAN_PATH = (
    r"^(?P<collection>\w+) (?:subj(?P<person>\d+) )?img(?P<image>\d+) nfix(?P<fixations>\d+)$"
)
"""Name of a scan path of an image, such as naturalsaliency subj17 img155 nfix14."""


def measure_protocol(
    judgments: pd.DataFrame, responses: pd.DataFrame, study: Study
) -> pd.DataFrame:
    """Measure constants of the protocol."""
    people = judgments[judgments["judge_kind"] == "human"]
    rows = []

    def add(task: str, cohort: str, quantities: Mapping[str, Any]) -> None:
        for quantity, value in quantities.items():
            if pd.notna(value):
                where = {"study": study.study, "task": task, "cohort": cohort}
                identity = {"protocol_id": f"{task}.{cohort}.{quantity}"}
                rows.append(identity | where | {"quantity": quantity, "value": float(value)})

    add("all", "all", {"share_human": measure_share_human(people)})
    for task, trials in people.groupby("task", observed=True):
        add(task, "all", measure_trials(trials))
        for cohort, own in trials.groupby("cohort", observed=True):
            add(task, cohort, measure_trials(own))
    for task, answers in responses.groupby("task", observed=True):
        form = study.tasks[task].response
        by_people = answers[answers["agent"] == "human"]
        add(task, "responses", measure_answers(by_people, form and form.form))
        if (texts := study.tasks[task].texts) and texts.unit == "word":
            add(task, "responses", measure_overlap(answers))
        if answers["turn"].notna().any():
            turns = answers.groupby("stimulus", observed=True)["turn"].max().value_counts()
            turns = turns.sort_index()
            add(task, "responses", {f"n_stimuli_{n}": count for n, count in turns.items()})
    columns = ["protocol_id", "study", "task", "cohort", "quantity", "value"]
    return pd.DataFrame(rows, columns=columns)


def measure_share_human(trials: pd.DataFrame) -> float:
    """Compute the share of verdicts on test trials that are on people."""
    return (trials.loc[trials["phase"] == "test", "truth"].dropna() == "human").mean()


def measure_trials(trials: pd.DataFrame) -> dict[str, Any]:
    """Measure the constants of the trials of some judges."""
    constants: dict[str, Any] = {"share_human": measure_share_human(trials)}
    # Trials before the first test trial of any session, whether the file holds them or not.
    before = trials.loc[trials["phase"] == "test", "position"].min() - 1
    constants["n_train"] = before if pd.notna(before) and before > 0 else None
    if trials["topic"].notna().any():
        constants["n_topics"] = trials["topic"].nunique()
    if trials["exchanges"].notna().any():
        constants["n_lengths"] = trials["exchanges"].nunique()
        constants["max_exchanges"] = trials["exchanges"].max()
    if trials["rt_ms"].notna().any():
        constants["min_rt_s"] = trials["rt_ms"].min() / 1000
    for column in ("domain", "exchanges"):
        complete = trials.dropna(subset=[column, "stimulus"])
        different = complete.groupby(column, observed=True)["stimulus"].nunique()
        constants |= {f"n_stimuli_{level}": count for level, count in different.items()}
    lengths = sorted(trials["exchanges"].dropna().unique())
    constants |= {
        f"n_stimuli_to_{level}": trials.loc[trials["exchanges"] <= level, "stimulus"].nunique()
        for level in lengths
    }
    return constants | measure_scan_paths(trials["stimulus"].drop_duplicates().dropna().astype(str))


def measure_scan_paths(stimuli: pd.Series) -> dict[str, Any]:
    """Measure what names of scan paths tell: people, images and fixations, by collection of images."""
    told = stimuli.str.extract(SCAN_PATH).dropna(subset="collection").drop_duplicates()
    constants: dict[str, Any] = {"max_fixations": told["fixations"].astype(float).max()}
    for collection, own in told.groupby("collection"):
        constants |= {
            f"n_people_{collection}": own["person"].nunique() or None,
            f"n_images_{collection}": own["image"].nunique(),
        }
    return constants


def measure_answers(answers: pd.DataFrame, form: object) -> dict[str, Any]:
    """Measure people's answers in one task; `form` is that of its `Response`, if it declares one."""
    if answers.empty:
        return {}
    constants = {"min_answers_human": answers["stimulus"].value_counts().min()}
    text = answers["response"].astype(str)
    if form == "scan path":
        fixations = text.map(lambda path: len(parse_scan_path(path)))
        return constants | {"min_fixations": fixations.min(), "max_fixations": fixations.max()}
    constants["min_words_human"] = text.str.split().str.len().min()
    constants["max_labels_human"] = text.str.count(",").max() + 1
    return constants


def measure_overlap(answers: pd.DataFrame) -> dict[str, Any]:
    """Measure how much of a word the other one is, where a cue and a response to it hold each other."""
    pairs = answers[["stimulus", "response"]].dropna().astype(str)
    folded = (pairs[column].str.casefold() for column in pairs)
    shares = pd.Series(map(find_contained_share, *folded), dtype=float)
    return {"max_overlap": shares.max(), "n_overlap_above_60": int((shares > 0.6).sum())}


def find_contained_share(one: str, other: str) -> float:
    """Find the share of the longer word that the shorter one is; 0 if it is no part of it."""
    short, long = sorted((one, other), key=len)
    return len(short) / len(long) if short in long else 0.0


def list_settings(
    study: Mapping[str, Any], confidence: float, judges: dict[str, Any] | None = None
) -> pd.DataFrame:
    """List the numbers of the study file and configuration, and the lengths of lists and mappings."""
    rows = {"confidence": confidence}

    def walk(value: Any, place: str) -> None:
        if isinstance(value, dict | list | tuple):
            rows[f"{place}.count"] = len(value)
            items = value.items() if isinstance(value, dict) else enumerate(value)
            for key, entry in items:
                walk(entry, f"{place}.{key}")
        elif isinstance(value, int | float) and not isinstance(value, bool):
            rows[place] = value

    for section, value in study.items():
        walk(value, section)
    if judges:
        shares = {"train_fraction": 1 - 1 / judges["folds"], "fixations": FIXATIONS}
        walk(judges | shares, "judges")
    return pd.DataFrame({"setting_id": list(rows), "value": list(rows.values())})
