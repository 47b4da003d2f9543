"""Generate the games of a public Turing test: people chat with a witness and say what it was.

No one played these games. Taken from the paper (`data/published/<study>/`): how often each witness
passed, in all and in first games (counts.csv), numbers of people and games, filters, the means and standard
deviations of durations, messages and words, the coded strategies and reasons and the shares of their
largest categories. Everything else is assumed, and so is what `witnesses.csv` marks as assumed: the release
of witnesses in batches, the witnesses that the paper does not name, demographics, learning, and how
strategies and reasons go with verdicts.

Interrogators come one after another and play their games. Human partners are rarer at some times than at
others. An AI witness is chosen by the paper's explore/exploit rule: for each witness released so
far a rate is drawn from Beta(1 + wins, 1 + losses), with wins and losses weighted by confidence, and the one
with the largest rate plays. Numbers of games therefore become unequal by themselves, as in the paper.

Model of one verdict::

    logit P(judged human) = intercept of the witness (separate for first games)
                            + bias of the interrogator - side * skill of the interrogator
                            - side * LEARNING[truth] * (log2(game index) - mean of it)

with side +1 for AI and -1 for human witnesses, and normal bias and skill. Intercepts are scaled up for
the normal terms, so that expected rates are the printed ones.
"""

import math
from typing import Any

import numpy as np
import pandas as pd

from turingstats.stats import resampling

Game = dict[str, Any]
PEOPLE, GAMES, KNOWN = 1979, 6845, 11  # Section 3
ONE_GAME, UNDER_FOUR = 0.47, 0.88  # Section 3: players of one game, of fewer than four
LENGTHS = {"duration_s": (189, 99.2), "messages": (9, 5.7), "words": (323, 223)}  # mean, sd
LONGEST = 300  # seconds
CODED_GAMES, SCREENED, REASONS = 783, 2000, 709  # Sections 3.3 and 3.4
# Printed shares of the largest categories; the others are assumed.
STRATEGIES = {"1": 0.27, "4": 0.23, "2": 0.17, "5": 0.15, "3": 0.10, "6": 0.08}
WHY = {"1": 0.35, "3": 0.27, "4": 0.12, "2": 0.11, "6": 0.10, "5": 0.05}
# Assumed: strategies associated with correct and with wrong verdicts, and how strongly.
GOING_WITH = {"4h": 2.0, "2b": 1.7, "4b": 1.7, "3a": 1.5, "3b": 1.8}
GOING_AGAINST = {"1a": 0.6, "5e": 0.6, "2d": 0.6, "2a": 0.6, "2c": 0.6}
SHARE_OF_FIRST = {"human": 0.36, "machine": 0.43}  # of analyzed games, as simulated
BIAS_SD, SKILL_SD = 0.4, 0.35
LEARNING = {"machine": 0.26, "human": 0.22}
MEAN_LOG_INDEX = 2.3  # of later games, as simulated
KNOWLEDGE = 0.13  # logits of skill per step of knowledge of LLMs
PARTNERS = (0.5, 2.9)  # Beta of the share of human partners at a time
SURVEY = {
    "gender": {"male": 0.57, "female": 0.36, "non-binary": 0.07},
    "education": {"high school": 0.22, "some college": 0.23, "bachelor": 0.33, "graduate": 0.22},
    "chatbot_use": {"never": 0.15, "monthly": 0.3, "weekly": 0.32, "daily": 0.23},
    "llm_knowledge": {"none": 0.1, "heard of": 0.25, "some": 0.38, "a lot": 0.27},
}
ANSWERED = 0.8  # share who fill in the optional survey
HEADER = (
    "game interrogator game_index first_game witness model prompt temperature verdict confidence "
    "known_witness strategies reason duration_s messages words age gender education chatbot_use llm_knowledge"
).split()


def generate_files(tables: dict[str, pd.DataFrame], seed: int) -> dict[str, pd.DataFrame]:
    """Generate ``games.csv``, described in docs/games.md, from counts, witnesses, strategies and reasons."""
    rng = resampling.make_generator(seed, "games of a public Turing test")
    games = play_games(tables, rng)
    draw_lengths(games, rng)
    flag_known_witnesses(games, rng)
    assign_codes(games, tables, rng)
    return {"games.csv": pd.DataFrame(games)[HEADER]}


def compute_intercepts(counts: pd.DataFrame) -> dict[str, tuple[float, float]]:
    """Compute the logits of each agent's rate in first and in later games: {agent: (first, later)}."""
    rates = counts["finer_rate"].where(counts["finer_rate"] != "", counts["rate"]).astype(float)
    found = {}
    for agent, own in counts.assign(rate=rates).groupby("agent"):
        own = own.set_index("subset")["rate"]
        share = SHARE_OF_FIRST["human" if agent == "human" else "machine"]
        later = (own["all"] - share * own["first"]) / (1 - share)
        found[agent] = widen_logit(own["first"]), widen_logit(later)
    return found


def widen_logit(rate: float) -> float:
    """Compute the logit that gives a rate after normal terms are added (McCullagh and Nelder)."""
    rate = min(max(rate, 0.02), 0.98)
    spread = BIAS_SD**2 + SKILL_SD**2
    return math.log(rate / (1 - rate)) * math.sqrt(
        1 + spread * (16 * math.sqrt(3) / 15 / math.pi) ** 2
    )


def draw_game_counts(rng: np.random.Generator) -> np.ndarray:
    """Draw how many games each person plays: the printed shares and total, with a long tail."""
    one, under_four = round(ONE_GAME * PEOPLE), round(UNDER_FOUR * PEOPLE)
    two = round(0.65 * (under_four - one))
    few = np.repeat([1, 2, 3], [one, two, under_four - one - two])
    many = PEOPLE - under_four
    weights = rng.lognormal(0, 0.9, many)
    left = GAMES - few.sum() - 4 * many
    counts = np.concatenate([few, 4 + rng.multinomial(left, weights / weights.sum())])
    return rng.permutation(counts)


def draw_person(rng: np.random.Generator, number: int) -> tuple[Game, float, float]:
    """Draw one interrogator's answers to the survey, skill and bias."""
    answers: Game = {
        name: str(rng.choice(list(shares), p=list(shares.values())))
        for name, shares in SURVEY.items()
    }
    knowledge = list(SURVEY["llm_knowledge"]).index(answers["llm_knowledge"])
    skill = rng.normal(0, SKILL_SD) + KNOWLEDGE * (knowledge - 1.8)
    answers["age"] = int(np.clip(rng.gamma(6, 2.4) + 16, 18, 80))
    if rng.random() > ANSWERED:
        answers = dict.fromkeys(answers, "")
    return {"interrogator": f"p{number:04d}"} | answers, skill, rng.normal(0, BIAS_SD)


def play_games(tables: dict[str, pd.DataFrame], rng: np.random.Generator) -> list[Game]:
    """Play all games in order of time."""
    rates = compute_intercepts(tables["counts"])
    witnesses = tables["witnesses"].to_dict("records")
    logits = np.array(
        [
            rates[w["agent"]] if w["agent"] in rates else (widen_logit(float(w["rate"])),) * 2
            for w in witnesses
        ]
    )
    released = np.array([float(w["released"]) for w in witnesses])
    score = np.ones((2, len(witnesses)))  # wins and losses, weighted
    people = rates["human"]
    games = []
    for number, total in enumerate(draw_game_counts(rng), start=1):
        answers, skill, bias = draw_person(rng, number)
        partners = rng.beta(*PARTNERS)
        for index in range(1, total + 1):
            game = {"game": f"g{len(games) + 1:05d}", "game_index": index} | answers
            game["first_game"] = "yes" if index == 1 else "no"
            first = 0 if index == 1 else 1
            learned = math.log2(index) - MEAN_LOG_INDEX if first else 0.0
            if rng.random() < partners:
                side, truth, logit = -1, "human", people[first]
                game |= {"witness": "Human", "model": "", "prompt": "", "temperature": ""}
            else:
                drawn = rng.beta(*score)
                drawn[released > len(games) / GAMES] = -1
                chosen = int(drawn.argmax())
                side, truth, logit = 1, "machine", logits[chosen][first]
                game |= {
                    k: witnesses[chosen][k] for k in ("witness", "model", "prompt", "temperature")
                }
            logit += bias - side * skill - side * LEARNING[truth] * learned
            fooled = rng.random() < 1 / (1 + math.exp(-logit))
            right = fooled == (truth == "human")
            # With AI witnesses, interrogators who are right are more confident; with people they are not.
            middle = 68 + (7 if right else -7) * (truth == "machine")
            confidence = int(np.clip(rng.normal(middle, 22), 0, 100))
            if truth == "machine":
                score[0 if fooled else 1, chosen] += confidence / 100
            game |= {"verdict": "human" if fooled else "AI", "confidence": confidence}
            games.append(game | {"right": right, "truth": truth})
    return games


def find_games_after_ai(games: list[Game]) -> np.ndarray:
    """Tell whether the interrogator's last three games were all with an AI."""
    found, earlier = [], []
    for game in games:
        if game["game_index"] == 1:
            earlier = []
        found.append(earlier[-3:] == ["machine"] * 3)
        earlier.append(game["truth"])
    return np.array(found)


def draw_lengths(games: list[Game], rng: np.random.Generator) -> None:
    """Draw duration, messages and words, independent of each other and of everything else."""
    for name, (mean, sd) in LENGTHS.items():
        drawn = rng.gamma((mean / sd) ** 2, sd**2 / mean, len(games))
        if name == "duration_s":
            # With the printed spread, within the time limit.
            drawn = LONGEST * rng.beta(*fit_beta(mean / LONGEST, sd / LONGEST), len(games))
        for game, value in zip(games, drawn, strict=True):
            game[name] = max(1, round(float(value)))


def fit_beta(mean: float, sd: float) -> tuple[float, float]:
    """Return the parameters of a beta distribution with a given mean and standard deviation."""
    size = mean * (1 - mean) / sd**2 - 1
    return mean * size, (1 - mean) * size


def flag_known_witnesses(games: list[Game], rng: np.random.Generator) -> None:
    """Mark the games whose human witness the interrogator knew."""
    able = [
        i
        for i, late in enumerate(find_games_after_ai(games))
        if not late and games[i]["truth"] == "human"
    ]
    known = set(rng.choice(able, KNOWN, replace=False).tolist())
    for i, game in enumerate(games):
        game["known_witness"] = "yes" if i in known else "no"


def weigh_codes(codes: pd.Series, shares: dict[str, float]) -> dict[str, float]:
    """Compute the frequency of each code: the category's share, decreasing in the order of the scheme."""
    found = {}
    for category, own in codes.groupby(codes.str[0], sort=False):
        falling = 0.8 ** np.arange(len(own))
        for name, weight in zip(own, falling / falling.sum(), strict=True):
            found[name] = shares[category] * weight
    return found


def assign_codes(
    games: list[Game], tables: dict[str, pd.DataFrame], rng: np.random.Generator
) -> None:
    """Assign strategies to a sample of games, and reasons to some of the first ones."""
    for game in games:
        game |= {"strategies": "", "reason": ""}
    weights = weigh_codes(tables["strategies"]["code"], STRATEGIES)
    names = list(weights)
    base = np.array(list(weights.values()))
    tilt = np.array([GOING_WITH.get(n, 1) * GOING_AGAINST.get(n, 1) for n in names])
    analyzed = np.flatnonzero(~find_games_after_ai(games))
    for i in rng.choice(analyzed, CODED_GAMES, replace=False):
        own = base * (tilt**0.5 if games[i]["right"] else tilt**-0.5)
        number = min(1 + rng.poisson(0.6), 5)
        drawn = rng.choice(len(names), number, replace=False, p=own / own.sum())
        games[i]["strategies"] = ";".join(names[n] for n in sorted(drawn))
    weights = weigh_codes(tables["reasons"]["code"], WHY)
    names, base = list(weights), np.array(list(weights.values()))
    for i in rng.choice(SCREENED, REASONS, replace=False):
        games[i]["reason"] = names[rng.choice(len(names), p=base / base.sum())]
