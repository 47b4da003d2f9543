"""Generate the games of "Does GPT-4 Pass the Turing Test?" (Jones and Bergen 2024).

No one played these games. Taken from the paper (`data/published/jones2024/`): in how many games each witness
passed, in all and in first games (counts.csv), the numbers of people and games, the filters, the means and
standard deviations of durations, messages and words, the coded strategies and reasons and the shares of
their largest categories. Everything else is assumed: the order of witnesses, the rate of those that the
paper does not name, demographics, learning. Strategies, reasons and lengths say nothing of verdicts.
"""

import numpy as np
import pandas as pd

from demo.verdicts import draw_machine_verdicts
from turingstats.stats.resampling import make_generator

PEOPLE, GAMES, KNOWN = 1979, 6845, 11  # Section 3
FEW_GAMES = {1: 930, 2: 527, 3: 284}
"""People by games played: 47% played one, 88% fewer than four (Section 3)."""
LATER_WITH_PEOPLE = 0.16
"""Share of later games with a person; the filter then removes about the printed number."""
OTHER_RATE = 0.2
LEARNING = 0.25
"""How much a doubling of the games played adds to the log odds of a right verdict."""
LENGTHS = {"duration_s": (189, 99.2, 300), "messages": (9, 5.7, 60), "words": (323, 223, 3000)}
"""Means and standard deviations (Section 3), and the most that is possible."""
CODED_GAMES, SCREENED, REASONS = 783, 2000, 709  # Sections 3.3 and 3.4
# Printed shares of the largest categories; the others are assumed.
STRATEGIES = {"1": 0.27, "4": 0.23, "2": 0.17, "5": 0.15, "3": 0.10, "6": 0.08}
WHY = {"1": 0.35, "3": 0.27, "4": 0.12, "2": 0.11, "6": 0.10, "5": 0.05}
SURVEY = {
    "age": {21: 0.35, 30: 0.35, 40: 0.2, 55: 0.1},
    "gender": {"male": 0.57, "female": 0.36, "non-binary": 0.07},
    "education": {"high school": 0.22, "some college": 0.23, "bachelor": 0.33, "graduate": 0.22},
    "chatbot_use": {"never": 0.15, "monthly": 0.3, "weekly": 0.32, "daily": 0.23},
    "llm_knowledge": {"none": 0.1, "heard of": 0.25, "some": 0.38, "a lot": 0.27},
}
ANSWERED = 0.8  # share who fill in the optional survey


def generate_files(tables: dict[str, pd.DataFrame], seed: int) -> dict[str, pd.DataFrame]:
    """Generate ``games.csv``, described in docs/games.md, from counts, strategies and reasons."""
    rng = make_generator(seed, "games of a public Turing test")
    counts = count_games(tables["counts"])
    games = list_games(rng, counts)
    choose_witnesses(rng, games, counts)
    draw_verdicts(rng, games, counts)
    for name, (mean, sd, most) in LENGTHS.items():
        # A beta distribution with this mean and standard deviation.
        share = mean / most
        size = share * (1 - share) / (sd / most) ** 2 - 1
        drawn = most * rng.beta(share * size, (1 - share) * size, len(games))
        games[name] = drawn.round().astype(int).clip(1)
    coded = rng.choice(np.flatnonzero(~games["late"]), CODED_GAMES, replace=False)
    screened = rng.choice(SCREENED, REASONS, replace=False)
    weights = weigh_codes(tables["strategies"]["code"], STRATEGIES)
    number = np.minimum(1 + rng.poisson(0.6, CODED_GAMES), 5)
    games["strategies"] = pd.Series([draw_codes(rng, weights, n) for n in number], coded)
    weights = weigh_codes(tables["reasons"]["code"], WHY)
    games["reason"] = pd.Series([draw_codes(rng, weights, 1) for _ in screened], screened)
    return {"games.csv": games.drop(columns=["is_machine", "late"])}


def count_games(counts: pd.DataFrame) -> pd.DataFrame:
    """Count the printed games, and those that each witness passed, by witness; first and later ones."""
    printed = counts.assign(n=counts["n"].astype(int), rate=counts["rate"].astype(float))
    printed["passed"] = (printed["n"] * printed["rate"]).round().astype(int)
    table = printed.pivot(index="agent", columns="subset", values=["n", "passed"])
    for name in ("n", "passed"):
        table[name, "later"] = table[name, "all"] - table[name, "first"]
    return table


def list_games(rng: np.random.Generator, counts: pd.DataFrame) -> pd.DataFrame:
    """List the games in the order of people: whether the witness is a machine, and answers to the survey."""
    few = np.repeat(list(FEW_GAMES), list(FEW_GAMES.values()))
    many = PEOPLE - len(few)
    left = GAMES - few.sum() - 4 * many
    played = rng.permutation(np.r_[few, 4 + rng.multinomial(left, rng.dirichlet(np.ones(many)))])
    person = np.repeat(np.arange(PEOPLE), played)
    games = pd.DataFrame({"interrogator": person + 1})
    games["game_index"] = games.groupby("interrogator").cumcount() + 1
    first = games["game_index"] == 1
    games["first_game"] = np.where(first, "yes", "no")
    games["is_machine"] = rng.random(GAMES) > LATER_WITH_PEOPLE
    games.loc[first, "is_machine"] = rng.permutation(PEOPLE) >= counts["n", "first"]["human"]
    earlier = games.groupby("interrogator")["is_machine"]
    games["late"] = np.all([earlier.shift(k, fill_value=False) for k in (1, 2, 3)], axis=0)
    known = games.index[~games["late"] & ~games["is_machine"] & ~first]
    games["known_witness"] = np.where(
        games.index.isin(rng.choice(known, KNOWN, False)), "yes", "no"
    )
    answered = rng.random(PEOPLE) < ANSWERED
    for question, shares in SURVEY.items():
        given = rng.choice(np.array(list(shares), object), PEOPLE, p=list(shares.values()))
        games[question] = np.where(answered, given, None)[person]
    return games


def choose_witnesses(rng: np.random.Generator, games: pd.DataFrame, counts: pd.DataFrame) -> None:
    """Choose the witness of each game; the analyzed games have the printed numbers."""
    games["witness"] = "human"
    machines = counts["n"].drop("human")
    for subset, own in games[games["is_machine"]].groupby(["first_game", "late"]):
        numbers = machines["first" if subset[0] == "yes" else "later"]
        named = np.repeat(numbers.index.to_numpy(object), numbers.to_numpy(int))
        pool = np.append(named, ["other_llm"] * max(0, len(own) - len(named)))
        games.loc[own.index, "witness"] = rng.permutation(pool)[: len(own)]


def draw_verdicts(rng: np.random.Generator, games: pd.DataFrame, counts: pd.DataFrame) -> None:
    """Draw verdicts with the printed rates, and how confident people were."""
    subset = games["first_game"].map({"yes": "first", "no": "later"})
    passed = (
        (counts["passed"] / counts["n"])
        .stack()
        .reindex(pd.MultiIndex.from_arrays([games["witness"], subset]))
    )
    side = np.where(games["is_machine"], 1, -1)
    trials = pd.DataFrame(
        {
            "judge": games["interrogator"],
            # Each chat is another one.
            "response": None,
            "is_machine": games["is_machine"],
            "kind": games["witness"] + subset + games["late"].astype(str) + games["known_witness"],
            "rate": 1 - passed.fillna(OTHER_RATE).to_numpy(),
            "tendency": side * LEARNING * np.log2(games["game_index"]),
        }
    )
    machine = draw_machine_verdicts(rng, trials)
    games["verdict"] = np.where(machine, "AI", "human")
    # Those who recognize a machine are more confident; with people they are not.
    middle = 68 + 7 * games["is_machine"] * np.where(machine, 1, -1)
    games["confidence"] = rng.normal(middle, 22).clip(0, 100).astype(int)


def weigh_codes(codes: pd.Series, shares: dict[str, float]) -> pd.Series:
    """Weigh each code: the share of its category, divided so that those listed first are most frequent."""
    category = codes.str[0]
    falling = 0.8 ** codes.groupby(category).cumcount()
    weights = falling / falling.groupby(category).transform("sum") * category.map(shares)
    return weights.set_axis(codes)


def draw_codes(rng: np.random.Generator, weights: pd.Series, number: int) -> str:
    """Draw different codes."""
    drawn = rng.choice(weights.index, number, replace=False, p=weights / weights.sum())
    return ";".join(sorted(drawn))
