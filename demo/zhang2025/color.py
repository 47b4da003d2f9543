"""Generated raw files of Color estimation."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from demo.zhang2025 import pictures
from demo.zhang2025.model import Trial, draw_stimulus_effects, read_cohorts
from turingstats.stats.resampling import make_generator

if TYPE_CHECKING:
    import pandas as pd

LAST_IMAGE = 1199  # images are numbered 1 to 1199 in the public files
N_IMAGES = 873  # images of the benchmark dictionary
PARTICIPANTS, ANSWERS_EACH = 65, 3  # people who answered, and how many of them each image
ZEROSHOT_SKIPS = 548  # the one image that the zero-shot judge did not see
COLOR_AGENTS = ("human", "azure", "mccq", "google", "chatgpt")
FEEDBACK_TRAINING = 40  # trials before the test phase
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
COLOR_MORE = "benchmarking/groundtruth_dictionaries/color_more.json"
COLOR_PATHS = {
    "amt": COLOR_AMT,
    "expert": COLOR_EXPERT,
    "feedback": COLOR_FEEDBACK,
    "gpt4o_agent": COLOR_CHATGPT,
    "svm_feedback": COLOR_SVM_FEEDBACK,
    "zeroshot": COLOR_ZEROSHOT,
}
# One agent, three spellings: first wave, 2025 judges, machine judges.
STYLE = pictures.Style(
    key="Trial_Color_",
    address="color_det",
    page={"human": "a", "azure": "b", "mccq": "c", "google": "d", "chatgpt": "e"},
    first_wave={"human": "", "azure": "azure", "mccq": "mccq", "google": "google"},
    later={
        "human": "",
        "azure": "Azure",
        "mccq": "Histogram",
        "google": "Google",
        "chatgpt": "ChatGPT",
    },
    machine={"human": "", "azure": "azure", "mccq": "histogram", "google": "google"},
    first_worker=FIRST_WORKER,
    classes={"gpt4o_agent": {"human": "H", "machine": "AI"}},
    leftover={"feedback": {"imgtype": "naturaldesign"}},
)

# Dominant colors of pictures, how often an agent names the dominant one, and what it says otherwise.
COLOR_WORDS = "green brown gray white blue black red yellow orange pink purple none".split()
DOMINANT = (0.28, 0.20, 0.15, 0.11, 0.10, 0.05, 0.04, 0.03, 0.02, 0.01, 0.01, 0)
AGREEMENT = {"human": 0.70, "chatgpt": 0.65, "azure": 0.35, "mccq": 0.50, "google": 0.45}
HABIT = {
    "human": (0.20, 0.20, 0.15, 0.15, 0.10, 0.08, 0.05, 0.03, 0.02, 0.01, 0.01, 0),
    "azure": (0.08, 0.06, 0.36, 0.20, 0.02, 0.26, 0.01, 0.005, 0.005, 0, 0, 0),
    "mccq": (0.38, 0.12, 0.40, 0.02, 0.04, 0.01, 0.01, 0.005, 0.005, 0.005, 0.005, 0),
    "google": (0.08, 0.30, 0.28, 0.02, 0.04, 0.10, 0.02, 0.03, 0.02, 0.06, 0.02, 0.03),
    "chatgpt": (0.25, 0.25, 0.15, 0.10, 0.15, 0.05, 0.02, 0.01, 0.01, 0.005, 0.005, 0),
}
PUBLIC = ("human", "azure", "mccq", "google")  # whose answers the public dictionary has


def generate_color_dictionary(seed: int) -> dict[str, list[dict[str, str]]]:
    """Return four answers, in shuffled order, to every picture of Color estimation.

    A picture has a dominant color. Each agent names it with its own probability (`AGREEMENT`), and
    otherwise follows its habit (`HABIT`; only google says ``none``).
    """
    rng = make_generator(seed, COLOR_DICTIONARY)
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
        for agent in PUBLIC
    }
    return {
        f"{image}.jpg": pictures.shuffle_answers(
            rng, image, {agent: str(words[agent][i]) for agent in PUBLIC}, STYLE
        )
        for i, image in enumerate(images)
    }


def generate_more_answers(
    seed: int, dictionary: dict[str, list[dict[str, str]]]
) -> dict[str, list[dict[str, str]]]:
    """Return the answers that are not public: of two more people and of ChatGPT-4o to each picture.

    One picture more than the dictionary has, with all seven answers, makes 874 pictures: with these the
    printed total of responses (36,499) adds up, which it does not with the 785 of the text.
    """
    rng = make_generator(seed, COLOR_MORE)
    pictures_of = {int(name.removesuffix(".jpg")): own for name, own in dictionary.items()}
    extra = next(image for image in range(1, LAST_IMAGE + 1) if image not in pictures_of)
    more = {}
    for image in [*pictures_of, extra]:
        new = image == extra
        people = 1 + rng.choice(PARTICIPANTS, ANSWERS_EACH - (not new), replace=False)
        agents = [*["human"] * len(people), *(PUBLIC[1:] if new else ()), "chatgpt"]
        persons = [f"Participant_{number}" for number in people.tolist()]
        # A person's earlier answer is used as the dominant color.
        known = [a["response"] for a in pictures_of.get(image, []) if a["groundtruth"] == "human"]
        dominant = known[0] if known else str(rng.choice(COLOR_WORDS, p=DOMINANT))
        more[f"{image}.jpg"] = [
            pictures.make_answer(
                image,
                agent,
                dominant
                if rng.random() < AGREEMENT[agent]
                else str(rng.choice(COLOR_WORDS, p=HABIT[agent])),
                STYLE,
                person,
            )
            for agent, person in zip(
                agents, persons + [""] * (len(agents) - len(persons)), strict=True
            )
        ]
    return more


def generate_files(design: pd.DataFrame, demographics: pd.DataFrame, seed: int) -> dict[str, Any]:
    """Return all files of Color estimation as ``{path: content}``.

    Parameters
    ----------
    design, demographics : pandas.DataFrame
        Rows of this task.
    seed : int
        Seed of the whole demo.
    """
    cohorts = read_cohorts(design)
    effects = draw_stimulus_effects(seed, "color", COLOR_AGENTS, LAST_IMAGE)
    dictionary = generate_color_dictionary(seed)
    images = [int(name.removesuffix(".jpg")) for name in dictionary]
    made = {COLOR_DICTIONARY: dictionary, COLOR_MORE: generate_more_answers(seed, dictionary)}
    made |= pictures.generate_shared_files(
        COLOR_PATHS,
        cohorts,
        demographics,
        dictionary,
        effects,
        seed,
        STYLE,
        task="color",
        training=FEEDBACK_TRAINING,
        skipped=ZEROSHOT_SKIPS,
        balanced=False,
        accuracy={},
    )
    # The five "seeds" of the ablated judges were one split: the same held-out answers, agent by
    # agent, five times. All three judges had that split, hence one name for the random numbers.
    for name, path in COLOR_ABLATED.items():
        rng = make_generator(seed, "color ablated trials")
        passes = cohorts[name].n_judges
        held_out = [
            Trial(0, position, int(image), agent)
            for agent, n in cohorts[name].n_trials.items()
            for position, image in enumerate(
                rng.choice(images, n // passes, replace=False), start=1
            )
        ]
        made[path] = pictures.generate_machine_judge_file(
            seed, path, cohorts[name], held_out, effects, STYLE.key, STYLE, passes
        )
    return made
