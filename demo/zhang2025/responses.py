"""Made-up responses: words that are typical of the stimulus, of the agent, or of neither.

People use more words that are typical of the stimulus than models do and vary more in length, so that a
classifier finds something but not everything. How well a judge distinguishes these responses says nothing
about real ones. How much is drawn is in `responses.yaml`.
"""

from pathlib import Path

import numpy as np
import pandas as pd
import yaml

from turingstats.core.scan_paths import SCREEN

DRAWN = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))
WORDS, COLORS = (np.array(DRAWN[name].split(), object) for name in ("words", "colors"))
FIXATIONS: dict[str, int] = DRAWN["fixations"]
OWN_WORDS = 0.2
"""Share of a model's words that are typical of it."""
NEAR = 30
"""Number of words that are typical of a stimulus, or of a model. With 30, people and models share a word for
about half of the cues, as in the paper."""
SPEAKERS = 217
LENGTHS = range(3, 25, 3)
"""Lengths at which judges saw a conversation, in turns."""
LONGEST = 48
"""Turns of every sixth conversation of 2025."""


def draw_responses(rng: np.random.Generator, task: str) -> pd.DataFrame:
    """Draw the responses of a task: of people to all stimuli in turn, and of each model."""
    if task == "attention":
        return draw_scan_paths(rng)
    form = DRAWN["forms"][task]
    numbers = map(("{:04d}" if task == "caption" else "{}").format, range(1, form["stimuli"] + 1))
    stimuli = np.array(WORDS[: form["stimuli"]] if task == "word" else [*numbers], object)
    number = np.arange(form["responses"])
    responder = pd.Series(number % form["people"] + 1).astype(str).str.zfill(3).radd("p")
    tables = [pd.DataFrame({"number": number % len(stimuli), "responder": responder})]
    tables[0]["agent"] = "human"
    for agent, described in DRAWN["described"][task].items():
        tables.append(pd.DataFrame({"number": range(described), "agent": agent}))
    table = pd.concat(tables).sort_values("number", kind="stable", ignore_index=True)
    table["stimulus"] = stimuli[table["number"]]
    length = rng.integers(form["words"][0], form["words"][1] + 1, len(table))
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
    columns = ["collection", "agent", "variant", "number"]
    rows = pd.DataFrame(DRAWN["conversations"], columns=columns)
    table = rows.loc[rows.index.repeat(rows.pop("number"))].reset_index(drop=True)
    place = table.groupby(["collection", "agent", "variant"]).cumcount()
    number = table.groupby("collection").cumcount()
    other = table["agent"].where(table["variant"].isin(["H-H", "M-M"]), "human")
    table["agent_a"] = table["agent"].where(place % 2 == 0, other)
    table["agent_b"] = other.where(place % 2 == 0, table["agent"])
    table["pool"] = table["collection"] + " " + table["agent"] + " " + table["variant"]
    table["stimulus"] = table["collection"] + "." + (number + 1).astype(str).str.zfill(3)
    catch, online = table["variant"] == "catch", table["collection"] == "online"
    topics = np.array(DRAWN["topics"], object)
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
    for prefix, (images, people) in DRAWN["viewed"].items():
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
