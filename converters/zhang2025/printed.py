"""What notebooks of the authors print and no public text file holds, typed in (`notebooks/*.csv`).

- ``catch_trials.csv``: how many catch trials each judge with feedback took for human and for machine.
- ``online_people.csv``: who took part in the online test, as judge or as speaker.
- ``conversation_models.csv``: which model spoke in conversations of the first collection (`name_models`).

Verdicts of ChatGPT on the seven captions of each image stand in the bundled table alone (`read_captions`).
"""

from pathlib import Path

import pandas as pd

from converters.zhang2025 import conversations, records, trials
from converters.zhang2025.records import Source
from turingstats.config.study import Study
from turingstats.core.files import list_rows
from turingstats.data import package_reader, schema

OBSERVED = Path(__file__).parents[2] / "data/observed/zhang2025"
TABLES = Path(__file__).parent / "notebooks"
AGENTS = ("agent", "published_agent")
FIRST_CATCH = 10_001
"""Number of the first catch trial, above those of all other trials: which were catch trials is not known."""


def load(name: str) -> list[dict[str, str]]:
    """Load the rows of a table that was typed in."""
    return pd.read_csv(TABLES / f"{name}.csv", dtype=str, keep_default_na=False).to_dict("records")


def read_catch_trials(source: Source) -> records.Tables:
    """Make `judgments` of the catch trials of each judge, those judged human first."""
    judgments, caught = [], {"phase": "catch", "agent": trials.CATCH, "truth": "machine"}
    for row in load("catch_trials"):
        if row["task"] == source.file.task:
            judge = source.name_judge(int(row["judge"])) | caught
            for verdict in [side for side in schema.TRUTHS for _ in range(int(row[side]))]:
                number = {"trial": FIRST_CATCH + len(judgments), "verdict": verdict}
                judgments.append(judge | number)
    return {"judgments": pd.DataFrame(judgments, columns=list(schema.JUDGMENTS))}


def read_captions(source: Source) -> records.Tables:
    """Read `judgments` of captions, with the agent of each reading, and their judge.

    `agent` made the caption that stood there, as ChatGPT's answers show, which repeat the captions. The
    authors' notebook pairs the verdicts with the captions in another random order. The published reading
    pairs as the notebook does, the recommended one as the captions stood.
    """
    judge = source.add_judge()
    bundled = package_reader.load_table(OBSERVED, "caption_trials.csv")
    bundled = bundled[bundled["cohort"] == source.file.cohort]
    bundled = bundled.astype({"trial": int, "position": int})
    for row in list_rows(
        bundled[["trial", "position", "phase", "stimulus", "domain", *AGENTS, "verdict"]]
    ):
        agent, notebook_agent = (row.pop(name) for name in AGENTS)
        by_reading = {"published": notebook_agent, "recommended": agent}
        for reading, made_by in by_reading.items() if notebook_agent else [(None, agent)]:
            made = {"agent": made_by, "truth": "human" if made_by == "human" else "machine"}
            source.judgments.append(judge | row | made | {"reading": reading})
    return source.build_tables()


def read_people(source: Source) -> records.Tables:
    """Read people who took part in a test as `judges` without trials: what they judged is not known."""
    for row in load("online_people"):
        judge = source.add_judge(
            gender=row["gender"], age_band=row["age"], education=row["education"]
        )
        source.judges[-1]["judge"] = judge["judge"].replace(".w", ".p")
    return {"judges": source.build_tables()["judges"]}


def name_models(stimuli: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Name the models that spoke in the conversations of the first collection.

    No file names them. Conversations are numbered in blocks of 20, each with one model and one type. The
    authors' notebook prints, for each model in conversations with people and with machines, how many verdicts
    the online judges gave on it and which share was right; one assignment of models to blocks gives all
    twelve numbers. By it, four conversations without a label are between machines.
    """
    if not stimuli["stimulus"].astype(str).str.startswith(conversations.FIRST).any():
        return stimuli
    agents, rows = records.map_agent_names(study), []
    model_of: dict[str, str] = {}
    place = stimuli[["study", "task"]].iloc[0].to_dict()
    for block in load("conversation_models"):
        agent = agents[block["model"].lower()]
        for number in range(int(block["first"]), int(block["last"]) + 1):
            stimulus = conversations.name_conversation(conversations.FIRST, number)
            model_of[stimulus] = agent
            if block["variant"] == "M-M":
                known = {"agent": agent, "truth": "machine", "variant": "M-M"}
                rows += [place | {"stimulus": stimulus, "side": side} | known for side in "AB"]
    machine = stimuli["truth"] == "machine"
    named = stimuli["agent"].where(~machine, stimuli["stimulus"].map(model_of))
    return pd.concat([stimuli.assign(agent=named), pd.DataFrame(rows)], ignore_index=True)
