"""Generated raw files of Object detection."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from demo.zhang2025 import pictures
from demo.zhang2025.model import draw_stimulus_effects, read_cohorts
from turingstats.stats.resampling import make_generator

if TYPE_CHECKING:
    import pandas as pd

LAST_IMAGE = 4999  # pictures of the validation set are numbered up to here
N_IMAGES = 808  # pictures of the benchmark dictionary
ZEROSHOT_SKIPS = 548  # the one picture that the zero-shot judge did not see
OBJECT_AGENTS = ("human", "azure", "detectron", "google", "rekognition", "chatgpt")
PARTICIPANTS = 45  # people who answered
FEEDBACK_TRAINING = 40  # trials before the test phase
ACCURACY = {"feedback": 0.923, "gpt4o_agent": 0.912}  # shares of right control answers
# First person of each cohort. The ranges overlap, and with those of the other tasks too.
FIRST_WORKER = {"amt": 40, "feedback": 110, "gpt4o_agent": 155, "expert": 1000}

OBJECT_DATA = "objectDetection/Plot/Data_all"
OBJECT_DICTIONARY = "benchmarking/groundtruth_dictionaries/object.json"
OBJECT_MORE = "benchmarking/groundtruth_dictionaries/object_more.json"
OBJECT_PATHS = {
    "amt": "objectDetection/Plot/savedResults/compiled.json",
    "expert": (
        "Experiments with AI experts/AI experts databases/"
        "object recognition/compiled_AIexperts.json"
    ),
    "feedback": f"{OBJECT_DATA}/humanjudge_Object_Feedback_testphase.json",
    "gpt4o_agent": f"{OBJECT_DATA}/humanjudge_Object_ChatGPT_testphase.json",
    "svm_feedback": f"{OBJECT_DATA}/ai_judge_feedback_object.json",
    "zeroshot": f"{OBJECT_DATA}/ai_judge_zeroshot_chatgpt_objdet.json",
}
LOWER = {"human": ""} | {agent: agent for agent in OBJECT_AGENTS[1:-1]}
STYLE = pictures.Style(
    key="Trial_Obj_",
    address="obj_det",
    page=dict(zip(OBJECT_AGENTS, "abcdef", strict=True)),
    first_wave=LOWER,
    later={agent: name.capitalize() for agent, name in LOWER.items()} | {"chatgpt": "ChatGPT"},
    machine=LOWER,
    first_worker=FIRST_WORKER,
    classes={},
    leftover={},
)

# Scenes and the things in them, the most typical first; models also name broader classes.
SCENES = (
    "person surfboard wave ocean beach",
    "cat sofa pillow blanket table",
    "dog frisbee grass tree fence",
    "bus street car sign building",
    "pizza plate fork cup table",
    "train track station platform pole",
    "giraffe tree grass zebra fence",
    "toilet sink mirror towel bathroom",
    "laptop desk keyboard mouse chair",
    "skier snow mountain pole jacket",
    "bicycle helmet road man backpack",
    "airplane runway sky cloud truck",
    "boat water dock bird bridge",
    "cake candle child balloon plate",
    "horse rider saddle field hat",
    "bat player glove field ball",
)
BROADER = {
    "azure": "outdoor indoor furniture animal vehicle".split(),
    "detectron": "person chair car bottle cup".split(),
    "google": "plant sky wood food material".split(),
    "rekognition": "nature human transportation furniture meal".split(),
}
STRAYS = {"azure": 0.45, "detectron": 0.15, "google": 0.4, "rekognition": 0.35}


def generate_object_dictionary(seed: int) -> dict[str, list[dict[str, str]]]:
    """Return five answers of three words, in shuffled order, to every picture.

    Everyone names things in the picture's scene, people the most typical ones first; a model
    occasionally replaces a thing by one of its broad classes (`BROADER`, `STRAYS`).
    """
    rng = make_generator(seed, OBJECT_DICTIONARY)
    others = [image for image in range(1, LAST_IMAGE + 1) if image != ZEROSHOT_SKIPS]
    chosen = rng.choice(others, size=N_IMAGES - 1, replace=False).tolist()
    dictionary = {}
    for image in rng.permutation([*chosen, ZEROSHOT_SKIPS]).tolist():
        things = SCENES[rng.integers(len(SCENES))].split()
        said = {}
        for agent in LOWER:
            weights = (
                (0.4, 0.25, 0.15, 0.12, 0.08) if agent == "human" else (0.25, 0.2, 0.2, 0.2, 0.15)
            )
            words = rng.choice(things, size=3, replace=False, p=weights).tolist()
            for place in np.flatnonzero(rng.random(3) < STRAYS.get(agent, 0)):
                words[place] = BROADER[agent][rng.integers(len(BROADER[agent]))]
            said[agent] = ", ".join(words)
        dictionary[f"{image}.jpg"] = pictures.shuffle_answers(rng, image, said, STYLE)
    return dictionary


def generate_more_answers(
    seed: int, dictionary: dict[str, list[dict[str, str]]]
) -> dict[str, list[dict[str, str]]]:
    """Return the answers that are not public: of a second person and of ChatGPT-4o to each picture.

    Both name things that were named before: the person one thing less like the first one.
    """
    rng = make_generator(seed, OBJECT_MORE)
    more = {}
    for name, answers in dictionary.items():
        image = int(name.removesuffix(".jpg"))
        first = next(a["response"] for a in answers if a["groundtruth"] == "human").split(", ")
        scene = next(scene.split() for scene in SCENES if set(first) <= set(scene.split()))
        others = [thing for thing in scene if thing not in first]
        second = [*rng.permutation(first)[:2].tolist(), others[rng.integers(len(others))]]
        person = f"Participant_{1 + rng.integers(PARTICIPANTS)}"
        words = rng.choice(scene, size=3, replace=False).tolist()
        more[name] = [
            pictures.make_answer(image, "human", ", ".join(second), STYLE, person),
            pictures.make_answer(image, "chatgpt", ", ".join(words), STYLE),
        ]
    return more


def generate_files(design: pd.DataFrame, demographics: pd.DataFrame, seed: int) -> dict[str, Any]:
    """Return all files of Object detection as ``{path: content}``.

    Parameters
    ----------
    design, demographics : pandas.DataFrame
        Rows of this task.
    seed : int
        Seed of the whole demo.
    """
    dictionary = generate_object_dictionary(seed)
    made = {OBJECT_DICTIONARY: dictionary, OBJECT_MORE: generate_more_answers(seed, dictionary)}
    return made | pictures.generate_shared_files(
        OBJECT_PATHS,
        read_cohorts(design),
        demographics,
        dictionary,
        draw_stimulus_effects(seed, "object", OBJECT_AGENTS, LAST_IMAGE),
        seed,
        STYLE,
        task="object",
        training=FEEDBACK_TRAINING,
        skipped=ZEROSHOT_SKIPS,
        balanced=True,
        accuracy=ACCURACY,
    )
