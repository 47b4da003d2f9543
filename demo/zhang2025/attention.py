"""Generated raw files of Attention prediction."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from demo.zhang2025.model import (
    FEMALE_GUESS,
    Cohort,
    Trial,
    deal_questionnaires,
    draw_control_answers,
    draw_response_times,
    draw_stimulus_effects,
    judge_trials,
    make_predictions,
    make_worker_ids,
    read_cohorts,
)
from turingstats.core.screen import SCREEN
from turingstats.stats.resampling import make_generator

if TYPE_CHECKING:
    import pandas as pd

N_IMAGES = 240  # pictures of free viewing, and as many of search in natural scenes
SEARCHERS = 15  # people who searched in natural scenes, and as many others for Waldo
# Number of 1,005 scan paths of Waldo to leave out so that people's total is 7,000, as in the text.
WALDO_LEFT_OUT = 5
N_WALDO = 67  # pictures of the search for Waldo; counted on from the natural scenes here
SUBJECTS = (5, 7, 8, 9, 10, 12, 13, 15, 16, 17)
WIDTH, HEIGHT = SCREEN
AGENTS = ("human", "gbvs", "ivsn", "deepgaze3")
MODELS_2025 = ("chatgpt", "eccnet", "notarget", "layer")
SPELLING = {
    "human": "",
    "gbvs": "GBVS",
    "ivsn": "IVSN",
    "deepgaze3": "DeepGazeIII",
    "chatgpt": "ChatGPT",
    "eccnet": "EccNet",
    "notarget": "NoTarget",
    "layer": "Layer",
}
FOLDER = {"human": "human", "gbvs": "conv_gbvs", "ivsn": "conv_ivsn", "deepgaze3": "conv_deepgaze"}
# Patterns of the names of the moving pictures of 2025.
LATER_ADDRESS = {
    "chatgpt": "chatgpt/freeviewing/bg_img{image:03d}_scanpath_chatgpt.gif",
    "eccnet": "Ablated_VS/Ablated_EccNet_GIF/bg_img{image:03d}_scanpath_Eccnet.gif",
    "notarget": "Ablated_VS/Ablated_NoTarget_GIF/bg_img{image:03d}_scanpath_BottomUpSal.gif",
    "layer": "Ablated_VS/Ablated_Layer_GIF/bg_img{image:03d}_scanpath_Layer4_5.gif",
    "catch": "freeviewing_catch/bg_img{image:03d}_scanpath_catchtrial.gif",
    "swapped": "freeview_swap/bg_img{image:03d}_scanpath_subj{subject:02d}-zz_img{other:03d}.gif",
}
# Fixations of a scan path: mean and bounds for people, and the fixed number for models.
FREE_FIXATIONS = {"human": (13.5, 1, 21), "gbvs": 30, "ivsn": 15, "deepgaze3": 30, "chatgpt": 15}
SEARCH_FIXATIONS = {
    "human": (12, 1, 91), "gbvs": 31, "ivsn": (24, 1, 56), "deepgaze3": 31, "chatgpt": 15,
}  # fmt: skip
WALDO_FIXATIONS = {"human": (40, 1, 91), "gbvs": 81, "ivsn": 56, "deepgaze3": 30}

TRAINING = 24  # trials with feedback before the test phase
ACCURACY = {"feedback": 0.704, "gpt4o_agent": 0.697, "ablated": 0.749, "expert": 0.75}
LEAST_ACCURACY = 0.6  # of any judge; those below 7/12 are not in the public files
NOUNS = "people table sofa bed mirror books cars dogs cats toys food trees lion fish laptop".split()
# First person of each cohort. 42 people in free viewing also searched; experts are the same in all tasks.
FIRST_WORKER = {
    "amt free viewing": 200,
    "amt visual search": 247,
    "feedback": 330,
    "gpt4o_agent": 370,
    "ablated": 400,
    "expert": 1000,
}
SEEDS = ("42", "71", "13", "99", "7")  # suffixes of the predictions of the SVM judge

DATA = "attentionPrediction/Plot/Data_all"
PATHS = {
    "amt": f"{DATA}/complete_humanjudge.json",
    "expert": (
        "Experiments with AI experts/AI experts databases/attention prediction/AIexperts.csv"
    ),
    "feedback": f"{DATA}/complete_humanjudge_FV_Feedback.json",
    "gpt4o_agent": f"{DATA}/complete_humanjudge_FV_ChatGPT.json",
    "ablated": f"{DATA}/complete_humanjudge_VS_Ablated.json",
    "svm free viewing": f"{DATA}/SVM_AIJudge_FV_balanced.json",
    "svm visual search": f"{DATA}/10_SVM_AIJudge_balanced.json",
    "svm_feedback": f"{DATA}/ai_judge_freeviewing_feedback.json",
    "zeroshot": f"{DATA}/ai_judge_zeroshot_chatgpt_fv.json",
}
DICTIONARY = "benchmarking/groundtruth_dictionaries/fv.json"
MORE = "benchmarking/groundtruth_dictionaries/fv_more.json"
COLUMNS = (
    "uniqueid assignmentid workerid hitid ipaddress browser platform language cond counterbalance "
    "codeversion beginhit beginexp endhit bonus status mode datastring"
).split()


# --- scan paths --------------------------------------------------------------------------------


def draw_fixation_count(rng: np.random.Generator, wanted: int | tuple[float, int, int]) -> int:
    """Return how many fixations a scan path has: a fixed number, or one from a spread of them."""
    if isinstance(wanted, int):
        return wanted
    mean, least, most = wanted
    # Free viewing lasted a fixed time, search until the target was found.
    drawn = rng.normal(mean, 3) if most < 30 else rng.exponential(mean)
    return int(np.clip(round(drawn), least, most))


def draw_scan_path(
    rng: np.random.Generator, agent: str, wanted: dict[str, Any] = FREE_FIXATIONS
) -> list[list[int]]:
    """Return the fixations of a scan path, as pixels x and y; by default in free viewing.

    Eyes start at the center and move on in steps, people's in smaller ones; a model's path is about
    as wide as the picture and may end in one point, repeated.
    """
    n = draw_fixation_count(rng, wanted[agent])
    step = 180 if agent == "human" else 260
    moves = rng.normal(0, step, (n, 2)) * (1, HEIGHT / WIDTH)
    moves[0] = rng.normal(0, 30, 2)
    places = moves.cumsum(axis=0)
    # Pulled back toward the middle, so that few leave the picture.
    places = places / (1 + np.abs(places) / (0.7 * WIDTH, 0.7 * HEIGHT)) + (WIDTH / 2, HEIGHT / 2)
    if agent == "gbvs":
        places[-5:] = places[-5]
    if agent != "human":
        places = places.clip(0, (WIDTH - 1, HEIGHT - 1))
    return np.rint(places).astype(int).tolist()


def generate_dictionary(seed: int) -> dict[str, list[dict[str, Any]]]:
    """Return ten people's and three models' scan paths for each picture, in shuffled order."""
    rng = make_generator(seed, DICTIONARY)
    spelled = {"ivsn": "ivsn", "gbvs": "gbvs", "deepgaze3": "deepgaze"}
    made = {}
    for image in range(1, N_IMAGES + 1):
        people = [("human", f"{subject:02d}", "") for subject in SUBJECTS]
        models = [(agent, "", name) for agent, name in spelled.items()]
        candidates = [*people, *models]
        made[f"img{image:03d}.jpg"] = [
            {
                "imageID": f"{image:03d}",
                "response": draw_scan_path(rng, candidates[i][0]),
                "groundtruth": "human" if candidates[i][0] == "human" else "machine",
                "human_groundtruth": candidates[i][1],
                "machine_groundtruth": candidates[i][2],
            }
            for i in rng.permutation(len(candidates)).tolist()
        ]
    return made


def generate_more_paths(seed: int) -> dict[str, list[dict[str, Any]]]:
    """Return the scan paths that are not public: of search, and of ChatGPT-4o in free viewing.

    Fifteen people and four models search 240 natural scenes, and fifteen people 67 pictures for Waldo.
    """
    rng = make_generator(seed, MORE)
    spelled = {"ivsn": "ivsn", "gbvs": "gbvs", "deepgaze3": "deepgaze", "chatgpt": "chatgpt"}

    def make_answer(image: str, agent: str, person: str, wanted: dict[str, Any]) -> dict[str, Any]:
        return {
            "imageID": image,
            "response": draw_scan_path(rng, agent, wanted),
            "groundtruth": "human" if agent == "human" else "machine",
            "human_groundtruth": person,
            "machine_groundtruth": spelled.get(agent, ""),
        }

    made = {}
    for number in range(1, N_IMAGES + 1):
        image = f"{number:03d}"
        made[f"img{image}.jpg"] = [make_answer(image, "chatgpt", "", FREE_FIXATIONS)]
        made[f"search_img{image}.jpg"] = [
            *(
                make_answer(image, "human", f"search_{p:02d}", SEARCH_FIXATIONS)
                for p in range(SEARCHERS)
            ),
            *(make_answer(image, agent, "", SEARCH_FIXATIONS) for agent in spelled),
        ]
    for number in range(1, N_WALDO + 1):
        image = f"{number:03d}"
        n = SEARCHERS - (WALDO_LEFT_OUT if number == N_WALDO else 0)
        made[f"waldo_img{image}.jpg"] = [
            make_answer(image, "human", f"waldo_{p:02d}", WALDO_FIXATIONS) for p in range(n)
        ]
    return made


def make_address(rng: np.random.Generator, trial: Trial, variant: str) -> str:
    """Return the address of the moving picture of a trial, in the format of the public files."""
    host = "https://example.org/"
    subject = int(rng.choice(SUBJECTS))
    if trial.agent in LATER_ADDRESS:
        other = int(rng.integers(1, N_IMAGES + 1))
        form = LATER_ADDRESS[trial.agent]
        return host + form.format(image=trial.image, subject=subject, other=other)
    image, wanted, name = trial.image, FREE_FIXATIONS, "naturalsaliency"
    if variant == "visual search":
        waldo = image > N_IMAGES
        image = image - N_IMAGES if waldo else image
        wanted = WALDO_FIXATIONS if waldo else SEARCH_FIXATIONS
        name = "waldo" if waldo else "naturaldesign"
    n = draw_fixation_count(rng, wanted[trial.agent])
    if trial.agent == "human":
        file = f"fig_{name}_subj{subject:02d}-zz_img{image}_nfix{n}.gif"
    else:
        # Files of two models are named after the other set of pictures.
        called = "naturaldesign" if trial.agent in ("gbvs", "deepgaze3") else name
        called = name if name == "waldo" else called
        file = f"fig_{called}_conv_only_{called}_conv_only_img{image}_nfix{n}.gif"
    return f"{host}{name}_{FOLDER[trial.agent]}/{file}"


def find_image_type(trial: Trial, variant: str) -> str:
    """Return the field `imgtype` of the first wave, which is wrong in free viewing."""
    if variant == "visual search":
        return "waldo" if trial.image > N_IMAGES else "naturaldesign"
    return "naturaldesign" if trial.agent in ("gbvs", "deepgaze3") else ""


# --- sessions and files ------------------------------------------------------------------------


def deal_sessions(
    rng: np.random.Generator, cohort: Cohort, images: Sequence[int], training: int = 0
) -> list[Trial]:
    """Return balanced sessions: each judge has the same number of trials of each agent.

    Parameters
    ----------
    rng : numpy.random.Generator
    cohort : Cohort
        Its trials are those after training.
    images : sequence of int
        No judge sees a picture twice.
    training : int
        Trials before, with the agents of the test in the same shares.
    """
    trials = []
    shares = {agent: n // cohort.n_judges for agent, n in cohort.n_trials.items()}
    shown = {agent: n for agent, n in shares.items() if agent not in ("catch", "swapped")}
    for judge in range(cohort.n_judges):
        parts = [[agent for agent, n in shares.items() for _ in range(n)]]
        if training:
            parts = [[agent for agent, n in shown.items() for _ in range(n)], *parts]
        agents = [a for part in parts for a in rng.permutation(part).tolist()]
        seen = rng.choice(images, size=len(agents), replace=False).tolist()
        trials += [
            Trial(judge, position, image, agent)
            for position, (image, agent) in enumerate(zip(seen, agents, strict=True), start=1)
        ]
    return trials


def generate_first_wave(
    seed: int,
    cohort: Cohort,
    demographics: pd.DataFrame,
    effects: dict[str, np.ndarray],
    variant: str,
) -> dict[str, Any]:
    """Return the first wave's records of one variant, by key."""
    rng = make_generator(seed, f"{PATHS['amt']} {variant}")
    workers = make_worker_ids(seed, FIRST_WORKER[cohort.name], cohort.n_judges)
    said = deal_questionnaires(rng, demographics, cohort, "live", ai_experience=False)
    natural = list(range(1, N_IMAGES + 1))
    waldo = list(range(N_IMAGES + 1, N_IMAGES + N_WALDO + 1))
    trials = deal_sessions(rng, cohort, natural)
    if variant == "visual search":
        # Half of each session's trials of each agent are searches for Waldo.
        count: dict[tuple[int, str], int] = {}
        chosen = [rng.permutation(waldo).tolist() for _ in range(cohort.n_judges)]
        for i, t in enumerate(trials):
            count[t.judge, t.agent] = count.get((t.judge, t.agent), 0) + 1
            if count[t.judge, t.agent] % 2 == 0:
                trials[i] = Trial(t.judge, t.position, chosen[t.judge].pop(), t.agent)
    verdicts = judge_trials(rng, trials, cohort.rates, effects, human_judges=True)
    times = draw_response_times(rng, trials)
    female = rng.random(len(trials)) < FEMALE_GUESS
    prefix = "Trial_FV_" if variant == "free viewing" else "Trial_"
    asked = ("country", "age", "education", "native", "gender")
    return {
        f"{prefix}{i + 1}": {
            "workerID": f"{workers[t.judge]}:3GENERATED{variant[0].upper()}{t.judge:03d}",
            "workerData": {name: said[t.judge][name] for name in asked},
            "trialData": {
                "response_gender": "Female" if female[i] else "Male",
                "rt": times[i],
                "response_speaker": verdicts[i],
                "trial": t.position,
                "imgtype": find_image_type(t, variant),
                "groundtruth": t.truth,
                "machine_groundtruth": SPELLING[t.agent],
                "imageID": make_address(rng, t, variant),
            },
        }
        for i, t in enumerate(trials)
    }


def generate_later_file(
    seed: int,
    path: str,
    cohort: Cohort,
    demographics: pd.DataFrame,
    trials: Sequence[Trial],
    effects: dict[str, np.ndarray],
    variant: str,
) -> dict[str, Any]:
    """Return a dictionary of the experiments of 2025, with control answers."""
    rng = make_generator(seed, path)
    workers = make_worker_ids(seed, FIRST_WORKER[cohort.name], cohort.n_judges)
    said = deal_questionnaires(rng, demographics, cohort, "live", ai_experience=True)
    verdicts = judge_trials(rng, trials, cohort.rates, effects, human_judges=True)
    times = draw_response_times(rng, trials)
    right = draw_control_answers(rng, trials, ACCURACY[cohort.name], LEAST_ACCURACY)
    named = draw_named_answers(rng, right)
    prefix = "Trial_FV_" if variant == "free viewing" else "Trial_VS_"
    records, machine = {}, ""
    for i, t in enumerate(trials):
        if t.agent in SPELLING:
            truth = t.truth
            machine = SPELLING[t.agent] or machine
            name = SPELLING[t.agent]
        else:  # catch and swapped trials keep the model of an earlier trial
            truth, name = t.agent, machine
        records[f"{prefix}{i + 1}"] = {
            "workerID": workers[t.judge],
            "workerData": said[t.judge],
            "trialData": {
                "rt": times[i],
                "trial": t.position,
                "phase": "TEST",
                "imageID": make_address(rng, t, variant),
                "response_gender": "NA",
                "response_speaker": verdicts[i],
                "response_object": named[i][1],
                "groundtruth": truth,
                "object_groundtruth": named[i][0],
                "machine_groundtruth": name,
                "imgtype": "naturaldesign",
            },
        }
    return records


def draw_named_answers(rng: np.random.Generator, right: Sequence[bool]) -> list[tuple[str, str]]:
    """Return the noun in each picture and the one that was answered."""
    truth = rng.integers(len(NOUNS), size=len(right))
    shift = np.where(right, 0, rng.integers(1, len(NOUNS), size=len(right)))
    said = (truth + shift) % len(NOUNS)
    return [(NOUNS[a], NOUNS[b]) for a, b in zip(truth, said, strict=True)]


def generate_expert_table(
    seed: int, cohort: Cohort, demographics: pd.DataFrame, effects: dict[str, np.ndarray]
) -> str:
    """Return the psiTurk table of the experts, with a person who left before the first trial."""
    path = PATHS["expert"]
    rng = make_generator(seed, path)
    workers = make_worker_ids(seed, FIRST_WORKER[cohort.name], cohort.n_judges + 1)
    said = deal_questionnaires(rng, demographics, cohort, "debug", ai_experience=False)
    trials = deal_sessions(rng, cohort, list(range(1, N_IMAGES + 1)))
    verdicts = judge_trials(rng, trials, cohort.rates, effects, human_judges=True)
    times = draw_response_times(rng, trials)
    named = draw_named_answers(
        rng, draw_control_answers(rng, trials, ACCURACY["expert"], LEAST_ACCURACY)
    )
    female = rng.random(len(trials)) < FEMALE_GUESS
    data: list[list[dict[str, Any]]] = [
        [{"phase": "INSTRUCTIONS"}, {"phase": "prequestionnaire", "status": "submit"}]
        for _ in range(cohort.n_judges)
    ]
    for i, t in enumerate(trials):
        data[t.judge].append(
            {
                "rt": times[i],
                "choose response": verdicts[i].capitalize(),
                "correct response": t.truth.capitalize(),
                "trial": t.position,
                "gender response": "Female" if female[i] else "Male",
                "object response": named[i][1].capitalize(),
                "phase": "TEST",
                "imageID": make_address(rng, t, "free viewing"),
                "correct object": named[i][0].capitalize(),
            }
        )
    lines = io.StringIO()
    table = csv.DictWriter(lines, COLUMNS, lineterminator="\n")
    table.writeheader()
    table.writerow(make_session_row(workers[-1], 0, 1, ""))
    for judge, entries in enumerate(data):
        entries += [{"phase": "postquestionnaire", "status": s} for s in ("begin", "submit")]
        identity = f"{workers[judge]}:3GENERATEDE{judge:03d}"
        content = {
            "workerId": workers[judge],
            "questiondata": said[judge],
            "useragent": "AGENERATED browser",
            "eventdata": [],
            "data": [
                {"current_trial": number, "trialdata": entry, "uniqueid": identity}
                for number, entry in enumerate(entries)
            ],
            "currenttrial": len(entries),
        }
        table.writerow(make_session_row(workers[judge], judge + 1, 3, json.dumps(content)))
    return lines.getvalue()


def make_session_row(worker: str, number: int, status: int, content: str) -> dict[str, Any]:
    """Return one row of the psiTurk table; its identifiers are recognizably made up."""
    return dict.fromkeys(COLUMNS, "") | {
        "uniqueid": f"{worker}:3GENERATEDE{number:03d}",
        "assignmentid": f"3GENERATEDE{number:03d}",
        "workerid": worker,
        "hitid": "debug",
        "ipaddress": f"203.0.113.{number}",
        "browser": "chrome",
        "platform": "linux",
        "language": "UNKNOWN",
        "cond": 0,
        "counterbalance": 0,
        "codeversion": "1.0",
        "bonus": 0.0,
        "status": status,
        "mode": "debug",
        "datastring": content,
    }


def generate_machine_file(
    seed: int,
    path: str,
    cohort: Cohort,
    trials: Sequence[Trial],
    effects: dict[str, np.ndarray],
    keys: Sequence[str],
) -> dict[str, Any]:
    """Return the predictions of a machine judge."""
    predictions = make_predictions(seed, path, cohort, trials, effects, SPELLING)
    return {
        key: {"trialData": prediction["trialData"] | {"imgtype": "naturaldesign"}}
        for key, prediction in zip(keys, predictions, strict=True)
    }


def generate_files(design: pd.DataFrame, demographics: pd.DataFrame, seed: int) -> dict[str, Any]:
    """Return all files of Attention prediction as ``{path: content}``.

    Parameters
    ----------
    design, demographics : pandas.DataFrame
        Rows of this task; the cohorts amt and svm have one set of rows per variant.
    seed : int
        Seed of the whole demo.
    """
    cohorts = read_cohorts(design)
    names = (*AGENTS, *MODELS_2025, "catch", "swapped")
    effects = draw_stimulus_effects(seed, "attention", names, N_IMAGES + N_WALDO)
    images = list(range(1, N_IMAGES + 1))
    made: dict[str, Any] = {
        DICTIONARY: generate_dictionary(seed),
        MORE: generate_more_paths(seed),
        PATHS["amt"]: {},
    }
    for variant in ("free viewing", "visual search"):
        cohort = cohorts[f"amt {variant}"]
        made[PATHS["amt"]] |= generate_first_wave(seed, cohort, demographics, effects, variant)
    made[PATHS["expert"]] = generate_expert_table(seed, cohorts["expert"], demographics, effects)
    tested = []
    for name, variant, training in (
        ("feedback", "free viewing", TRAINING),
        ("gpt4o_agent", "free viewing", 0),
        ("ablated", "visual search", 0),
    ):
        rng = make_generator(seed, f"attention {name} trials")
        trials = deal_sessions(rng, cohorts[name], images, training)
        if training:
            tested = [t for t in trials if t.position > training and t.agent in SPELLING]
        made[PATHS[name]] = generate_later_file(
            seed, PATHS[name], cohorts[name], demographics, trials, effects, variant
        )
    # The classifiers that imitate the feedback judges were given the trials of these judges.
    path, keys = PATHS["svm_feedback"], [f"Trial_{k + 1}" for k in range(len(tested))]
    made[path] = generate_machine_file(seed, path, cohorts["svm_feedback"], tested, effects, keys)
    zeroshot = [
        Trial(0, position, image, agent)
        for image in images
        for position, agent in enumerate([*["human"] * len(SUBJECTS), *AGENTS[1:]], start=1)
    ]
    path, keys = PATHS["zeroshot"], [f"Trial_{k + 1}" for k in range(len(zeroshot))]
    made[path] = generate_machine_file(seed, path, cohorts["zeroshot"], zeroshot, effects, keys)
    for variant in ("free viewing", "visual search"):
        cohort, path = cohorts[f"svm {variant}"], PATHS[f"svm {variant}"]
        rng = make_generator(seed, f"attention svm {variant} trials")
        trials = [
            Trial(0, position, int(rng.choice(images)), agent)
            for agent, n in cohort.n_trials.items()
            for position in range(1, n + 1)
        ]
        per_seed = -(-len(trials) // len(SEEDS))
        keys = [f"Trial_{i % per_seed + 1}_{SEEDS[i // per_seed]}" for i in range(len(trials))]
        made[path] = generate_machine_file(seed, path, cohort, trials, effects, keys)
    return made
