"""Generated raw files of Color estimation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from turingstats.simulate.model import (
    FEMALE_GUESS,
    Cohort,
    Trial,
    control_answers,
    generator,
    judge_trials,
    questionnaires,
    read_cohorts,
    response_times,
    session,
    stimulus_effects,
    worker_ids,
)

if TYPE_CHECKING:
    import pandas as pd

LAST_IMAGE = 1199  # images are numbered 1 to 1199 in the public files
N_IMAGES = 873  # images of the benchmark dictionary
ZEROSHOT_SKIPS = 548  # the one image that the zero-shot judge did not see
COLOR_AGENTS = ("human", "azure", "mccq", "google", "chatgpt")
COLOR_PAGE = {"human": "a", "azure": "b", "mccq": "c", "google": "d", "chatgpt": "e"}
# One agent, three spellings: first wave, 2025 judges, machine judges.
SPELLING_2022 = {"human": "", "azure": "azure", "mccq": "mccq", "google": "google"}
SPELLING_2025 = {
    "human": "",
    "azure": "Azure",
    "mccq": "Histogram",
    "google": "Google",
    "chatgpt": "ChatGPT",
}
SPELLING_MACHINE = {"human": "", "azure": "azure", "mccq": "histogram", "google": "google"}
FEEDBACK_TRAINING = 40  # trials before the test phase
FEEDBACK_LAST_HIT = 50  # later trials of a session have no `hit`
# First person of each cohort. The ranges overlap: some people took part twice.
FIRST_WORKER = {"amt": 0, "feedback": 60, "gpt4o_agent": 106, "expert": 1000}

COLOR_DATA = "colorDetection/Plot/Data_all"
COLOR_AMT = "colorDetection/Plot/savedResults/compiled.json"
COLOR_EXPERT = (
    "Experiments with AI experts/AI experts databases/"
    "dominant color recognition/compiled_AIexperts.json"
)
COLOR_FEEDBACK = f"{COLOR_DATA}/humanjudge_Color_Feedback_testphase.json"
COLOR_CHATGPT = f"{COLOR_DATA}/humanjudge_Color_ChatGPT_testphase.json"
COLOR_SVM_FEEDBACK = f"{COLOR_DATA}/ai_judge_feedback_color.json"
COLOR_ZEROSHOT = f"{COLOR_DATA}/ai_judge_zeroshot_colorest.json"
COLOR_ABLATED = {
    "svm_full": "colorDetection/r3-ColorWordOnly/machine_judge_r3.8_color_fullmodel.json",
    "svm_layer5": "colorDetection/r3-ColorWordOnly/machine_judge_r3.8_color_5th_layer.json",
    "svm_word": "colorDetection/r3-ColorWordOnly/machine_judge_r3.8_color_bertonly.json",
}
COLOR_DICTIONARY = "benchmarking/groundtruth_dictionaries/color.json"

# Dominant colors of pictures, how often an agent names the dominant one, and what it says else.
COLOR_WORDS = "green brown gray white blue black red yellow orange pink purple none".split()
DOMINANT = (0.28, 0.20, 0.15, 0.11, 0.10, 0.05, 0.04, 0.03, 0.02, 0.01, 0.01, 0)
AGREEMENT = {"human": 0.70, "azure": 0.35, "mccq": 0.50, "google": 0.45}
HABIT = {
    "human": (0.20, 0.20, 0.15, 0.15, 0.10, 0.08, 0.05, 0.03, 0.02, 0.01, 0.01, 0),
    "azure": (0.08, 0.06, 0.36, 0.20, 0.02, 0.26, 0.01, 0.005, 0.005, 0, 0, 0),
    "mccq": (0.38, 0.12, 0.40, 0.02, 0.04, 0.01, 0.01, 0.005, 0.005, 0.005, 0.005, 0),
    "google": (0.08, 0.30, 0.28, 0.02, 0.04, 0.10, 0.02, 0.03, 0.02, 0.06, 0.02, 0.03),
}


def first_wave_file(
    seed: int,
    path: str,
    cohort: Cohort,
    demographics: pd.DataFrame,
    images: Sequence[int],
    effects: dict[str, np.ndarray],
    top: str,
    mode: str,
) -> dict[str, Any]:
    """Return a trial dictionary of the first wave: ``{top: {"Trial_<k>": {...}}}``.

    `k` counts all trials that were shown; those with a wrong control answer are absent.
    """
    rng = generator(seed, path)
    workers = worker_ids(seed, FIRST_WORKER[cohort.name], cohort.n_judges)
    said = questionnaires(rng, demographics, cohort, mode, ai_experience=False)
    trials = session(rng, cohort, images)
    verdicts = judge_trials(rng, trials, cohort.rates, effects, human_judges=True)
    times = response_times(rng, trials)
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
                "machine_groundtruth": SPELLING_2022[t.agent],
                "imageID": f"static/dataset/coco_val_set/{t.image}.jpg",
                "page_name": f"{t.image}_{COLOR_PAGE[t.agent]}_0.html/",
                "counterbalance": 0,
                "groundtruth": t.truth,
                "human_groundtruth": "human" if t.agent == "human" else "",
                "response_gender": "female" if female[i] else "male",
            },
        }
    return {top: records}


def later_file(
    seed: int,
    path: str,
    cohort: Cohort,
    demographics: pd.DataFrame,
    trials: Sequence[Trial],
    effects: dict[str, np.ndarray],
    feedback: bool,
) -> dict[str, Any]:
    """Return a flat trial dictionary of 2025: ``{"Trial_Color_<k>": {...}}``, `k` without gaps.

    Parameters
    ----------
    seed, path : int, str
        Give the random numbers.
    cohort : Cohort
        Cohort of the file.
    demographics : pandas.DataFrame
        Rows of the task.
    trials : sequence of Trial
        Trials of the file, in order.
    effects : dict
        See `stimulus_effects`.
    feedback : bool
        True: the feedback experiment (verdicts spelled ``Human``/``Machine``, `hit` missing late in
        a session, a constant `imgtype`). False: the ChatGPT experiment (``H``/``AI``, `hit` rises
        in the order of its letters).
    """
    rng = generator(seed, path)
    workers = worker_ids(seed, FIRST_WORKER[cohort.name], cohort.n_judges)
    said = questionnaires(rng, demographics, cohort, "live", ai_experience=True)
    verdicts = judge_trials(rng, trials, cohort.rates, effects, human_judges=True)
    times = response_times(rng, trials)
    right = control_answers(rng, trials)
    statement_false = rng.integers(0, 2, len(trials))
    hits = [
        [str(h) for h in 1 + rng.choice(LAST_IMAGE, size=cohort.trials_per_judge, replace=False)]
        for _ in range(cohort.n_judges)
    ]
    if not feedback:
        hits = [sorted(h) for h in hits]
    classes = (
        {"human": "Human", "machine": "Machine"} if feedback else {"human": "H", "machine": "AI"}
    )
    records = {}
    for i, t in enumerate(trials):
        truth = int(statement_false[i])
        data: dict[str, Any] = {"rt": times[i], "Aclass": classes[verdicts[i]]}
        if not feedback or t.position <= FEEDBACK_LAST_HIT:
            data["hit"] = hits[t.judge][t.position - 1]
        data |= {
            "imageID": f"https://example.org/color_det/{t.image}.jpg",
            "trial": t.position,
            "page_name": f"{t.image}_{COLOR_PAGE[t.agent]}_0.html/",
            "phase": "TEST",
            "response_gender": "NA",
            "response_speaker": verdicts[i],
            "response_object": str(truth + 1 if right[i] else 2 - truth),
            "groundtruth": t.truth,
            "object_groundtruth": str(truth),
            "machine_groundtruth": SPELLING_2025[t.agent],
        }
        if feedback:
            data["imgtype"] = "naturaldesign"  # a leftover of another task, in every record
        records[f"Trial_Color_{i + 1}"] = {
            "workerID": workers[t.judge],
            "workerData": said[t.judge],
            "trialData": data,
        }
    return records


def machine_judge_file(
    seed: int,
    path: str,
    cohort: Cohort,
    trials: Sequence[Trial],
    effects: dict[str, np.ndarray],
    key: str,
    passes: int = 1,
) -> dict[str, Any]:
    """Return the predictions of a machine judge: ``{"<key><k>": {"trialData": {...}}}``.

    The whole list of predictions is written `passes` times.
    """
    verdicts = judge_trials(
        generator(seed, path), trials, cohort.rates, effects, human_judges=False
    )
    predictions = [
        {
            "response_speaker": verdict,
            "groundtruth": t.truth,
            "machine_groundtruth": SPELLING_MACHINE[t.agent],
        }
        for t, verdict in zip(trials, verdicts, strict=True)
    ]
    return {f"{key}{k}": {"trialData": p} for k, p in enumerate(predictions * passes, start=1)}


def color_dictionary(seed: int) -> dict[str, list[dict[str, str]]]:
    """Return four answers, in shuffled order, to every picture of Color estimation.

    A picture has a dominant color. Each agent names it with its own probability (`AGREEMENT`), and
    else follows its habit (`HABIT`; only google says ``none``).
    """
    rng = generator(seed, COLOR_DICTIONARY)
    others = [image for image in range(1, LAST_IMAGE + 1) if image != ZEROSHOT_SKIPS]
    chosen = rng.choice(others, size=N_IMAGES - 1, replace=False).tolist()
    images = rng.permutation([*chosen, ZEROSHOT_SKIPS]).tolist()
    dominant = rng.choice(COLOR_WORDS, size=N_IMAGES, p=DOMINANT)
    words = {
        agent: np.where(
            rng.random(N_IMAGES) < AGREEMENT[agent],
            dominant,
            rng.choice(COLOR_WORDS, size=N_IMAGES, p=HABIT[agent]),
        )
        for agent in AGREEMENT
    }
    dictionary = {}
    for i, image in enumerate(images):
        dictionary[f"{image}.jpg"] = [
            {
                "imageID": f"{image}.jpg",
                "response": str(words[agent][i]),
                "groundtruth": "human" if agent == "human" else "machine",
                "human_groundtruth": "",
                "machine_groundtruth": SPELLING_MACHINE[agent],
            }
            for agent in rng.permutation(list(AGREEMENT)).tolist()
        ]
    return dictionary


def files(design: pd.DataFrame, demographics: pd.DataFrame, seed: int) -> dict[str, Any]:
    """Return all files of Color estimation as ``{path: content}``.

    Parameters
    ----------
    design, demographics : pandas.DataFrame
        Rows of this task.
    seed : int
        Seed of the whole demo.
    """
    cohorts = read_cohorts(design)
    effects = stimulus_effects(seed, "color", COLOR_AGENTS, LAST_IMAGE)
    dictionary = color_dictionary(seed)
    images = [int(name.removesuffix(".jpg")) for name in dictionary]
    made: dict[str, Any] = {COLOR_DICTIONARY: dictionary}

    for name, path, top, mode in (
        ("amt", COLOR_AMT, "mturk", "live"),
        ("expert", COLOR_EXPERT, "AIexperts", "debug"),
    ):
        made[path] = first_wave_file(
            seed, path, cohorts[name], demographics, images, effects, top, mode
        )

    # The feedback judges and the classifiers that imitate them were given the same trials.
    feedback = session(
        generator(seed, "color feedback trials"),
        cohorts["feedback"],
        images,
        skipped=FEEDBACK_TRAINING,
    )
    made[COLOR_FEEDBACK] = later_file(
        seed, COLOR_FEEDBACK, cohorts["feedback"], demographics, feedback, effects, feedback=True
    )
    made[COLOR_SVM_FEEDBACK] = machine_judge_file(
        seed, COLOR_SVM_FEEDBACK, cohorts["svm_feedback"], feedback, effects, "Trial_Color_"
    )

    chatgpt = session(
        generator(seed, "color chatgpt trials"), cohorts["gpt4o_agent"], images, balanced=True
    )
    made[COLOR_CHATGPT] = later_file(
        seed, COLOR_CHATGPT, cohorts["gpt4o_agent"], demographics, chatgpt, effects, feedback=False
    )

    # The zero-shot judge goes through the dictionary in its order.
    canonical = {spelled: agent for agent, spelled in SPELLING_MACHINE.items()}
    candidates = [
        Trial(0, position, image, canonical[candidate["machine_groundtruth"]])
        for image in images
        if image != ZEROSHOT_SKIPS
        for position, candidate in enumerate(dictionary[f"{image}.jpg"], start=1)
    ]
    made[COLOR_ZEROSHOT] = machine_judge_file(
        seed, COLOR_ZEROSHOT, cohorts["zeroshot"], candidates, effects, "Trial_"
    )

    # The five "seeds" of the ablated judges were one split: the same held-out answers, agent by
    # agent, five times. All three judges had that split, hence one name for the random numbers.
    for name, path in COLOR_ABLATED.items():
        rng = generator(seed, "color ablated trials")
        passes = cohorts[name].n_judges
        held_out = [
            Trial(0, position, int(image), agent)
            for agent, n in cohorts[name].n_trials.items()
            for position, image in enumerate(
                rng.choice(images, n // passes, replace=False), start=1
            )
        ]
        made[path] = machine_judge_file(
            seed, path, cohorts[name], held_out, effects, "Trial_Color_", passes
        )
    return made
