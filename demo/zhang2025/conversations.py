"""Conversations, and the trials in which both speakers of one are judged."""

import itertools

import numpy as np
import pandas as pd

from demo.zhang2025 import verdicts
from demo.zhang2025.verdicts import DesignPart
from turingstats.stats.resampling import make_generator

FIRST, LATER = ("blenderbot", "davinci", "curie"), ("chatgpt", "claude", "llama")
PILOT = ("chatgpt_2023", "gpt35", "dialogpt")
CONVERSATIONS = {
    ("first", "human", "human"): 60,
    **{("first", "human", agent): 41 for agent in FIRST},
    **{("first", agent, agent): 39 for agent in FIRST},
    ("catch", "human", "machine"): 6,
    ("2025", "human", "human"): 36,
    **dict(zip(itertools.product(["2025"], ["human"], LATER), (22, 23, 23), strict=True)),
    **{("2025", agent, agent): n for agent, n in zip(LATER, (36, 35, 35), strict=True)},
    ("online", "human", "llama3"): 47,
    **dict(zip(itertools.product(["pilot"], ["human"], PILOT), (4, 3, 3), strict=True)),
}
"""Number of conversations by collection and pair of agents."""
TOPICS = (
    "books", "fashion", "food", "general entertainment", "movies", "music", "politics", "science",
    "sports", "technology",
)  # fmt: skip
LENGTHS = range(3, 25, 3)
"""Lengths at which judges saw a conversation, in turns."""
LONGEST = 48
"""Turns of every sixth conversation of 2025."""
RIGHT_TOPICS = 0.92
"""Largest share of right answers to the question on the topic."""
FEMALE = 0.4
"""Share of speakers taken for women."""


def list_conversations() -> pd.DataFrame:
    """List the conversations: collection, stimulus, agents, kind, topic, and number of turns."""
    rows = []
    for (collection, one, other), number in CONVERSATIONS.items():
        kind = {(True, True): "H-H", (True, False): "H-M", (False, False): "M-M"}
        variant = kind[one == "human", other == "human"]
        for place in range(number):
            pair = (one, other) if place % 2 else (other, one)
            rows.append((collection, *pair, variant, f"{one}+{other}", place))
    columns = ["collection", "agent_a", "agent_b", "variant", "pair", "place"]
    table = pd.DataFrame(rows, columns=columns)
    # Catch trials have the last numbers of the first collection.
    named = table["collection"].replace("catch", "first")
    number = named.groupby(named).cumcount()
    table["stimulus"] = [f"{name}.{n + 1:03d}" for name, n in zip(named, number, strict=True)]
    table["topic"] = [TOPICS[n % len(TOPICS)] for n in number]
    table.loc[table["collection"].isin(["catch", "online"]), ["topic"]] = None
    table.loc[table["collection"] == "online", "variant"] = None
    whole = (table["collection"] == "2025") & (number % 6 == 0)
    turns = {"first": max(LENGTHS), "2025": max(LENGTHS), "pilot": 6}
    table["turns"] = table["collection"].map(turns).fillna(0).astype(int).where(~whole, LONGEST)
    return table


def generate_trials(parts: list[DesignPart], stimuli: pd.DataFrame, seed: int) -> pd.DataFrame:
    """Generate the trials of all cohorts."""
    sides = [f"{name} {side}" for name in stimuli["stimulus"] for side in "AB"]
    rng = make_generator(seed, "conversation stimuli")
    effects = pd.Series(rng.normal(0, verdicts.STIMULUS_SD, len(sides)), sides)
    tables = []
    for part in parts:
        rng = make_generator(seed, f"conversation {part.name}")
        make = generate_online_trials if part.cohort == "online" else generate_cohort
        tables.append(verdicts.finish_trials(make(rng, part, stimuli, effects), part))
    return pd.concat(tables, ignore_index=True)


def generate_cohort(
    rng: np.random.Generator, part: DesignPart, stimuli: pd.DataFrame, effects: pd.Series
) -> pd.DataFrame:
    """Generate the trials of a cohort, whose judges name the topic and guess the speakers' genders."""
    counts, shown = count_pairs(part), part.judges * part.per_judge
    catch = counts.pop("catch", 0)
    right = min(RIGHT_TOPICS, sum(counts.values()) / (shown - catch))
    if part.cohort == "feedback":
        right = min(RIGHT_TOPICS, 2 * right)
    scale = (shown - catch) / sum(counts.values())
    kinds = {pair: round(n * scale) for pair, n in counts.items()}
    collection = "2025" if part.cohort == "prolific2025" else "first"
    own = stimuli[stimuli["collection"] == collection]
    pools = {pair: list(rows["stimulus"]) for pair, rows in own.groupby("pair")}
    pools["catch"] = list(stimuli.loc[stimuli["collection"] == "catch", "stimulus"])
    kinds = {f"/{pair}": n for pair, n in kinds.items()} | ({"/catch": catch} if catch else {})
    trials = verdicts.deal_trials(rng, kinds, part.judges, pools)
    trials["phase"] = np.where(trials["kind"] == "/catch", "catch", "test")
    if part.cohort == "feedback":
        early = (trials["position"] <= part.per_judge // 2) & (trials["phase"] == "test")
        trials.loc[early, "phase"] = "train"
    about = stimuli.set_index("stimulus").loc[trials["stimulus"]].reset_index()
    lengths = rng.choice(list(LENGTHS), len(trials))
    trials["exchanges"] = np.where(about["turns"] == LONGEST, LONGEST, lengths)
    trials["rt_ms"] = verdicts.draw_times(
        rng, trials["judge"], verdicts.RT_MEDIAN_MS["conversation"]
    )
    trials["control_ok"] = verdicts.draw_answers(rng, trials["judge"], right)
    both = []
    for side in "ab":
        agent = about[f"agent_{side}"]
        kind = np.where(trials["kind"] == "/catch", "catch", about["variant"])
        stimulus = trials["stimulus"] + f" {side.upper()}"
        both.append(trials[["judge"]].assign(kind=agent + "/" + kind, stimulus=stimulus))
        gender = np.where(rng.random(len(trials)) < FEMALE, "female", "male")
        # Half of the judges in the laboratory were not asked.
        unasked = (part.cohort == "inlab") & (trials["judge"] % 2 == 1)
        trials[f"perceived_gender_{side}"] = pd.Series(gender).where(~unasked, None)
    judged = pd.concat(both, ignore_index=True)
    drawn = verdicts.draw_verdicts(rng, judged, part, effects[judged["stimulus"]].to_numpy())
    trials["verdict_a"], trials["verdict_b"] = drawn[: len(trials)], drawn[len(trials) :]
    return trials


def count_pairs(part: DesignPart) -> dict[str, int]:
    """Count the trials on each pair of agents from the numbers of their sides."""
    counts = {}
    for kind, n in part.kinds.items():
        agent, _, variant = kind.partition("/")
        if variant == "catch":
            counts["catch"] = n
        elif variant in ("H-H", "M-M"):
            counts[f"{agent}+{agent}"] = n // 2
        elif agent != "human":
            counts[f"human+{agent}"] = n
    return counts


def generate_online_trials(
    rng: np.random.Generator, part: DesignPart, stimuli: pd.DataFrame, effects: pd.Series
) -> pd.DataFrame:
    """Generate choices of the human speaker, by each judge of one conversation after more and more of it."""
    own = stimuli[stimuli["collection"] == "online"].reset_index(drop=True)
    lengths = [int(kind.partition("/")[2]) for kind in part.kinds if kind.startswith("human/")]
    trials = pd.DataFrame({"judge": np.repeat(np.arange(part.judges), len(lengths))})
    trials["exchanges"] = lengths * part.judges
    trials["position"] = list(range(1, len(lengths) + 1)) * part.judges
    trials["stimulus"] = own["stimulus"].to_numpy()[trials["judge"]]
    is_a = (own["agent_a"] == "human").to_numpy()[trials["judge"]]
    trials["kind"] = "human/" + trials["exchanges"].astype(str)
    side = trials["stimulus"] + np.where(is_a, " A", " B")
    drawn = verdicts.draw_verdicts(rng, trials, part, effects[side].to_numpy())
    other = np.where(drawn == "human", "machine", "human")
    return trials.assign(
        phase="test",
        verdict_a=np.where(is_a, drawn, other),
        verdict_b=np.where(is_a, other, drawn),
    )
