"""Generate the files of X-Turing: choices between pairs of dialogues, their judges and the messages.

The format is that of docs/papers/xturing.md. The number of judges of each kind of pair, how many of them took
the machine for the person, and words per message are those of ``design.csv``. A judge answers one question
on each of the five kinds of test (3, 10 and 110 turns; 10 turns with 10 and 50 turns of history). All else
is assumed: judges who know AI are more often right, models pass more often with technology and less often
with art, and the messages are words without meaning.
"""

import numpy as np
import pandas as pd

from demo.verdicts import draw_machine_verdicts
from turingstats.stats.resampling import make_generator

LABELS = {"gpt4": "GPT-4", "claude3": "Claude-3-Sonnet", "qwen": "Qwen-110B"}
JUDGED_BY = {"people": "people", "gpt4_judge": "GPT-4", "qwen_judge": "Qwen-110B"}
FIELDS = ("Art", "Climate", "School", "Technology", "Leisure")
"""Art, Climate, School and Technology are the paper's; the others are under Leisure."""
TENDENCY = {"Art": 0.8, "Technology": -0.8, "Has used AI": 0.5, "Knows AI": 1.0}
"""What adds to the log odds that the machine is recognized."""
TURNS_SHOWN = {"3": 3, "10": 10, "110": 10}
"""Of 110 turns, only the last 10 are judged; those before are pseudo-dialogue."""
WORDS = "so the new one was really good and we all went there again last week after class".split()
PERSON_WORDS = 7
"""Words per message of the person, on average; the paper prints only differences from them."""


def generate_files(tables: dict[str, pd.DataFrame], seed: int) -> dict[str, pd.DataFrame]:
    """Generate the files from the tables design and demographics."""
    rng = make_generator(seed, "xturing")
    judges = draw_judges(rng, tables["demographics"])
    design = tables["design"].astype({"pairs": int, "n_judgments": int, "n_missed": int})
    return {
        "choices.csv": draw_choices(rng, design, judges),
        "judges.csv": judges,
        "messages.csv": draw_messages(rng, design),
    }


def draw_judges(rng: np.random.Generator, demographics: pd.DataFrame) -> pd.DataFrame:
    """Draw the judges: people, with answers about themselves that are dealt at random, and models."""
    answers = {
        variable: rng.permutation(own["value"].repeat(own["n_judges"].astype(int)))
        for variable, own in demographics.groupby("variable", sort=False)
    }
    people = pd.DataFrame(answers)
    people.insert(0, "judge", [f"volunteer {number + 1}" for number in range(len(people))])
    models = pd.DataFrame({"judge": [name for name in JUDGED_BY.values() if name != "people"]})
    return pd.concat([people, models], ignore_index=True)


def name_topics(variant: pd.Series, number: pd.Series) -> pd.Series:
    """Name topics, of which the two settings have different ones, by the number of the pair."""
    return (number + np.where(variant == "ping-pong", 1, 11)).astype(str).radd("Topic ")


def name_pairs(rows: pd.DataFrame, topic: pd.Series) -> pd.Series:
    """Name pairs of dialogues by their test and topic."""
    test = rows["agent"].map(LABELS) + ", " + rows["exchanges"] + " turns"
    return test + ", history " + rows["history"] + ", " + topic


def draw_choices(
    rng: np.random.Generator, design: pd.DataFrame, judges: pd.DataFrame
) -> pd.DataFrame:
    """Draw the choices: one row per judge and pair."""
    rows = design.loc[design.index.repeat(design["n_judgments"])].reset_index(names="kind")
    rows["judge"] = rows["cohort"].map(JUDGED_BY)
    people = rows["cohort"] == "people"
    asked = judges["judge"][judges["age"].notna()]
    for _, own in rows[people].groupby(["exchanges", "history"]):
        rows.loc[own.index, "judge"] = rng.permutation(asked)[: len(own)]
    shuffled = rows[people].sample(frac=1, random_state=rng)
    rows["question"] = (shuffled.groupby("judge").cumcount() + 1).astype("Int64")
    number = rows.groupby("kind").cumcount() % rows["pairs"]
    topic = name_topics(rows["variant"], number)
    rows = rows.assign(pair=name_pairs(rows, topic), topic=topic)
    rows["field"] = np.array(FIELDS)[topic.str.split().str[1].astype(int) % len(FIELDS)]
    known = rows["judge"].map(judges.set_index("judge")["ai_knowledge"])
    trials = pd.DataFrame(
        {
            "judge": rows["judge"].where(people),
            "response": rows["pair"],
            "is_machine": True,
            "kind": rows["kind"],
            "rate": 1 - rows["n_missed"] / rows["n_judgments"],
            # In long tests the field no longer matters.
            "tendency": rows["field"].map(TENDENCY).where(rows["exchanges"] != "110").fillna(0)
            + known.map(TENDENCY).fillna(0),
        }
    )
    right = draw_machine_verdicts(rng, trials)
    human_at = rng.integers(1, 3, len(rows))
    named = {"variant": "protocol", "exchanges": "turns"}
    rows = rows.assign(
        judged_by=rows["cohort"].map(JUDGED_BY),
        model=rows["agent"].map(LABELS),
        human_at=human_at,
        chosen_as_human=np.where(right, human_at, 3 - human_at),
    ).rename(columns=named)
    unread = ["kind", "agent", "cohort", "pairs", "n_judgments", "n_missed", "words", "basis"]
    return rows.drop(columns=unread)


def draw_messages(rng: np.random.Generator, design: pd.DataFrame) -> pd.DataFrame:
    """Draw the messages of the person and of the model in the pairs of Table 1, one in each turn.

    Words per message differ on average, over the pairs of a test, by the printed number.
    """
    tests = design[design["words"] != ""]
    turns = tests["pairs"] * tests["exchanges"].map(TURNS_SHOWN)
    rows = tests.loc[tests.index.repeat(turns)].reset_index(names="kind")
    number = rows.groupby("kind").cumcount() % rows["pairs"]
    rows["pair"] = name_pairs(rows, name_topics(rows["variant"], number))
    person = rows.assign(speaker="person", words=PERSON_WORDS)
    model = rows.assign(
        speaker=rows["agent"].map(LABELS), words=rows["words"].astype(float) + PERSON_WORDS
    )
    both = pd.concat([person, model])
    tables = []
    for _, own in both.groupby(["kind", "speaker"], sort=False):
        # Whole numbers, 1 or more, with this mean.
        more = round((own["words"].iloc[0] - 1) * len(own))
        lengths = 1 + rng.multinomial(more, np.full(len(own), 1 / len(own)))
        texts = [" ".join(rng.choice(WORDS, length)) for length in lengths]
        tables.append(own[["pair", "speaker"]].assign(message=texts))
    return pd.concat(tables, ignore_index=True)
