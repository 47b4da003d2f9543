"""Studies of every design in every poor shape: tables that people might have, with what `init` is told."""

import csv
import itertools
import random
from dataclasses import dataclass, field

NAMES = {
    "plain": ("human", "Alder", "Birch", "Cedar"),
    "dots": ("human", "gpt-4", "gpt-4.1", "gpt-4.1-mini"),
    "signs": ("human", "a b+c/d", "long_texts@2", "x (y) 'z' & <w>"),
    "scripts": ("human", "模型一", "Модель-2", "all"),
}
"""People, and three machines, by what is unusual about their names."""


@dataclass
class Shaped:
    """A table, and what the user says of it."""

    rows: list
    said: dict = field(default_factory=dict)

    def write(self, path):
        """Write the table as CSV, with the columns of all rows."""
        header = list(dict.fromkeys(name for row in self.rows for name in row))
        with path.open("w", newline="", encoding="utf-8") as stream:
            writer = csv.DictWriter(stream, header, restval="")
            writer.writeheader()
            writer.writerows(self.rows)


def make_trials(agents, judges=6, stimuli=8):
    """Judge, stimulus and author of each trial, and a seeded generator."""
    draws = random.Random(len(agents[1]) + judges)
    trials = [
        {"rater": f"R{j:02}", "text": f"t{s:02}", "author": agents[s % len(agents)]}
        for j in range(judges)
        for s in range(stimuli)
    ]
    return trials, draws


def verdicts(agents):
    trials, draws = make_trials(agents)
    for trial in trials:
        said = "human" if (trial["author"] == "human") != (draws.random() < 0.35) else "AI"
        trial["answer"] = said
    return Shaped(trials, {"words": {"human": "human"}})


def rate(low, high, decimals=0, **scale):
    """Make a design: ratings from low to high, and what they mean; larger ones mean a machine."""

    def ratings(agents):
        trials, draws = make_trials(agents)
        for trial in trials:
            share = min(max(draws.gauss(0.35 if trial["author"] == "human" else 0.6, 0.25), 0), 1)
            trial["rating"] = f"{low + share * (high - low):.{decimals}f}"
        shape = {"rating": {"column": "rating"} | scale}
        return Shaped(trials, {"words": {"human": "human"}, "shape": shape})

    return ratings


def scores(agents):
    trials, draws = make_trials(agents, judges=2, stimuli=16)
    for trial in trials:
        trial["detector"] = {"R00": "GLTR", "R01": "RADAR-1.5"}[trial.pop("rater")]
        mean = 0.35 if trial["author"] == "human" else 0.65
        trial["score"] = f"{min(max(draws.gauss(mean, 0.2), 0), 1):.3f}"
    shape = {"score": {"column": "score", "machine": ">= 0.5"}}
    return Shaped(trials, {"words": {"human": "human"}, "shape": shape})


def pairs(agents):
    draws = random.Random(3)
    rows = []
    for number, (one, other) in enumerate([*itertools.permutations(agents, 2)] * 3):
        winner = draws.choice(["a", "a", "b", "tie"])
        names = {"rater": f"R{number % 5}", "text": f"t{number % 7}"}
        rows.append(names | {"model_a": one, "model_b": other, "winner": winner})
    return Shaped(rows)


def games(agents):
    draws = random.Random(4)
    rows = []
    for number in range(36):
        machine, person = agents[1 + number % 3], f"P{number % 9:02}"
        one, other = (machine, person) if number % 2 else (person, machine)
        row = {"interrogator": f"P{(number + 4) % 9:02}", "witness_a": one, "witness_b": other}
        rows.append(row | {"verdict": draws.choice("AB")})
    return Shaped(rows, {"words": dict.fromkeys(agents[1:], "machine")})


def choices(agents):
    draws = random.Random(5)
    rows = []
    for number in range(48):
        row = {
            "rater": f"R{number % 6}",
            "text": f"t{number // 6}",
            "model": agents[1 + number % 3],
        }
        rows.append(row | {"human_side": "LR"[number % 2], "choice": draws.choice("LR")})
    return Shaped(rows)


def similarities(agents):
    draws = random.Random(6)
    words = ["cat", "dog", "oak", "elm", "carp"]
    rows = []
    for system, raters in (("human", 4), (agents[1], 2), (agents[2], 1)):
        for rater in range(raters):
            for one, other in itertools.combinations(words, 2):
                row = {"system": system, "rater": f"{system[:1]}{rater}", "word1": one}
                near = 5 if len(one) == len(other) else 3
                row |= {"word2": other, "similarity": min(7, max(1, near + draws.randint(-2, 2)))}
                rows.append(row)
    return Shaped(rows)


DESIGNS = {
    "verdicts": verdicts,
    "rated7": rate(1, 7, human="1-3", unsure=4, machine="5-7"),
    "rated2": rate(0, 1, human=0, machine=1),
    "rated20": rate(1, 20, human="1-10", machine="11-20"),
    "rated21": rate(0, 20, human="0-9", unsure=10, machine="11-20"),
    "slider": rate(0, 100, human="0-49", unsure=50, machine="51-100"),
    "decimals": rate(0, 100, 2, human="0-49", unsure=50, machine="51-100"),
    "scores": scores,
    "pairs": pairs,
    "games": games,
    "choices": choices,
    "similarities": similarities,
}


JUDGE = ("rater", "interrogator", "detector")
MADE_BY = ("author", "model")
ANSWER = ("answer", "rating", "score", "winner", "verdict", "choice", "similarity")
# The functions below change a study to a shape; those that return False have left it as it was.


def find(row, names):
    """The column of a row that has one of some names; None if it has none."""
    return next((name for name in names if name in row), None)


def complete(shaped, agents):
    pass


def one_judge(shaped, agents):
    """All is said by one judge (of people, for ratings of similarity)."""
    rows = shaped.rows
    if "system" in rows[0]:
        kept = {}
        shaped.rows = [r for r in rows if kept.setdefault(r["system"], r["rater"]) == r["rater"]]
        return
    column = find(rows[0], JUDGE)
    for row in rows:
        row[column] = rows[0][column]


def one_agent(shaped, agents):
    for row in shaped.rows:
        for name, cell in row.items():
            if cell in agents[2:] and name not in ("word1", "word2"):
                row[name] = agents[1]
    if "model_a" in shaped.rows[0]:
        shaped.rows = [row for row in shaped.rows if row["model_a"] != row["model_b"]]


def one_each(shaped, agents):
    column = find(shaped.rows[0], JUDGE)
    if column == "detector" or "system" in shaped.rows[0]:
        return False
    for number, row in enumerate(shaped.rows):
        row[column] = f"J{number:03}"


def no_stimuli(shaped, agents):
    if "text" not in shaped.rows[0]:
        return False
    for row in shaped.rows:
        del row["text"]


def no_people(shaped, agents):
    if "author" not in shaped.rows[0]:
        return False
    shaped.rows = [row for row in shaped.rows if row["author"] != "human"]
    shaped.said |= {"words": {}, "named": {"agent": "author"}}


def no_machines(shaped, agents):
    if "author" not in shaped.rows[0]:
        return False
    shaped.rows = [row for row in shaped.rows if row["author"] == "human"]
    shaped.said["named"] = {"truth": "author"}


def all_alike(shaped, agents):
    column = find(shaped.rows[0], ANSWER)
    for row in shaped.rows:
        row[column] = shaped.rows[0][column]
    if "human_side" in row:
        # A choice of a side that never is the person's cannot be told from another column.
        row["choice"] = "R" if row["choice"] == "L" else "L"


def separated(shaped, agents):
    """What is said follows from who made it, without exception."""
    low_high = {"answer": ("human", "AI"), "score": ("0.1", "0.9")}
    for row in shaped.rows:
        column = find(row, ANSWER)
        if "model_a" in row:
            row["winner"] = (
                "a" if agents.index(row["model_a"]) < agents.index(row["model_b"]) else "b"
            )
        elif "witness_a" in row:
            row["verdict"] = "A" if row["witness_b"] in agents else "B"
        elif "human_side" in row:
            row["choice"] = row["human_side"]
        elif "system" in row:
            row["similarity"] = 7 if len(row["word1"]) == len(row["word2"]) else 1
        elif column == "rating":
            scale = shaped.said["shape"]["rating"]
            ends = [str(scale[side]).split("-")[0] for side in ("human", "machine")]
            row["rating"] = ends[row["author"] != "human"]
        else:
            row[column] = low_high[column][row["author"] != "human"]


def no_answers(shaped, agents):
    """Some answers are empty, or words and codes for nothing."""
    column = find(shaped.rows[0], ANSWER)
    for at, word in enumerate(["", "NA", "nan", "null", "-", "?", "N/A", "-99", "undefined"]):
        shaped.rows[5 * at % len(shaped.rows)][column] = word


def no_names(shaped, agents):
    """Some judges and authors are missing; the user leaves such rows out."""
    if "winner" in shaped.rows[0] or "system" in shaped.rows[0]:
        return False
    for number, names in enumerate((JUDGE, MADE_BY)):
        column = find(shaped.rows[0], names)
        for at, word in enumerate(["", "None", "unknown", "#N/A"] if column else []):
            shaped.rows[(5 * at + 2 * number) % len(shaped.rows)][column] = word
    shaped.said["words"] = shaped.said.get("words", {}) | {"": None}


def islands(shaped, agents):
    """Half of the judges see some agents and stimuli, and the others the rest."""
    row = shaped.rows[0]
    if "model_a" in row:
        half = [set(agents[:2]), set(agents[2:])]
        shaped.rows = [r for r in shaped.rows if {r["model_a"], r["model_b"]} in half]
        return True
    column = find(row, ("author", "model"))
    if column is None:
        return False
    judges = sorted({r[find(row, JUDGE)] for r in shaped.rows})
    first = {*judges[: len(judges) // 2]}
    shaped.rows = [
        r for r in shaped.rows if (r[find(row, JUDGE)] in first) == (r[column] in agents[:2])
    ]


def repeated(shaped, agents):
    """Some rows are there twice, and some judges said two things of the same."""
    again = [dict(row) for row in shaped.rows[:6]]
    column = find(again[0], ANSWER)
    answers = sorted({row[column] for row in shaped.rows}, key=str)
    for row in again[3:]:
        row[column] = answers[0] if row[column] != answers[0] else answers[-1]
    shaped.rows += again


def two_rows(shaped, agents):
    """Hardly anything: the first and the last row."""
    shaped.rows = [shaped.rows[0], shaped.rows[-1]]
    if "model_a" in shaped.rows[0]:
        shaped.said["named"] = {"option_a": "model_a", "option_b": "model_b"}
    if "system" in shaped.rows[0]:
        shaped.said["named"] = {"item_a": "word1", "item_b": "word2"}
    if "choice" in shaped.rows[0]:
        shaped.rows[0] |= {"human_side": "L", "choice": "R"}
        shaped.rows[1] |= {"human_side": "R", "choice": "R"}


def beside_the_data(shaped, agents):
    """A summary beside the data, a rank, an answer given after the verdict, and a nearly empty column."""
    for number, row in enumerate(shaped.rows):
        row |= {"Unnamed: 9": "", "rank": number % 3 + 1, "why": f"because {number}", "note": ""}
        row |= {"sum": f"{number}=x" if number < 3 else ""}


SHAPES = {
    shape.__name__: shape
    for shape in (
        *(complete, one_judge, one_agent, one_each, no_stimuli, no_people, no_machines, all_alike),
        *(separated, no_answers, no_names, islands, repeated, two_rows, beside_the_data),
    )
}


def list_studies():
    """List design, shape and names of every study.

    Every shape meets every design, each scale of ratings among them, and all kinds of names; each design and
    each scale meets all kinds of names.
    """
    kinds = [*NAMES]
    for number, shape in enumerate(SHAPES):
        for at, design in enumerate(DESIGNS):
            names = kinds[(number + at) % 4]
            if make_study(design, shape, names):
                yield design, shape, names


def make_study(design, shape, names):
    """Make a study whose table is changed to a shape; None if its design has no such shape."""
    shaped = DESIGNS[design](NAMES[names])
    return None if SHAPES[shape](shaped, NAMES[names]) is False else shaped
