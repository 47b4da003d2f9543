"""Generate the files of X-Turing: choices between pairs of dialogues, their judges and the messages.

The format is that of docs/papers/xturing.md. The number of judges of each kind of
pair, and how many of them took the machine for the person, are exactly those of ``design.csv``, so that every
seed gives the same pass rates; which judges erred on which pair is drawn::

    a judge is more likely to err, the larger
        effect of the pair + of its field with this agent - skill of the judge + logistic noise

A judge answers one question on each of the five kinds of test (3, 10 and 110 turns; 10 turns with 10
and 50 turns of history). Skill rises with education and knowledge of AI and is greatest below 30, and
the fields favor the agents that the paper names: directions are the paper's, sizes are made up, as are
the names of most topics and all words of the messages.
"""

from typing import Any

import numpy as np
import pandas as pd

from turingstats.stats.resampling import make_generator

Rows = list[dict[str, Any]]

LABELS = {"gpt4": "GPT-4", "claude3": "Claude-3-Sonnet", "qwen": "Qwen-110B"}
JUDGED_BY = {"people": "people", "gpt4_judge": "GPT-4", "qwen_judge": "Qwen-110B"}
FIELDS = ("Art", "Climate", "School", "Technology", "Leisure")
"""Art, Climate, School and Technology are the paper's; the others are under Leisure."""
STRONG = {("gpt4", "Technology"), ("claude3", "School"), ("qwen", "Climate")}
PAIR_SD, JUDGE_SD, FIELD_EFFECT = 0.6, 0.6, 0.8
SKILL = {
    "18-24": 0.6,
    "25-30": 0.6,
    "Bachelor": 0.4,
    "Postgraduate": 0.8,
    "Has used AI": 0.5,
    "Knows AI": 1.0,
}
TURNS_SHOWN = {3: 3, 10: 10, 110: 10}
"""Of 110 turns, only the last 10 are judged; those before are pseudo-dialogue."""
PERSON_WORDS = {"ping-pong": 7.0, "burst": 6.0}
"""Words per message of the person, on average; the paper prints only differences from them."""
MESSAGES = (1, 2, 3, 4, 5)
"""Messages in a turn of a burst dialogue."""
VOCABULARY = (
    "so the new one was really good and we all went there again last week after class".split()
)


def generate_files(tables: dict[str, pd.DataFrame], seed: int) -> dict[str, pd.DataFrame]:
    """Generate the files from the tables design and demographics."""
    judges = generate_judges(tables["demographics"], seed)
    rows = {
        "choices": generate_choices(tables["design"], judges, seed),
        "judges": [*judges, *({"judge": name} for name in [*JUDGED_BY.values()][1:])],
        "messages": generate_messages(tables["design"], seed),
    }
    return {f"{name}.csv": pd.DataFrame(own) for name, own in rows.items()}


def generate_judges(demographics: pd.DataFrame, seed: int) -> Rows:
    """Draw the judges: an id and answers about themselves, assigned at random."""
    rng = make_generator(seed, "xturing.judges")
    table = pd.DataFrame(
        {
            variable: rng.permutation(part["value"].repeat(part["n_judges"].astype(int)))
            for variable, part in demographics.groupby("variable", sort=False)
        }
    )
    table.insert(0, "judge", [f"volunteer {number + 1}" for number in range(len(table))])
    return table.to_dict("records")


def list_pairs(row: Any) -> list[tuple[str, str, str]]:
    """List the pairs of dialogues of a row of the design: id, topic, field; each has its own topic."""
    start = f"{LABELS[row.agent]}, {row.exchanges} turns, history {row.history}"
    first = 1 if row.variant == "ping-pong" else 11
    numbers = range(first, first + int(row.pairs))
    return [(f"{start}, Topic {n}", f"Topic {n}", FIELDS[n % len(FIELDS)]) for n in numbers]


def draw_pair_effects(row: Any, seed: int) -> np.ndarray:
    """Draw how misleading each pair of a row is: the same for all who judge it."""
    rng = make_generator(
        seed, f"xturing.pairs.{row.agent}.{row.exchanges}.{row.history}.{row.variant}"
    )
    effects = rng.normal(0, PAIR_SD, int(row.pairs))
    for i, (_, _, field) in enumerate(list_pairs(row)):
        favored = ((row.agent, field) in STRONG) - (field == "Art")
        # In long tests the field no longer matters.
        effects[i] += favored * FIELD_EFFECT * (row.exchanges != "110")
    return effects


def generate_choices(design: pd.DataFrame, judges: Rows, seed: int) -> pd.DataFrame:
    """Draw the choices: one row per judge and pair, those of people first."""
    rng = make_generator(seed, "xturing.choices")
    skill = rng.normal(0, JUDGE_SD, len(judges))
    for i, judge in enumerate(judges):
        skill[i] += sum(SKILL.get(answer, 0) for answer in judge.values())
    order = np.array([rng.permutation(5) for _ in judges]) + 1
    tables = []
    asked = design[design["cohort"] == "people"]
    for question, (_, kind) in enumerate(asked.groupby(["exchanges", "history"], sort=False)):
        shuffled, used = rng.permutation(len(judges)), 0
        for row in kind.itertuples():
            who = shuffled[used : used + int(row.n_judgments)]
            used += len(who)
            ids = [judges[i]["judge"] for i in who]
            places = [order[i, question] for i in who]
            tables.append(judge_pairs(row, ids, places, skill[who], seed, rng))
    for row in design[design["cohort"] != "people"].itertuples():
        number = int(row.n_judgments)
        name = JUDGED_BY[row.cohort]
        no_skill = np.zeros(number)
        tables.append(judge_pairs(row, [name] * number, [""] * number, no_skill, seed, rng))
    return pd.concat(tables, ignore_index=True)


def judge_pairs(
    row: Any,
    ids: list[str],
    places: list[Any],
    skill: np.ndarray,
    seed: int,
    rng: np.random.Generator,
) -> pd.DataFrame:
    """Draw the choices of the given judges for the pairs of one row of the design."""
    number, missed = int(row.n_judgments), int(row.n_missed)
    pair = rng.permutation(np.arange(number) % int(row.pairs))
    ease = draw_pair_effects(row, seed)[pair] - skill + rng.logistic(0, 1, number)
    wrong = np.zeros(number, bool)
    wrong[np.argsort(-ease, kind="stable")[:missed]] = True
    human_at = rng.integers(1, 3, number)
    known = pd.DataFrame(list_pairs(row), columns=["pair", "topic", "field"])
    choices = {
        "judged_by": JUDGED_BY[row.cohort],
        "judge": ids,
        "question": places,
        "pair": known["pair"].to_numpy()[pair],
        "model": LABELS[row.agent],
        "protocol": row.variant,
        "turns": row.exchanges,
        "history": row.history,
        "topic": known["topic"].to_numpy()[pair],
        "field": known["field"].to_numpy()[pair],
        "human_at": human_at,
        "chosen_as_human": np.where(wrong, 3 - human_at, human_at),
    }
    return pd.DataFrame(choices)


def generate_messages(design: pd.DataFrame, seed: int) -> Rows:
    """Draw the messages of the person and of the model in the pairs of Table 1.

    Words per message differ on average, over the pairs of a row, by the printed number.
    """
    rows = []
    for row in design[design["words"] != ""].itertuples():
        rng = make_generator(seed, f"xturing.words.{row.agent}.{row.exchanges}.{row.variant}")
        mean = PERSON_WORDS[row.variant]
        for speaker, words in (("person", mean), (LABELS[row.agent], mean + float(row.words))):
            turns = int(row.pairs) * TURNS_SHOWN[int(row.exchanges)]
            sent = np.ones(turns, int)
            if row.variant == "burst":
                sent = rng.choice(MESSAGES, turns)
            # Whole numbers, 1 or more, with this mean.
            number = sent.sum()
            more = round(words * number) - number
            lengths = 1 + rng.multinomial(more, np.full(number, 1 / number))
            ids = [pair for pair, _, _ in list_pairs(row)]
            of_pair = np.repeat(np.repeat(np.arange(len(ids)), turns // len(ids)), sent)
            rows += [
                {
                    "pair": ids[place],
                    "speaker": speaker,
                    "message": " ".join(VOCABULARY[i] for i in rng.integers(0, len(VOCABULARY), n)),
                }
                for place, n in zip(of_pair, lengths, strict=True)
            ]
    return rows
