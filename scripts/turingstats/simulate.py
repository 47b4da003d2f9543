"""Generate raw files like the public ones, so that the whole pipeline runs without any download.

The files have the paths, nesting, keys, value types, spellings and oddities of the public
repository, so the same adapters read generated and real data. How many judges, trials and agents
there are, and how often each agent is judged machine, comes from ``design.csv``; who the judges are
comes from ``demographics.csv``. Everything else is invented.

Model of one verdict::

    logit P(judged machine)
        = intercept of the agent
        + bias of the judge
        + sensitivity of the judge * (+1/2 if the agent is a machine, -1/2 if human)
        + effect of the stimulus (one picture with the answer of one agent)

The three random terms are normal with mean 0. The intercept is solved for, so that the expected
share judged machine, averaged over judges and stimuli, is the published share. Counts of trials are
exactly those of the design; counts of verdicts vary with the seed, as they would in a repetition of
the experiment. Machine judges have no judge terms.

The standard deviations of the random terms (`JUDGE_BIAS_SD`, `JUDGE_SENSITIVITY_SD`, `STIMULUS_SD`,
in logits) were chosen near the first wave of Color estimation (65 judges, 1416 trials). A logistic
model with normal judge terms gives SDs 0.61 (bias) and 0.13 (sensitivity) with stimuli ignored,
about 0.7 and 0.15 with them. Two judges of the same picture with the same answer agree more often
than by chance (covariance of their verdicts 0.051 in 360 pairs, an SD of about 1.1); two judges of
the same picture with different answers do not, so the effect belongs to picture and answer
together. Sensitivity is set above its estimate, which is uncertain, to give the models something to
find.

A task is one function that returns ``{path: content}``; register it in ``TASKS``.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

# Standard deviations of the random terms, in logits: see the docstring of this module.
JUDGE_BIAS_SD = 0.7
JUDGE_SENSITIVITY_SD = 0.3
STIMULUS_SD = 1.0

RT_MEDIAN_MS = 9150  # first wave of Color estimation
RT_JUDGE_SD = 0.3  # of log time, between judges
RT_TRIAL_SD = 0.5  # of log time, within a judge
RT_EXTREMES = 2  # impossibly short, and very long, times in each file
CONTROL_ACCURACY = 0.887  # share of right control answers (feedback judges, Color estimation)
FEMALE_GUESS = 0.4  # share of "female" among the guessed genders of the first wave
WORKER_POOL = 5000  # people there are; more than all cohorts need

# Color estimation
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


@dataclass(frozen=True)
class Trial:
    """One verdict to be given.

    Attributes
    ----------
    judge : int
        Judge, counted from 0.
    position : int
        Place in the session, counted from 1.
    image : int
        Number of the picture.
    agent : str
        Who answered: ``"human"`` or a machine (canonical name).
    """

    judge: int
    position: int
    image: int
    agent: str

    @property
    def truth(self) -> str:
        """``"human"`` or ``"machine"``."""
        return "human" if self.agent == "human" else "machine"


# --------------------------------------------------------------------------------------------------
# Random numbers
# --------------------------------------------------------------------------------------------------


def generator(seed: int, name: str) -> np.random.Generator:
    """Return the random numbers that belong to one file (or to one named part of the model).

    Each name has a stream of its own, so a new file or task leaves the others as they are.

    Parameters
    ----------
    seed : int
        Seed of the whole demo.
    name : str
        Path of the file, or name of the part.
    """
    return np.random.default_rng(np.random.SeedSequence([seed, zlib.crc32(name.encode())]))


def worker_ids(seed: int, first: int, n: int) -> list[str]:
    """Return the platform ids of people number `first` to ``first + n - 1``.

    The ids look like those of Mechanical Turk (``A`` and 13 capitals or digits). All begin with
    ``AGENERATED``, so that a test can prove that none reaches an output.
    """
    symbols = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
    codes = generator(seed, "worker ids").choice(36**4, size=WORKER_POOL, replace=False)
    digits = [[int(code) // 36**i % 36 for i in range(4)] for code in codes[first : first + n]]
    return ["AGENERATED" + "".join(symbols[d] for d in code) for code in digits]


# --------------------------------------------------------------------------------------------------
# The model
# --------------------------------------------------------------------------------------------------


def intercept(rate: float, sd: float) -> float:
    """Return the logit intercept that gives probability `rate`, averaged over random effects.

    Solves ``E[1 / (1 + exp(-(intercept + sd * z)))] = rate`` for standard normal z. The expectation
    is a Gauss-Hermite sum with 40 nodes; the root is found with Brent's method.

    Parameters
    ----------
    rate : float
        Wanted probability, between 0 and 1 (both excluded).
    sd : float
        Standard deviation of the sum of all random effects, in logits.

    Raises
    ------
    ValueError
        If `rate` is not between 0 and 1.
    """
    from scipy.optimize import brentq
    from scipy.special import expit

    if not 0 < rate < 1:
        raise ValueError(f"rate must be between 0 and 1 (both excluded), got {rate}")
    nodes, weights = np.polynomial.hermite_e.hermegauss(40)
    weights = weights / weights.sum()
    return brentq(lambda b: weights @ expit(b + sd * nodes) - rate, -20, 20, xtol=1e-10)


def stimulus_effects(
    seed: int, task: str, agents: Sequence[str], last: int
) -> dict[str, np.ndarray]:
    """Return for each agent the effects of stimuli 0 to `last`, shared by all cohorts."""
    return {
        agent: generator(seed, f"{task} stimuli {agent}").normal(0, STIMULUS_SD, last + 1)
        for agent in agents
    }


def judge_trials(
    rng: np.random.Generator,
    trials: Sequence[Trial],
    rates: dict[str, float],
    effects: dict[str, np.ndarray],
    human_judges: bool,
) -> list[str]:
    """Draw the verdict on each trial from the model at the top of this module.

    Parameters
    ----------
    rng : numpy.random.Generator
        Random numbers of the file.
    trials : sequence of Trial
        Trials of one cohort.
    rates : dict
        Agent to expected share judged machine.
    effects : dict
        Agent to effects of the stimuli (`stimulus_effects`).
    human_judges : bool
        False for machine judges, who have neither bias nor sensitivity of their own.

    Returns
    -------
    list of str
        ``"human"`` or ``"machine"``, one a trial.
    """
    from scipy.special import expit

    bias_sd, sensitivity_sd = (JUDGE_BIAS_SD, JUDGE_SENSITIVITY_SD) if human_judges else (0.0, 0.0)
    n_judges = 1 + max(trial.judge for trial in trials)
    bias = rng.normal(0, bias_sd, n_judges)
    sensitivity = rng.normal(0, sensitivity_sd, n_judges)
    total_sd = float(np.sqrt(bias_sd**2 + (sensitivity_sd / 2) ** 2 + STIMULUS_SD**2))
    base = {agent: intercept(rate, total_sd) for agent, rate in rates.items()}
    logits = [
        base[t.agent]
        + bias[t.judge]
        + sensitivity[t.judge] * (-0.5 if t.agent == "human" else 0.5)
        + effects[t.agent][t.image]
        for t in trials
    ]
    machine = rng.random(len(trials)) < expit(np.array(logits))
    return ["machine" if m else "human" for m in machine]


# --------------------------------------------------------------------------------------------------
# Parts that several files share
# --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Cohort:
    """One cohort of the design: see the columns of ``design.csv``."""

    name: str
    n_judges: int
    trials_per_judge: int
    n_trials: dict[str, int]
    rates: dict[str, float]


def read_cohorts(design: pd.DataFrame) -> dict[str, Cohort]:
    """Turn the rows of one task of the design into cohorts, by name."""
    cohorts = {}
    for name, rows in design.groupby("cohort", sort=False):
        n_trials = dict(zip(rows["agent"], rows["n_trials"].astype(int), strict=True))
        machine = dict(zip(rows["agent"], rows["judged_machine"].astype(int), strict=True))
        cohorts[name] = Cohort(
            name=name,
            n_judges=int(rows["n_judges"].iloc[0]),
            trials_per_judge=int(rows["trials_per_judge"].iloc[0]),
            n_trials=n_trials,
            rates={agent: machine[agent] / n for agent, n in n_trials.items()},
        )
    return cohorts


def questionnaires(
    rng: np.random.Generator,
    demographics: pd.DataFrame,
    cohort: Cohort,
    mode: str,
    ai_experience: bool,
) -> list[dict[str, Any]]:
    """Return the questionnaire of each judge of a cohort (``workerData``).

    Each variable has exactly the counts of the demographics table, dealt to the judges in random
    order and independently of the other variables.

    Raises
    ------
    ValueError
        If the counts of a variable do not add up to the number of judges.
    """
    said = {}
    for variable in ("gender", "age", "education", "native", "country"):
        rows = demographics[
            (demographics["cohort"] == cohort.name) & (demographics["variable"] == variable)
        ]
        values = np.repeat(rows["value"].to_numpy(dtype=object), rows["n_judges"].astype(int))
        if len(values) != cohort.n_judges:
            raise ValueError(
                f"demographics table, cohort {cohort.name!r}, variable {variable!r}: the counts "
                f"add up to {len(values)}, but the design has {cohort.n_judges} judges; "
                "correct n_judges in one of the two tables"
            )
        said[variable] = rng.permutation(values).tolist()
    engagement = rng.integers(3, 11, cohort.n_judges)
    difficulty = rng.integers(0, 11, cohort.n_judges)
    experience = rng.choice(4, size=cohort.n_judges, p=(0.2, 0.4, 0.3, 0.1))
    judges = []
    for j in range(cohort.n_judges):
        judge = {
            "country": said["country"][j],
            "age": said["age"][j],
            "engagement": str(engagement[j]),
            "difficulty": str(difficulty[j]),
            "mode": mode,
            "gender": said["gender"][j],
            "education": said["education"][j],
        }
        if ai_experience:
            judge["ai-experience"] = str(experience[j])
        judges.append(judge | {"condition": 0, "native": said["native"][j]})
    return judges


def session(
    rng: np.random.Generator,
    cohort: Cohort,
    images: Sequence[int],
    skipped: int = 0,
    balanced: bool = False,
) -> list[Trial]:
    """Return the trials of a cohort that are in the public file, in order.

    A judge sees `cohort.trials_per_judge` trials. The first `skipped` are not in the file, nor are
    some of the others, taken at random, so that the file has the number of trials of the design and
    its positions have gaps.

    Parameters
    ----------
    rng : numpy.random.Generator
        Random numbers of the file.
    cohort : Cohort
        Number of judges, and number of trials for each agent.
    images : sequence of int
        Pictures to choose from; no judge sees a picture twice.
    skipped : int
        Training trials at the start of each session.
    balanced : bool
        True: every judge has the same number of trials of each agent. False: agents are dealt over
        the whole file.
    """
    positions = range(skipped + 1, cohort.trials_per_judge + 1)
    slots = [(judge, position) for judge in range(cohort.n_judges) for position in positions]
    n_kept = sum(cohort.n_trials.values())
    kept = [slots[i] for i in np.sort(rng.choice(len(slots), size=n_kept, replace=False))]
    if balanced:
        share = {agent: n // cohort.n_judges for agent, n in cohort.n_trials.items()}
        hands = [rng.permutation(_repeat(share)) for _ in range(cohort.n_judges)]
        agents = np.concatenate(hands).tolist()
    else:
        agents = rng.permutation(_repeat(cohort.n_trials)).tolist()
    seen = [
        rng.choice(images, size=cohort.trials_per_judge, replace=False)
        for _ in range(cohort.n_judges)
    ]
    return [
        Trial(judge, position, int(seen[judge][position - 1]), agent)
        for (judge, position), agent in zip(kept, agents, strict=True)
    ]


def _repeat(counts: dict[str, int]) -> np.ndarray:
    """Return each key as often as its count says."""
    return np.repeat(np.array(list(counts), dtype=object), list(counts.values()))


def response_times(rng: np.random.Generator, trials: Sequence[Trial]) -> list[int]:
    """Draw response times in ms: log-normal, each judge with a speed of its own, a few extremes."""
    speed = rng.normal(0, RT_JUDGE_SD, 1 + max(t.judge for t in trials))
    times = RT_MEDIAN_MS * np.exp(
        [speed[t.judge] for t in trials] + rng.normal(0, RT_TRIAL_SD, len(trials))
    )
    extreme = rng.choice(len(trials), size=2 * RT_EXTREMES, replace=False)
    times[extreme[:RT_EXTREMES]] = rng.uniform(20, 60, RT_EXTREMES)
    times[extreme[RT_EXTREMES:]] = rng.uniform(100_000, 210_000, RT_EXTREMES)
    return np.rint(times).astype(int).tolist()


def control_answers(rng: np.random.Generator, trials: Sequence[Trial]) -> list[bool]:
    """Say for each trial whether the control question was answered rightly.

    A judge's share of right answers lies between 0.65 and 1, with mean `CONTROL_ACCURACY`: judges
    with fewer than 7/12 right are not in the public files. Wrongly answered trials are.
    """
    lowest, spread = 0.65, 4.0
    middle = (CONTROL_ACCURACY - lowest) / (1 - lowest)
    right = np.zeros(len(trials), dtype=bool)
    judges = np.array([t.judge for t in trials])
    for judge in range(1 + judges.max()):
        accuracy = lowest + (1 - lowest) * rng.beta(spread * middle, spread * (1 - middle))
        mine = rng.permutation(np.flatnonzero(judges == judge))
        right[mine[: round(accuracy * len(mine))]] = True
    return right.tolist()


# --------------------------------------------------------------------------------------------------
# Formats
# --------------------------------------------------------------------------------------------------


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


# --------------------------------------------------------------------------------------------------
# Tasks
# --------------------------------------------------------------------------------------------------


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


def color(design: pd.DataFrame, demographics: pd.DataFrame, seed: int) -> dict[str, Any]:
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
    files: dict[str, Any] = {COLOR_DICTIONARY: dictionary}

    for name, path, top, mode in (
        ("amt", COLOR_AMT, "mturk", "live"),
        ("expert", COLOR_EXPERT, "AIexperts", "debug"),
    ):
        files[path] = first_wave_file(
            seed, path, cohorts[name], demographics, images, effects, top, mode
        )

    # The feedback judges and the classifiers that imitate them were given the same trials.
    feedback = session(
        generator(seed, "color feedback trials"),
        cohorts["feedback"],
        images,
        skipped=FEEDBACK_TRAINING,
    )
    files[COLOR_FEEDBACK] = later_file(
        seed, COLOR_FEEDBACK, cohorts["feedback"], demographics, feedback, effects, feedback=True
    )
    files[COLOR_SVM_FEEDBACK] = machine_judge_file(
        seed, COLOR_SVM_FEEDBACK, cohorts["svm_feedback"], feedback, effects, "Trial_Color_"
    )

    chatgpt = session(
        generator(seed, "color chatgpt trials"), cohorts["gpt4o_agent"], images, balanced=True
    )
    files[COLOR_CHATGPT] = later_file(
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
    files[COLOR_ZEROSHOT] = machine_judge_file(
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
        files[path] = machine_judge_file(
            seed, path, cohorts[name], held_out, effects, "Trial_Color_", passes
        )
    return files


TASKS: dict[str, Callable[[pd.DataFrame, pd.DataFrame, int], dict[str, Any]]] = {"color": color}


def write_demo(
    design_csv: str | Path,
    demographics_csv: str | Path,
    out_dir: str | Path,
    seed: int,
    tasks: Sequence[str],
) -> list[Path]:
    """Write the generated raw files of some tasks.

    The same arguments give the same bytes.

    Parameters
    ----------
    design_csv : path
        Columns task, cohort, agent, n_judges, trials_per_judge, n_trials (trials in the public
        file), judged_machine (how many of these were judged machine), source.
    demographics_csv : path
        Columns task, cohort, variable, value, n_judges, source.
    out_dir : path
        Folder that stands for the public repository; made if missing.
    seed : int
        Seed, 0 or more.
    tasks : sequence of str
        Names of tasks, see `TASKS`.

    Returns
    -------
    list of pathlib.Path
        The files written, sorted.

    Raises
    ------
    ValueError
        If a task is unknown, or if the two tables disagree on the number of judges.
    """
    import pandas as pd

    for task in tasks:
        if task not in TASKS:
            raise ValueError(f"unknown task {task!r}; allowed are {', '.join(sorted(TASKS))}")
    design = pd.read_csv(design_csv, dtype=str, keep_default_na=False)
    demographics = pd.read_csv(demographics_csv, dtype=str, keep_default_na=False)
    written = []
    for task in tasks:
        files = TASKS[task](
            design[design["task"] == task], demographics[demographics["task"] == task], seed
        )
        for path, content in files.items():
            target = Path(out_dir) / path
            target.parent.mkdir(parents=True, exist_ok=True)
            partial = target.with_name(target.name + ".partial")
            partial.write_text(json.dumps(content), encoding="utf-8")
            partial.replace(target)
            written.append(target)
    return sorted(written)
