"""Generated raw files of Image captioning, including those of the authors' archive."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from demo.zhang2025.language import deal_trials, number_records, shuffle_agents
from demo.zhang2025.model import (
    FEMALE_GUESS,
    Cohort,
    Trial,
    deal_questionnaires,
    draw_response_times,
    draw_stimulus_effects,
    judge_trials,
    make_predictions,
    make_worker_ids,
    read_cohorts,
)
from demo.zhang2025.texts import Draws, mend_articles
from turingstats.stats.resampling import make_generator

if TYPE_CHECKING:
    import pandas as pd

MODELS = ("git", "ofa", "blip", "clipcap", "microsoft")
MODELS_2025 = ("openflamingo", "chatgpt", "scst", "llava")
AGENTS = ("human", *MODELS, *MODELS_2025)
SPELLING = {agent: agent for agent in AGENTS} | {
    "human": "",
    "microsoft": "microsoft_api",
    "openflamingo": "OpenFlamingo",
    "chatgpt": "ChatGPT",
    "scst": "SCST",
    "llava": "LLaVA",
}
N_IMAGES = 1000
DOMAINS = ("COCO", "in-domain", "near-domain", "out-domain")  # 250 images each
PEOPLE = 2  # captions of people for each image
PARTICIPANTS = 229
N_MORE_PEOPLE = 290  # captions of people beyond those of the public dictionary
N_DESCRIBED_2025 = 655  # images that each model of 2025 described
SHORT, LONG, N_LONG = 20, 40, 117  # the two lengths of a session of the online judges
FEEDBACK_TRAINING = 40
FEEDBACK_TESTED = 40
HELD_OUT = 400  # captions of a model that the machine judge was tested on
FIRST_WORKER = {"amt": 3000, "feedback": 3280, "gpt4o_agent": 3320, "expert": 3430, "inlab": 3450}

SAVED = "imageCaptioning/savedResults"
CAPTION_COMPILED = f"{SAVED}/compiled.json"
CAPTION_FEEDBACK = f"{SAVED}/compiled_feedback_rebuttal_allresults.json"
CAPTION_NEW = f"{SAVED}/compiled_newcap.json"
CAPTION_ZEROSHOT = f"{SAVED}/ai_judge_zeroshot_chatgpt.json"
CAPTION_EXPERT = (
    "Experiments with AI experts/AI experts databases/image captioning/compiled_AIexperts_may4.json"
)
CAPTION_DICTIONARY = "benchmarking/groundtruth_dictionaries/caption.json"
CAPTION_MORE = "benchmarking/groundtruth_dictionaries/caption_more.json"

# Parts of a caption: "a small dog running along the wet beach".
LIVING = "small large old young happy tired calm friendly curious lonely".split()
STILL = "small large old green wooden white busy empty wet bright".split()
WHO = "dog man woman child cat horse bird boy girl cyclist".split()
DOING = "sitting standing running walking sleeping waiting jumping resting playing lying".split()
WHERE = "on near behind under beside along in".split()
PLACES = "beach street table bench field kitchen bridge river train garden".split()
ADVERBS = "quietly happily alone together".split()
# What people call some of them.
SYNONYMS = {
    "dog": "puppy", "man": "guy", "woman": "lady", "child": "kid", "bird": "pigeon",
    "street": "road", "bench": "seat", "field": "meadow", "garden": "yard", "bridge": "footbridge",
}  # fmt: skip


@dataclass(frozen=True)
class Habit:
    """How an agent writes captions.

    Attributes
    ----------
    quality, adverb, synonym : float
        Probabilities to name a quality of a noun, how something is done, and another word for a noun.
    openings : sequence of str
        How captions begin, all equally likely.
    clause : float
        Probability of a further clause.
    clauses : sequence of str
        Further clauses, which may contain a place.
    """

    quality: float
    adverb: float = 0.01
    synonym: float = 0.0
    openings: Sequence[str] = ("a",)
    clause: float = 0.1
    clauses: Sequence[str] = ("with a {place} in the background", "next to a {place}")


HABITS = {
    "human": Habit(
        0.4,
        0.06,
        0.3,
        ("a", "a", "a", "a", "the", "there is a", "a picture of a", "one"),
        0.35,
        ("as people watch", "next to a {place}", "on a sunny day", "and it looks happy",
         "with a {place} behind it", "to wait for a friend"),
    ),
    "git": Habit(0.35),
    "ofa": Habit(0.32, clause=0.25),
    "blip": Habit(0.36, clause=0.3),
    "clipcap": Habit(0.36, clause=0.35),
    "microsoft": Habit(0.15, adverb=0.0, clause=0.0),
    "openflamingo": Habit(0.25, openings=("a", "the"), clause=0.2),
    "chatgpt": Habit(
        0.8,
        0.4,
        clause=0.8,
        clauses=("surrounded by a lively {place}", "under a bright blue sky",
                 "while a {place} stretches out behind"),
    ),
    "scst": Habit(0.2, clause=0.6, clauses=("with a {place}", "on a {place} with a {place}")),
    "llava": Habit(0.5, 0.1, openings=("a", "the image shows a"), clause=0.5),
}  # fmt: skip
FORMAL = 0.2  # share of people's captions with a capital and a full stop


def write_caption(draws: Draws, agent: str, subject: tuple[str, str, str, str]) -> str:
    """Return one caption of an agent for a picture."""
    habit = HABITS[agent]
    who, doing, where, place = subject

    def describe_noun(word: str) -> str:
        qualities = LIVING if word in WHO else STILL
        if draws.uniform() < habit.synonym:
            word = SYNONYMS.get(word, word)
        return f"{draws.pick(qualities)} {word}" if draws.uniform() < habit.quality else word

    how = f" {draws.pick(ADVERBS)}" if draws.uniform() < habit.adverb else ""
    text = f"{draws.pick(habit.openings)} {describe_noun(who)} {doing}{how} {where} a {describe_noun(place)}"
    if draws.uniform() < habit.clause:
        text += " " + draws.pick(habit.clauses).format(place=draws.pick(PLACES))
    text = mend_articles(text)
    if agent == "human" and draws.uniform() < FORMAL:
        text = f"{text[0].upper()}{text[1:]}."
    return text


def draw_subjects(seed: int) -> list[tuple[str, str, str, str]]:
    """Return who does what, and where, in each picture."""
    rng = make_generator(seed, "caption pictures")
    parts = [rng.choice(words, N_IMAGES).tolist() for words in (WHO, DOING, WHERE, PLACES)]
    return list(zip(*parts, strict=True))


def make_answer(name: str, agent: str, writer: str, text: str) -> dict[str, str]:
    """Return a caption in the format of the dictionaries."""
    return {
        "imageID": name,
        "response": text,
        "groundtruth": "human" if agent == "human" else "machine",
        "human_groundtruth": writer,
        "machine_groundtruth": SPELLING[agent],
    }


def generate_dictionary(seed: int) -> dict[str, list[dict[str, str]]]:
    """Return the captions of each image, two of people and one of each model, in shuffled order."""
    rng = make_generator(seed, CAPTION_DICTIONARY)
    draws = Draws(make_generator(seed, f"{CAPTION_DICTIONARY} texts"))
    captions = {}
    for number, subject in enumerate(draw_subjects(seed), start=1):
        writers = rng.choice(np.arange(1, PARTICIPANTS + 1), PEOPLE, replace=False).tolist()
        said = [("human", f"Participant_{writer}") for writer in writers]
        said += [(agent, "") for agent in MODELS]
        name = f"{number:04d}.jpg"
        captions[name] = [
            make_answer(name, *said[i], write_caption(draws, said[i][0], subject))
            for i in rng.permutation(len(said)).tolist()
        ]
    return captions


def generate_more_captions(seed: int) -> dict[str, list[dict[str, str]]]:
    """Return the captions that are not public: those of the four models of 2025, and more people's.

    Together with the dictionary they are the 2,290 captions of people and 7,620 of models in the text;
    which images the new models described is assumed.
    """
    rng = make_generator(seed, CAPTION_MORE)
    draws = Draws(make_generator(seed, f"{CAPTION_MORE} texts"))
    described = {number: list(MODELS_2025) for number in range(1, N_DESCRIBED_2025 + 1)}
    for number in rng.choice(np.arange(1, N_IMAGES + 1), N_MORE_PEOPLE, replace=False).tolist():
        described.setdefault(number, []).append("human")
    pictures = draw_subjects(seed)
    captions = {}
    for number, agents in sorted(described.items()):
        name = f"{number:04d}.jpg"
        captions[name] = [
            make_answer(
                name,
                agent,
                f"Participant_{1 + draws.draw_below(PARTICIPANTS)}" if agent == "human" else "",
                write_caption(draws, agent, pictures[number - 1]),
            )
            for agent in agents
        ]
    return captions


def generate_judgments(
    seed: int,
    name: str,
    cohort: Cohort,
    demographics: pd.DataFrame,
    trials: Sequence[Trial],
    effects: dict[str, np.ndarray],
    workers: Sequence[str],
    mode: str,
) -> dict[str, dict[str, Any]]:
    """Return compiled records of people's judgments: ``{"Trial_<k>": {...}}``.

    Each judge has one questionnaire, to which the domain of the last image was added.
    """
    rng = make_generator(seed, name)
    said = deal_questionnaires(rng, demographics, cohort, mode, ai_experience=False)
    for answers in said:
        del answers["mode"], answers["condition"]
    verdicts = judge_trials(rng, trials, cohort.rates, effects, human_judges=True)
    times = draw_response_times(rng, trials)
    female = rng.random(len(trials)) < FEMALE_GUESS
    order = rng.integers(0, 1000, cohort.n_judges).tolist()
    for t in trials:
        said[t.judge]["imagetype"] = DOMAINS[(t.image - 1) * len(DOMAINS) // N_IMAGES]
    return number_records(
        [
            {
                "workerID": workers[t.judge],
                "workerData": said[t.judge],
                "trialData": {
                    "phase": "TEST",
                    "imageID": f"/static/images/imgset/{t.image:04d}.jpg",
                    "groundtruth": t.truth,
                    "machine_groundtruth": SPELLING[t.agent],
                    "human_groundtruth": f"Participant_{1 + t.image % PARTICIPANTS}"
                    if t.agent == "human"
                    else "",
                    "response_speaker": verdicts[i],
                    "response_gender": "female" if female[i] else "male",
                    "hit": True,
                    "counterbalance": order[t.judge],
                    "rt": times[i],
                    "trial": t.position,
                },
            }
            for i, t in enumerate(trials)
        ]
    )


def deal_balanced_sessions(
    rng: np.random.Generator, cohort: Cohort, lengths: Sequence[int]
) -> list[Trial]:
    """Return sessions from their first trial on, each with the cohort's mixture of agents."""
    total = sum(cohort.n_trials.values())
    agents = []
    for length in lengths:
        share = {agent: n * length // total for agent, n in cohort.n_trials.items()}
        agents += shuffle_agents(rng, share)
    return deal_trials(rng, [range(1, n + 1) for n in lengths], agents, range(1, N_IMAGES + 1))


def generate_files(design: pd.DataFrame, demographics: pd.DataFrame, seed: int) -> dict[str, Any]:
    """Return all files of Image captioning as ``{path: content}``.

    Parameters
    ----------
    design, demographics : pandas.DataFrame
        Rows of this task.
    seed : int
        Seed of the whole demo.
    """
    cohorts = read_cohorts(design)
    effects = draw_stimulus_effects(seed, "caption", AGENTS, N_IMAGES)
    captions = generate_dictionary(seed)

    def generate_records(name: str, trials: Sequence[Trial], mode: str, shared_id: bool = False):
        cohort = cohorts[name]
        workers = make_worker_ids(seed, FIRST_WORKER[name], 1 if shared_id else cohort.n_judges)
        workers = workers * cohort.n_judges if shared_id else workers
        return generate_judgments(
            seed, f"caption {name}", cohort, demographics, trials, effects, workers, mode
        )

    def make_numbered_predictions(name: str, cohort: str, trials: Sequence[Trial]):
        return number_records(
            make_predictions(seed, name, cohorts[cohort], trials, effects, SPELLING)
        )

    def deal_sessions(name: str, lengths: Sequence[int]) -> list[Trial]:
        return deal_balanced_sessions(
            make_generator(seed, f"caption {name} trials"), cohorts[name], lengths
        )

    rng = make_generator(seed, "caption session lengths")
    n_short = cohorts["amt"].n_judges - N_LONG
    lengths = rng.permutation(np.repeat([LONG, SHORT], [N_LONG, n_short])).tolist()
    rng = make_generator(seed, "caption machine trials")
    held_out = [
        Trial(0, position, int(image), agent)
        for agent, n in cohorts["svm"].n_trials.items()
        for position, image in enumerate(
            np.sort(rng.choice(np.arange(1, N_IMAGES + 1), min(n, HELD_OUT), replace=False))
            if agent != "human"
            else np.repeat(np.arange(1, N_IMAGES + 1), PEOPLE),
            start=1,
        )
    ]

    def list_lengths(name: str) -> list[int]:
        return [cohorts[name].trials_per_judge] * cohorts[name].n_judges

    # Test trials come after the training, among catch trials; agents are not balanced.
    rng = make_generator(seed, "caption feedback trials")
    feedback = cohorts["feedback"]
    late = np.arange(FEEDBACK_TRAINING + 1, feedback.trials_per_judge + 1)
    places = [
        np.sort(rng.choice(late, FEEDBACK_TESTED, replace=False)) for _ in range(feedback.n_judges)
    ]
    images = range(1, N_IMAGES + 1)
    tested = deal_trials(rng, places, shuffle_agents(rng, feedback.n_trials), images)
    few = cohorts["svm_feedback"]
    few_places = [range(1, FEEDBACK_TESTED + 1)] * (sum(few.n_trials.values()) // FEEDBACK_TESTED)
    few_trials = deal_trials(rng, few_places, shuffle_agents(rng, few.n_trials), images)

    # The zero-shot judge goes through the dictionary in its order.
    canonical = {spelled: agent for agent, spelled in SPELLING.items()}
    candidates = [
        Trial(0, position, int(name[:4]), canonical[caption["machine_groundtruth"]])
        for name, own in captions.items()
        for position, caption in enumerate(own, start=1)
    ]
    return {
        CAPTION_DICTIONARY: captions,
        CAPTION_MORE: generate_more_captions(seed),
        CAPTION_EXPERT: {
            "AIexperts": generate_records(
                "expert", deal_sessions("expert", list_lengths("expert")), "debug"
            )
        },
        CAPTION_COMPILED: {
            "inlab": generate_records(
                "inlab", deal_sessions("inlab", list_lengths("inlab")), "debug", shared_id=True
            ),
            "mturk": generate_records("amt", deal_sessions("amt", lengths), "live"),
            "machine": make_numbered_predictions("caption svm", "svm", held_out),
        },
        CAPTION_FEEDBACK: {
            "mturk-feedback": generate_records("feedback", tested, "live"),
            "machine-feedback": make_numbered_predictions(
                "caption svm feedback", "svm_feedback", few_trials
            ),
        },
        CAPTION_NEW: {
            "mturk": generate_records(
                "gpt4o_agent", deal_sessions("gpt4o_agent", list_lengths("gpt4o_agent")), "live"
            )
        },
        CAPTION_ZEROSHOT: make_numbered_predictions(CAPTION_ZEROSHOT, "zeroshot", candidates),
    }
