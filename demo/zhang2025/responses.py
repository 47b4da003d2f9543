"""Made-up responses: words that are typical of the stimulus, of the agent, or of neither.

People use more words that are typical of the stimulus than models do, vary more in length and write less
formally, so that a classifier finds something but not everything. How well a judge distinguishes these
responses says nothing about real ones.
"""

import zlib
from dataclasses import dataclass

import numpy as np
import pandas as pd

from demo.zhang2025 import conversations
from turingstats.core.scan_paths import SCREEN

WORDS = tuple(
    "anchor bridge harbor island ocean river salty rough basket candle kettle coffee lemon pepper bake "
    "pour castle lantern desert ancient escape hunt cotton needle jacket feather soft gentle doctor "
    "family letter paper read listen engine hammer ladder repair hollow noisy flower forest meadow spider "
    "grow dusty mirror window corner shadow bright pale sleep rest finger pocket saddle chase climb dance "
    "whisper laugh bitter sweet hungry bold proud lazy honest clever angry borrow collect count divide "
    "measure promise cheap rare dog cat horse bird child woman man cyclist beach street table bench field "
    "kitchen train garden running sitting waiting jumping resting small large old young happy tired calm "
    "friendly curious lonely boat cake pizza plate fork cup knife laptop desk keyboard mouse chair snow "
    "mountain market school ticket pillow yellowish robot planet vaccine drummer comedy coach drone novel "
    "sneaker silver golden smooth tender quiet silent cold damp dry cloudy steep narrow follow carry".split()
)
"""The first 150 are the cues of Word association."""
COLORS = tuple("black white gray red orange yellow green blue brown purple pink".split())
TYPICAL = {"human": 0.7, "chatgpt": 0.65}
"""Share of words that are typical of the stimulus, where it is not 0.5."""
FAVORITE = 0.2
"""Share of a model's words that are typical of it."""
NEAR = 30
"""Number of words that are typical of a stimulus, or of a model. With 30, people and models share a word for
about half of the cues, as in the paper."""
FIXATIONS = {"human": 13, "gbvs": 30, "ivsn": 15, "deepgaze3": 30, "chatgpt": 15}
SPEAKERS = 217
FORMAL = 0.3
"""Share of turns of people with a capital and a period; those of models all have both."""


@dataclass(frozen=True)
class Form:
    """How many responses of a task there are, and of how many words."""

    stimuli: list[str]
    # Number of stimuli, the first ones, that each model responded to.
    described: dict[str, int]
    # Numbers of people's responses, and of people.
    by_people: int
    people: int
    # Fewest and most words of a response.
    words: tuple[int, int]
    between: str = " "
    vocabulary: tuple[str, ...] = WORDS


FORMS = {
    "caption": Form(
        [f"{number:04d}" for number in range(1, 1001)],
        dict.fromkeys(("git", "ofa", "blip", "clipcap", "microsoft"), 1000)
        | dict.fromkeys(("openflamingo", "chatgpt", "scst", "llava"), 655),
        by_people=2290,
        people=229,
        words=(6, 14),
    ),
    "word": Form(
        list(WORDS[:150]),
        dict.fromkeys(("word2vec", "gpt2", "gpt3_embedding"), 150)
        | dict.fromkeys(("gpt3_prompt_curie", "gpt3_prompt_davinci", "chatgpt"), 150),
        by_people=1150,
        people=40,
        words=(1, 1),
    ),
    "color": Form(
        [str(number) for number in range(1, 786)],
        dict.fromkeys(("azure", "mccq", "google", "chatgpt"), 785),
        by_people=3 * 785,
        people=65,
        words=(1, 1),
        vocabulary=COLORS,
    ),
    "object": Form(
        [str(number) for number in range(1, 809)],
        dict.fromkeys(("azure", "detectron", "google", "rekognition", "chatgpt"), 808),
        by_people=2 * 808,
        people=45,
        words=(3, 3),
        between=", ",
    ),
}
"""Sizes as in Table S1."""


def generate_responses(task: str, rng: np.random.Generator) -> pd.DataFrame:
    """Generate the responses of a task."""
    if task == "conversation":
        return generate_turns(rng)
    return draw_scan_paths(rng) if task == "attention" else generate_texts(rng, FORMS[task])


def generate_texts(rng: np.random.Generator, form: Form) -> pd.DataFrame:
    """Generate a text of each model on its stimuli, and those of people on all stimuli in turn."""
    last = len(form.stimuli)
    rows = [(n % last, "human", f"p{n % form.people + 1:03d}") for n in range(form.by_people)]
    rows += [(n, agent, None) for agent, number in form.described.items() for n in range(number)]
    table = pd.DataFrame(
        sorted(rows, key=lambda row: row[0]), columns=["number", "agent", "responder"]
    )
    table["stimulus"] = [form.stimuli[number] for number in table.pop("number")]
    number = rng.integers(form.words[0], form.words[1] + 1, len(table))
    words = draw_words(rng, table["agent"], table["stimulus"], number, form.vocabulary)
    return table.assign(response=[form.between.join(text) for text in words])


def draw_words(
    rng: np.random.Generator,
    agents: pd.Series,
    stimuli: pd.Series,
    numbers: np.ndarray,
    vocabulary: tuple[str, ...],
) -> list[list[str]]:
    """Draw the words of responses: typical of the stimulus, of the agent, or any."""
    rows = np.repeat(np.arange(len(numbers)), numbers)
    size, chance = len(vocabulary), rng.random(len(rows))
    near, anything = rng.integers(0, NEAR, len(rows)), rng.integers(0, size, len(rows))
    typical, first_of_agent, first_of_stimulus = (
        column.map({value: found(value) for value in column.unique()}).to_numpy()[rows]
        for column, found in (
            (agents, lambda agent: TYPICAL.get(agent, 0.5)),
            (agents, lambda agent: zlib.crc32(agent.encode())),
            (stimuli, lambda stimulus: zlib.crc32(stimulus.encode())),
        )
    )
    place = np.where(chance < typical, first_of_stimulus + near, anything)
    of_agent = (chance > 1 - FAVORITE) & (agents.to_numpy()[rows] != "human")
    place = np.where(of_agent, first_of_agent + near, place) % size
    words = np.array(vocabulary, object)[place]
    return [part.tolist() for part in np.split(words, numbers.cumsum()[:-1])]


def generate_turns(rng: np.random.Generator) -> pd.DataFrame:
    """Generate the turns of the conversations; A begins, and the speakers alternate."""
    talks = conversations.list_conversations()
    talks = talks.loc[talks.index.repeat(talks["turns"])]
    table = talks[["stimulus"]].assign(turn=talks.groupby("stimulus").cumcount() + 1)
    is_a = table["turn"] % 2 == 1
    table["side"] = np.where(is_a, "A", "B")
    table["agent"] = talks["agent_a"].where(is_a, talks["agent_b"])
    is_human = (table["agent"] == "human").to_numpy()
    speaker = table.loc[is_human].groupby(["stimulus", "side"], sort=False).ngroup() % SPEAKERS
    table = table.reset_index(drop=True)
    table["responder"] = None
    table.loc[is_human, "responder"] = speaker.map("p{:03d}".format).to_numpy()
    # People vary more in length.
    number = np.where(is_human, rng.integers(1, 29, len(table)), rng.integers(8, 22, len(table)))
    words = draw_words(rng, table["agent"], talks["topic"].reset_index(drop=True), number, WORDS)
    formal = ~is_human | (rng.random(len(table)) < FORMAL)
    table["response"] = [
        f"{' '.join(text).capitalize()}." if write_out else " ".join(text)
        for text, write_out in zip(words, formal, strict=True)
    ]
    return table


def draw_scan_paths(rng: np.random.Generator) -> pd.DataFrame:
    """Draw scan paths: of ten people in free viewing, and of fifteen others in each kind of search."""
    rows = []
    for prefix, images, people in (("", 240, 10), ("search_", 240, 15), ("waldo_", 67, 15)):
        models = [] if prefix == "waldo_" else list(FIXATIONS)[1:]
        for image in range(1, images + 1):
            stimulus = f"{prefix}img{image:03d}"
            rows += [(stimulus, "human", f"{prefix}p{n + 1:02d}") for n in range(people)]
            rows += [(stimulus, agent, None) for agent in models]
    # Five scan paths of the last picture are lacking, so that those of people are 7,000.
    table = pd.DataFrame(rows[:-5], columns=["stimulus", "agent", "responder"])
    return table.assign(response=[draw_scan_path(rng, agent) for agent in table["agent"]])


def draw_scan_path(rng: np.random.Generator, agent: str) -> str:
    """Draw a scan path from the center, in smaller steps by people; models stay within the picture."""
    people = agent == "human"
    number = int(np.clip(rng.normal(FIXATIONS[agent], 3), 1, 21)) if people else FIXATIONS[agent]
    path = rng.normal(0, 90 if people else 130, (number, 2)).cumsum(axis=0) + np.array(SCREEN) / 2
    path = path if people else path.clip(0, np.array(SCREEN) - 1)
    return str(np.rint(path).astype(int).tolist())
