"""Made-up responses: words that are typical of the stimulus, of the agent, or of neither.

People use more words that are typical of the stimulus than models do and vary more in length, so that a
classifier finds something but not everything. How well a judge distinguishes these responses says nothing
about real ones. Sizes are those of Table S1.
"""

import numpy as np
import pandas as pd

from turingstats.core.scan_paths import SCREEN

WORDS = np.array(
    "anchor bridge harbor island ocean river salty rough basket candle kettle coffee lemon pepper bake "
    "pour castle lantern desert ancient escape hunt cotton needle jacket feather soft gentle doctor "
    "family letter paper read listen engine hammer ladder repair hollow noisy flower forest meadow spider "
    "grow dusty mirror window corner shadow bright pale sleep rest finger pocket saddle chase climb dance "
    "whisper laugh bitter sweet hungry bold proud lazy honest clever angry borrow collect count divide "
    "measure promise cheap rare dog cat horse bird child woman man cyclist beach street table bench field "
    "kitchen train garden running sitting waiting jumping resting small large old young happy tired calm "
    "friendly curious lonely boat cake pizza plate fork cup knife laptop desk keyboard mouse chair snow "
    "mountain market school ticket pillow robot planet vaccine drummer comedy coach drone novel sneaker "
    "silver golden smooth tender quiet silent cold damp dry cloudy steep narrow follow carry".split(),
    object,
)
COLORS = np.array("black white gray red orange yellow green blue brown purple pink".split(), object)
OWN_WORDS = 0.2
"""Share of a model's words that are typical of it."""
NEAR = 30
"""Number of words that are typical of a stimulus, or of a model. With 30, people and models share a word for
about half of the cues, as in the paper."""

CAPTIONS, CUES, PICTURES, OBJECTS = range(1, 1001), WORDS[:150], range(1, 786), range(1, 809)
FORMS = {
    "caption": ([f"{number:04d}" for number in CAPTIONS], 2290, 229, (6, 14)),
    "word": (list(CUES), 1150, 40, (1, 1)),
    "color": (list(map(str, PICTURES)), 3 * len(PICTURES), 65, (1, 1)),
    "object": (list(map(str, OBJECTS)), 2 * len(OBJECTS), 45, (3, 3)),
}
"""Stimuli, responses of people, people, and fewest and most words of a response."""
DESCRIBED = {
    "caption": dict.fromkeys(("git", "ofa", "blip", "clipcap", "microsoft"), 1000)
    | dict.fromkeys(("openflamingo", "chatgpt", "scst", "llava"), 655),
    "word": dict.fromkeys(("word2vec", "gpt2", "gpt3_embedding", "chatgpt"), 150)
    | dict.fromkeys(("gpt3_prompt_curie", "gpt3_prompt_davinci"), 150),
    "color": dict.fromkeys(("azure", "mccq", "google", "chatgpt"), 785),
    "object": dict.fromkeys(("azure", "detectron", "google", "rekognition", "chatgpt"), 808),
}
"""Number of stimuli, the first ones, that each model responded to."""

FIXATIONS = {"human": 13, "gbvs": 30, "ivsn": 15, "deepgaze3": 30, "chatgpt": 15}
VIEWED = {"": (240, 10), "search_": (240, 15), "waldo_": (67, 15)}
"""Images and people in free viewing and in the two kinds of search."""

FIRST, LATER = ("blenderbot", "davinci", "curie"), ("chatgpt", "claude", "llama")
CONVERSATIONS = {
    ("first", "human", "H-H"): 60,
    **{("first", agent, "H-M"): 41 for agent in FIRST},
    **{("first", agent, "M-M"): 39 for agent in FIRST},
    ("first", "machine", "catch"): 6,
    ("2025", "human", "H-H"): 36,
    **{("2025", agent, "H-M"): n for agent, n in zip(LATER, (22, 23, 23), strict=True)},
    **{("2025", agent, "M-M"): n for agent, n in zip(LATER, (36, 35, 35), strict=True)},
    ("online", "llama3", "H-M"): 47,
    ("pilot", "chatgpt_2023", "H-M"): 4,
    ("pilot", "gpt35", "H-M"): 3,
    ("pilot", "dialogpt", "H-M"): 3,
}
"""Number of conversations by collection, agent, who talks to a person or to another of its kind, and kind."""
TOPICS = "books,fashion,food,general entertainment,movies,music,politics,science,sports,technology"
SPEAKERS = 217
LENGTHS = range(3, 25, 3)
"""Lengths at which judges saw a conversation, in turns."""
LONGEST = 48
"""Turns of every sixth conversation of 2025."""


def draw_responses(rng: np.random.Generator, task: str) -> pd.DataFrame:
    """Draw the responses of a task: of people to all stimuli in turn, and of each model."""
    if task == "attention":
        return draw_scan_paths(rng)
    stimuli, by_people, people, (fewest, most) = FORMS[task]
    number = np.arange(by_people)
    responder = pd.Series(number % people + 1).astype(str).str.zfill(3).radd("p")
    tables = [pd.DataFrame({"number": number % len(stimuli), "responder": responder})]
    tables[0]["agent"] = "human"
    for agent, described in DESCRIBED[task].items():
        tables.append(pd.DataFrame({"number": range(described), "agent": agent}))
    table = pd.concat(tables).sort_values("number", kind="stable", ignore_index=True)
    table["stimulus"] = np.array(stimuli, object)[table["number"]]
    length = rng.integers(fewest, most + 1, len(table))
    vocabulary, between = COLORS if task == "color" else WORDS, ", " if task == "object" else " "
    texts = draw_texts(rng, table, length, vocabulary, between)
    return table[["stimulus", "agent", "responder"]].assign(response=texts)


def draw_texts(
    rng: np.random.Generator,
    table: pd.DataFrame,
    length: np.ndarray,
    vocabulary: np.ndarray = WORDS,
    between: str = " ",
) -> pd.Series:
    """Draw texts of so many words: typical of the stimulus, of the agent, or any."""
    about = pd.factorize(table["stimulus"])[0] * 7
    style = pd.factorize(table["agent"], sort=True)[0] * NEAR
    people = (table["agent"] == "human").to_numpy()
    row = np.repeat(np.arange(len(table)), length)
    chance, near = rng.random(len(row)), rng.integers(0, NEAR, len(row))
    typical = chance < np.where(people, 0.7, 0.5)[row]
    own = (chance > 1 - OWN_WORDS) & ~people[row]
    place = np.where(typical, about[row] + near, rng.integers(0, len(vocabulary), len(row)))
    place = np.where(own, style[row] + near, place) % len(vocabulary)
    return pd.Series(vocabulary[place]).groupby(row).agg(between.join)


def list_conversations() -> pd.DataFrame:
    """List the conversations: collection, stimulus, agents, kind, topic, number of turns, and pool."""
    rows = pd.DataFrame(list(CONVERSATIONS), columns=["collection", "agent", "variant"])
    table = rows.loc[rows.index.repeat(list(CONVERSATIONS.values()))].reset_index(drop=True)
    place = table.groupby(["collection", "agent", "variant"]).cumcount()
    number = table.groupby("collection").cumcount()
    other = table["agent"].where(table["variant"].isin(["H-H", "M-M"]), "human")
    table["agent_a"] = table["agent"].where(place % 2 == 0, other)
    table["agent_b"] = other.where(place % 2 == 0, table["agent"])
    table["pool"] = table["collection"] + " " + table["agent"] + " " + table["variant"]
    table["stimulus"] = table["collection"] + "." + (number + 1).astype(str).str.zfill(3)
    catch, online = table["variant"] == "catch", table["collection"] == "online"
    topics = np.array(TOPICS.split(","), object)
    table["topic"] = pd.Series(topics[number % len(topics)]).where(~catch & ~online)
    table["variant"] = table["variant"].replace("catch", "H-M").where(~online)
    turns = {"first": max(LENGTHS), "2025": max(LENGTHS), "pilot": 6, "online": 0}
    whole = (table["collection"] == "2025") & (number % 6 == 0)
    table["turns"] = table["collection"].map(turns).where(~whole, LONGEST).where(~catch, 0)
    return table


def draw_turns(rng: np.random.Generator, talks: pd.DataFrame) -> pd.DataFrame:
    """Draw the turns of the conversations; A begins, and the speakers alternate."""
    table = talks.loc[talks.index.repeat(talks["turns"])].reset_index(drop=True)
    table["turn"] = table.groupby("stimulus").cumcount() + 1
    is_a = table["turn"] % 2 == 1
    table["side"] = np.where(is_a, "A", "B")
    table["agent"] = table["agent_a"].where(is_a, table["agent_b"])
    people = table["agent"] == "human"
    speaker = table[people].groupby(["stimulus", "side"], sort=False).ngroup() % SPEAKERS
    table["responder"] = speaker.astype(str).str.zfill(3).radd("p")
    shortest, longest = np.where(people, 1, 8), np.where(people, 29, 22)
    length = rng.integers(shortest, longest)
    topics = table.assign(stimulus=table["topic"].fillna("none"))
    table["response"] = draw_texts(rng, topics, length)
    return table[["stimulus", "turn", "side", "agent", "responder", "response"]]


def draw_scan_paths(rng: np.random.Generator) -> pd.DataFrame:
    """Draw scan paths from the center, in smaller steps by people; models stay within the picture."""
    rows = []
    for prefix, (images, people) in VIEWED.items():
        models = [] if prefix == "waldo_" else list(FIXATIONS)[1:]
        for image in range(1, images + 1):
            stimulus = f"{prefix}img{image:03d}"
            rows += [(stimulus, "human", f"{prefix}p{n + 1:02d}") for n in range(people)]
            rows += [(stimulus, agent, None) for agent in models]
    # Five scan paths of the last picture are lacking, so that those of people are 7,000.
    table = pd.DataFrame(rows[:-5], columns=["stimulus", "agent", "responder"])
    paths = []
    for agent in table["agent"]:
        number, step = FIXATIONS[agent], 130
        if agent == "human":
            number, step = int(np.clip(rng.normal(number, 3), 1, 21)), 90
        path = rng.normal(0, step, (number, 2)).cumsum(axis=0) + np.array(SCREEN) / 2
        if agent != "human":
            path = path.clip(0, np.array(SCREEN) - 1)
        paths.append(str(path.round().astype(int).tolist()))
    return table.assign(response=paths)
