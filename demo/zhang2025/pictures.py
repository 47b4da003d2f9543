"""Generated raw files of the tasks on pictures with short answers: Color estimation, Object detection."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from demo.zhang2025.model import (
    CONTROL_ACCURACY,
    FEMALE_GUESS,
    Cohort,
    Trial,
    deal_questionnaires,
    draw_control_answers,
    draw_response_times,
    draw_sessions,
    judge_trials,
    make_predictions,
    make_worker_ids,
)
from turingstats.stats.resampling import make_generator

if TYPE_CHECKING:
    import pandas as pd

LAST_HIT = 1199  # numbers in `hit` of the files of 2025 run from 1 to 1199
LAST_WITH_HIT = 50  # later trials of a feedback session have no `hit`


@dataclass(frozen=True)
class Style:
    """Spellings in the files of a task.

    Attributes
    ----------
    key : str
        Start of the keys of the files of 2025.
    address : str
        Folder of the pictures in the files of 2025.
    page : dict
        Agent to letter of its page.
    first_wave, later, machine : dict
        Agent to its name in the files of the first wave, of 2025 and of machine judges.
    first_worker : dict
        Cohort to its first person. The ranges overlap: some people took part twice.
    classes : dict
        Cohort to how its `Aclass` spells a verdict; where absent, ``Human`` and ``Machine``.
    leftover : dict
        Cohort to a field of another task that is in each of its records.
    """

    key: str
    address: str
    page: dict[str, str]
    first_wave: dict[str, str]
    later: dict[str, str]
    machine: dict[str, str]
    first_worker: dict[str, int]
    classes: dict[str, dict[str, str]]
    leftover: dict[str, dict[str, str]]


def generate_first_wave_file(
    seed: int,
    path: str,
    cohort: Cohort,
    demographics: pd.DataFrame,
    images: Sequence[int],
    effects: dict[str, np.ndarray],
    top: str,
    mode: str,
    style: Style,
) -> dict[str, Any]:
    """Return a trial dictionary of the first wave: ``{top: {"Trial_<k>": {...}}}``.

    `k` counts all trials that were shown; those with a wrong control answer are absent.
    """
    rng = make_generator(seed, path)
    workers = make_worker_ids(seed, style.first_worker[cohort.name], cohort.n_judges)
    said = deal_questionnaires(rng, demographics, cohort, mode, ai_experience=False)
    trials = draw_sessions(rng, cohort, images)
    verdicts = judge_trials(rng, trials, cohort.rates, effects, human_judges=True)
    times = draw_response_times(rng, trials)
    female = rng.random(len(trials)) < FEMALE_GUESS
    records = {}
    for i, t in enumerate(trials):
        records[f"Trial_{cohort.trials_per_judge * t.judge + t.position}"] = {
            "workerID": workers[t.judge],
            "workerData": said[t.judge],
            "trialData": {
                "rt": times[i],
                "hit": str(t.image),
                "trial": t.position,
                "response_speaker": verdicts[i],
                "machine_groundtruth": style.first_wave[t.agent],
                "imageID": f"static/dataset/coco_val_set/{t.image}.jpg",
                "page_name": f"{t.image}_{style.page[t.agent]}_0.html/",
                "counterbalance": 0,
                "groundtruth": t.truth,
                "human_groundtruth": "human" if t.agent == "human" else "",
                "response_gender": "female" if female[i] else "male",
            },
        }
    return {top: records}


def generate_later_file(
    seed: int,
    path: str,
    cohort: Cohort,
    demographics: pd.DataFrame,
    trials: Sequence[Trial],
    effects: dict[str, np.ndarray],
    style: Style,
    accuracy: float = CONTROL_ACCURACY,
) -> dict[str, Any]:
    """Return a flat trial dictionary of 2025: ``{"Trial_Color_<k>": {...}}``, `k` without gaps.

    Parameters
    ----------
    seed, path : int, str
        Give the random numbers.
    cohort : Cohort
        Cohort of the file. In that called feedback, `hit` is missing late in a session; in the other
        it rises in the order of its letters.
    demographics : pandas.DataFrame
        Rows of the task.
    trials : sequence of Trial
        Trials of the file, in order.
    effects : dict
        See `stimulus_effects`.
    style : Style
    accuracy : float
        Share of right control answers.
    """
    feedback = cohort.name == "feedback"
    rng = make_generator(seed, path)
    workers = make_worker_ids(seed, style.first_worker[cohort.name], cohort.n_judges)
    said = deal_questionnaires(rng, demographics, cohort, "live", ai_experience=True)
    verdicts = judge_trials(rng, trials, cohort.rates, effects, human_judges=True)
    times = draw_response_times(rng, trials)
    right = draw_control_answers(rng, trials, accuracy)
    statement_false = rng.integers(0, 2, len(trials))
    hits = [
        [str(h) for h in 1 + rng.choice(LAST_HIT, size=cohort.trials_per_judge, replace=False)]
        for _ in range(cohort.n_judges)
    ]
    if not feedback:
        hits = [sorted(h) for h in hits]
    classes = style.classes.get(cohort.name, {"human": "Human", "machine": "Machine"})
    records = {}
    for i, t in enumerate(trials):
        truth = int(statement_false[i])
        data: dict[str, Any] = {"rt": times[i], "Aclass": classes[verdicts[i]]}
        if not feedback or t.position <= LAST_WITH_HIT:
            data["hit"] = hits[t.judge][t.position - 1]
        data |= {
            "imageID": f"https://example.org/{style.address}/{t.image}.jpg",
            "trial": t.position,
            "page_name": f"{t.image}_{style.page[t.agent]}_0.html/",
            "phase": "TEST",
            "response_gender": "NA",
            "response_speaker": verdicts[i],
            "response_object": str(truth + 1 if right[i] else 2 - truth),
            "groundtruth": t.truth,
            "object_groundtruth": str(truth),
            "machine_groundtruth": style.later[t.agent],
        }
        records[f"{style.key}{i + 1}"] = {
            "workerID": workers[t.judge],
            "workerData": said[t.judge],
            "trialData": data | style.leftover.get(cohort.name, {}),
        }
    return records


def generate_machine_judge_file(
    seed: int,
    path: str,
    cohort: Cohort,
    trials: Sequence[Trial],
    effects: dict[str, np.ndarray],
    key: str,
    style: Style,
    passes: int = 1,
) -> dict[str, Any]:
    """Return the predictions of a machine judge: ``{"<key><k>": {"trialData": {...}}}``.

    The whole list of predictions is written `passes` times.
    """
    once = make_predictions(seed, path, cohort, trials, effects, style.machine)
    return {f"{key}{k}": prediction for k, prediction in enumerate(once * passes, start=1)}


def list_candidates(
    dictionary: dict[str, list[dict[str, str]]], skipped: int, style: Style
) -> list[Trial]:
    """Return all answers of a dictionary except those to one picture, in its order, as trials."""
    canonical = {spelled: agent for agent, spelled in style.machine.items()}
    return [
        Trial(0, position, int(name.removesuffix(".jpg")), canonical[answer["machine_groundtruth"]])
        for name, answers in dictionary.items()
        if name != f"{skipped}.jpg"
        for position, answer in enumerate(answers, start=1)
    ]


def shuffle_answers(
    rng: np.random.Generator, image: int, said: dict[str, str], style: Style
) -> list[dict[str, str]]:
    """Return the answers to one picture, in shuffled order, as the dictionary holds them."""
    return [
        make_answer(image, agent, said[agent], style)
        for agent in rng.permutation(list(said)).tolist()
    ]


def make_answer(
    image: int, agent: str, said: str, style: Style, person: str = ""
) -> dict[str, str]:
    """Return an answer to a picture in the format of the dictionaries."""
    return {
        "imageID": f"{image}.jpg",
        "response": said,
        "groundtruth": "human" if agent == "human" else "machine",
        "human_groundtruth": person,
        "machine_groundtruth": style.machine.get(agent, agent),
    }


def generate_shared_files(
    paths: dict[str, str],
    cohorts: dict[str, Cohort],
    demographics: pd.DataFrame,
    dictionary: dict[str, list[dict[str, str]]],
    effects: dict[str, np.ndarray],
    seed: int,
    style: Style,
    task: str,
    training: int,
    skipped: int,
    balanced: bool,
    accuracy: dict[str, float],
) -> dict[str, Any]:
    """Return the files that both tasks have, as ``{path: content}``.

    Parameters
    ----------
    paths : dict
        Path of the file of amt, expert, feedback, gpt4o_agent, svm_feedback, zeroshot.
    cohorts : dict
        See `read_cohorts`.
    demographics : pandas.DataFrame
        Rows of the task.
    dictionary : dict
        Picture to its answers.
    effects : dict
        See `stimulus_effects`.
    seed : int
    style : Style
    task : str
    training : int
        Trials before the test phase of the feedback judges.
    skipped : int
        The one picture that the zero-shot judge did not see.
    balanced : bool
        Whether all feedback judges have the same number of trials of each agent.
    accuracy : dict
        Cohort to its share of right control answers.
    """
    images = [int(name.removesuffix(".jpg")) for name in dictionary]
    made = {}
    for name, top, mode in (("amt", "mturk", "live"), ("expert", "AIexperts", "debug")):
        made[paths[name]] = generate_first_wave_file(
            seed, paths[name], cohorts[name], demographics, images, effects, top, mode, style
        )
    trials = {
        "feedback": draw_sessions(
            make_generator(seed, f"{task} feedback trials"),
            cohorts["feedback"],
            images,
            skipped=training,
            balanced=balanced,
        ),
        "gpt4o_agent": draw_sessions(
            make_generator(seed, f"{task} chatgpt trials"),
            cohorts["gpt4o_agent"],
            images,
            balanced=True,
        ),
        "zeroshot": list_candidates(dictionary, skipped, style),
    }
    for name in ("feedback", "gpt4o_agent"):
        made[paths[name]] = generate_later_file(
            seed,
            paths[name],
            cohorts[name],
            demographics,
            trials[name],
            effects,
            style,
            accuracy.get(name, CONTROL_ACCURACY),
        )
    # The classifiers that imitate the feedback judges were given the trials of these judges.
    for name, key, judged in (
        ("svm_feedback", style.key, "feedback"),
        ("zeroshot", "Trial_", "zeroshot"),
    ):
        made[paths[name]] = generate_machine_judge_file(
            seed, paths[name], cohorts[name], trials[judged], effects, key, style
        )
    return made
