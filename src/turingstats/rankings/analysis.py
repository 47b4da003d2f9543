"""Tables of a study of pairs: strengths and ranks, differences between agents, and effects of place."""

import itertools
from string import ascii_letters as LETTERS
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import expit, stdtr, stdtrit

from turingstats.analysis.settings import AnalysisSettings
from turingstats.config.study import Study, Task
from turingstats.core.labels import join_with_and
from turingstats.stats import bradley_terry, crossed
from turingstats.stats.bradley_terry import BradleyTerry, Comparisons, Differences
from turingstats.stats.mixed.fit import Fit
from turingstats.stats.rank_sets import Ranks, group_similar_agents, infer_ranks
from turingstats.stats.resampling import make_generator

READING = "recommended"
MAX_MIXED = 20_000, 12
"""Comparisons and agents up to which the model with random effects is fitted; it has all agents as terms."""
STRENGTHS = [
    "strength_id", "study", "task", "cohort", "agent", "reading", "value", "se", "df", "ci_low",
    "ci_high", "against", "win_probability", "win_low", "win_high", "rank", "rank_low", "rank_high",
    "group", "not_told_apart", "n", "n_judges", "wins", "ties", "mixed_value", "mixed_se",
    "error_over", "note", "method",
]  # fmt: skip
DIFFERENCES = [
    "difference_id", "study", "task", "cohort", "agent", "other", "reading", "n", "wins", "ties",
    "win_rate", "rate_low", "rate_high", "value", "se", "df", "p", "p_adjusted", "correction",
    "family_size", "stronger", "method",
]  # fmt: skip
PLACES = [
    "place_id", "study", "task", "cohort", "reading", "value", "se", "df", "ci_low", "ci_high", "p",
    "first_wins", "n", "sd_judges", "sd_stimuli", "note", "method",
]  # fmt: skip
SIZES = ["size_id", "study", "task", "cohort", "group_by", "group", "reading", "quantity", "value"]
METHOD = "Bradley-Terry model, ties as half wins; errors clustered by {}, Student's t"
RANKS = "ranks that hold at once: largest |t| of all differences in simulated draws"
MIXED = "beside it a mixed model (mixed_value): judges and stimuli vary in how often the first is chosen"


def analyze_pairs(
    comparisons: pd.DataFrame, study: Study, options: AnalysisSettings
) -> dict[str, pd.DataFrame]:
    """Compute the tables strengths, differences, places and sizes of a study."""
    rows: dict[str, list[dict[str, Any]]] = {
        name: [] for name in ("strengths", "differences", "places", "sizes")
    }
    for task, declared in study.tasks.items():
        for cohort, described in declared.cohorts.items():
            is_here = (comparisons["task"] == task) & (comparisons["cohort"] == cohort)
            known = {"human", *described.agents}
            table = comparisons[is_here & comparisons[["first", "second"]].isin(known).all(axis=1)]
            if table.empty:
                continue
            ids = {"study": study.study, "task": task, "cohort": cohort, "reading": READING}
            for name, part in rank_agents(table, declared, f"{task}.{cohort}", options).items():
                rows[name] += [ids | row for row in part]
    columns = {"strengths": STRENGTHS, "differences": DIFFERENCES, "places": PLACES, "sizes": SIZES}
    return {name: pd.DataFrame(part, columns=columns[name]) for name, part in rows.items()}


def number_comparisons(table: pd.DataFrame, agents: list[str], task: Task) -> Comparisons:
    """Number agents, judges and stimuli; stimuli count if they are named and a sample."""
    place = {agent: number for number, agent in enumerate(agents)}
    first, second = (table[name].map(place).to_numpy(int) for name in ("first", "second"))
    judge = pd.factorize(table["judge"].astype(str))[0]
    stimulus = None
    if table["stimulus"].notna().all() and "stimuli" in task.samples:
        stimulus = pd.factorize(table["stimulus"].astype(str))[0]
    return Comparisons(first, second, table["outcome"].to_numpy(float), judge, stimulus)


def rank_agents(
    table: pd.DataFrame, task: Task, name: str, options: AnalysisSettings
) -> dict[str, list[dict[str, Any]]]:
    """Rank the agents that one cohort compared: rows of all tables, without what they share."""
    agents = sorted({*table["first"], *table["second"]}, key=["human", *task.agents].index)
    everyone = number_comparisons(table, agents, task)
    groups = bradley_terry.find_comparable_agents(everyone, len(agents))
    kept = np.flatnonzero(groups == 0)
    ranked = [agents[at] for at in kept]
    inside = np.isin(everyone.first, kept) & np.isin(everyone.second, kept)
    comparisons = number_comparisons(table[inside], ranked, task) if len(kept) > 1 else None
    counted = {
        "n_in_source": table["trial"].nunique(),
        "n_judges_in_source": table["judge"].nunique(),
        "n_comparisons": len(table),
        "n_stimuli": table["stimulus"].nunique(),
        "n_agents": len(agents),
    }
    sizes = [
        {"size_id": f"{name}.all.{quantity}", "quantity": quantity, "value": value}
        | {"group_by": "all", "group": "all"}
        for quantity, value in counted.items()
    ]
    tally = [count_wins(everyone, at) for at in range(len(agents))]
    unranked = [
        {"strength_id": f"{name}.{agents[at]}", "agent": agents[at], **tally[at]}
        | {"note": explain_no_strength(everyone, groups, at, agents)}
        for at in range(len(agents))
        if comparisons is None or groups[at]
    ]
    if comparisons is None:
        return {"strengths": unranked, "differences": [], "places": [], "sizes": sizes}
    places, note = bradley_terry.shows_both_orders(comparisons), ""
    fit = bradley_terry.fit_bradley_terry(comparisons, len(ranked), places)
    if not places:
        note = "not estimated: most pairs of agents were shown in one order only"
    elif fit is None:
        note = "not estimated: the place alone determines some choices"
        fit = bradley_terry.fit_bradley_terry(comparisons, len(ranked), False)
    assert fit is not None  # Agents that can be compared have finite strengths.
    differences = fit.estimate_differences()
    rng = make_generator(options["seed"], f"{name}.ranks")
    ranks = infer_ranks(differences, fit.shared_spread, options["confidence"], rng)
    mixed = None
    small = len(comparisons.first) <= MAX_MIXED[0] and len(ranked) <= MAX_MIXED[1]
    if small and np.isfinite(fit.advantage):
        mixed = bradley_terry.fit_mixed_strengths(comparisons, len(ranked))
    level = options["confidence"]
    strengths = list_strengths(fit, differences, ranks, ranked, level, mixed)
    for at, row in zip(kept, strengths, strict=True):
        row |= {"strength_id": f"{name}.{row['agent']}", **tally[at]}
    pairs = list_differences(comparisons, differences, ranks, ranked, level)
    for row in pairs:
        row["difference_id"] = f"{name}.{row['agent']}-{row['other']}"
    place = describe_place(fit, comparisons, level, mixed) | {"place_id": name, "note": note}
    return {
        "strengths": sorted(strengths, key=lambda row: -row["value"]) + unranked,
        "differences": pairs,
        "places": [place],
        "sizes": sizes,
    }


def count_wins(comparisons: Comparisons, agent: int) -> dict[str, int]:
    """Count the comparisons, judges, wins and ties of an agent."""
    first, second, outcome, judge, _ = comparisons
    is_here = (first == agent) | (second == agent)
    won = np.where(first == agent, outcome == 1, outcome == 0) & is_here
    return {
        "n": int(is_here.sum()),
        "n_judges": len(np.unique(judge[is_here])),
        "wins": int(won.sum()),
        "ties": int((outcome[is_here] == 0.5).sum()),
    }


def explain_no_strength(
    comparisons: Comparisons, groups: np.ndarray, agent: int, agents: list[str]
) -> str:
    """Explain why an agent cannot be compared with the ranked ones."""
    first, second, outcome = comparisons[:3]
    mates = [agents[at] for at in np.flatnonzero(groups == groups[agent]) if at != agent]
    mine, others = groups[first] == groups[agent], groups[second] == groups[agent]
    across = mine != others
    if not across.any():
        with_whom = f"; compared only with {join_with_and(mates)}" if mates else ""
        return f"no strength: never compared with the ranked agents{with_whom}"
    gained = np.where(mine, outcome, 1 - outcome)[across]
    who = f"it, like {join_with_and(mates)}," if mates else "it"
    if (gained == 1).all():
        return f"no finite strength: {who} won all comparisons with other agents"
    if (gained == 0).all():
        return f"no finite strength: {who} lost all comparisons with other agents"
    return f"no finite strength: {who} won all comparisons with some agents and lost all with the others"


def list_strengths(
    fit: BradleyTerry,
    differences: Differences,
    ranks: Ranks,
    agents: list[str],
    level: float,
    mixed: tuple[np.ndarray, np.ndarray, Fit] | None,
) -> list[dict[str, Any]]:
    """List the strength, rank and chance of winning of each ranked agent."""
    n = len(agents)
    order = np.argsort(-fit.strength, kind="stable")
    groups = group_similar_agents(ranks.is_stronger, order)
    # Without letters, `not_told_apart` still says it.
    groups = groups if len(groups) <= len(LETTERS) else []
    alike = ~(ranks.is_stronger | ranks.is_stronger.T | np.eye(n, dtype=bool))
    over = fit.describe_units()
    errors = [fit.estimate_error(np.eye(n + 1)[at], fit.units[:, at]) for at in range(n)]
    se, df = np.transpose(errors)
    half = stdtrit(df, 0.5 + level / 2) * se
    against, odds, reach = "an average agent", fit.strength, half
    if "human" in agents:
        at = agents.index("human")
        # People are not compared with themselves.
        odds = np.where(np.arange(n) == at, np.nan, differences.value[:, at])
        reach = stdtrit(differences.df[:, at], 0.5 + level / 2) * differences.se[:, at]
        against = "people"
    table = pd.DataFrame({"agent": agents, "value": fit.strength, "se": se, "df": df})
    table["ci_low"], table["ci_high"] = fit.strength - half, fit.strength + half
    table["win_probability"] = expit(odds)
    table["win_low"], table["win_high"] = expit(odds - reach), expit(odds + reach)
    table["group"] = [
        "".join(LETTERS[k] for k, of in enumerate(groups) if at in of) for at in range(n)
    ]
    table["not_told_apart"] = [", ".join(agents[k] for k in order if row[k]) for row in alike]
    table["mixed_value"], table["mixed_se"] = mixed[:2] if mixed else (np.nan, np.nan)
    table["method"] = "; ".join([METHOD.format(over or "nothing"), RANKS, *[MIXED] * bool(mixed)])
    place = {"rank": ranks.rank, "rank_low": ranks.low, "rank_high": ranks.high}
    return table.assign(against=against, error_over=over, **place).to_dict("records")


def list_differences(
    comparisons: Comparisons,
    differences: Differences,
    ranks: Ranks,
    agents: list[str],
    level: float,
) -> list[dict[str, Any]]:
    """List each pair of agents: how often one won, and whether they are told apart."""
    rows = []
    pairs = list(itertools.combinations(range(len(agents)), 2))
    for a, b in pairs:
        is_pair = np.isin(comparisons.first, (a, b)) & np.isin(comparisons.second, (a, b))
        part = comparisons.select(is_pair)
        gained = np.where(part.first == a, part.outcome, 1 - part.outcome)
        rate, low, high = np.nan, np.nan, np.nan
        if len(gained):
            rate = float(gained.mean())
            error = crossed.estimate_crossed_error(
                (gained - rate) / len(gained), part.judge, part.stimulus
            )
            low, high = map(float, crossed.compute_crossed_interval(rate, error, level))
        stronger = [agents[one] for one, other in ((a, b), (b, a)) if ranks.is_stronger[one, other]]
        rows.append(
            {
                **{"agent": agents[a], "other": agents[b], "n": len(gained)},
                **{"wins": int((gained == 1).sum()), "ties": int((gained == 0.5).sum())},
                **{"win_rate": rate, "rate_low": low, "rate_high": high},
                **{"value": differences.value[a, b], "se": differences.se[a, b]},
                **{"df": differences.df[a, b], "p": differences.p[a, b]},
                **{"p_adjusted": ranks.p[a, b], "correction": "maximum", "family_size": len(pairs)},
                "stronger": "".join(stronger),
                "method": "win_rate: comparisons of these two, ties as half wins; value: log odds in the "
                "Bradley-Terry model of all",
            }
        )
    return rows


def describe_place(
    fit: BradleyTerry,
    comparisons: Comparisons,
    level: float,
    mixed: tuple[np.ndarray, np.ndarray, Fit] | None,
) -> dict[str, Any]:
    """Describe how much more often the option shown first was chosen."""
    number = len(fit.strength)
    row = {"first_wins": comparisons.outcome.mean(), "n": len(comparisons.outcome)}
    if fit.advantage != fit.advantage:
        return row
    se, df = fit.estimate_error(np.eye(number + 1)[-1], fit.units[:, -1])
    reach = stdtrit(df, 0.5 + level / 2) * se
    spread = {part.group: part.value for part in mixed[2].components} if mixed else {}
    return row | {
        "value": fit.advantage,
        **{"se": se, "df": df, "ci_low": fit.advantage - reach, "ci_high": fit.advantage + reach},
        "p": 2 * float(stdtr(df, -abs(fit.advantage / se))),
        **{"sd_judges": spread.get("judge"), "sd_stimuli": spread.get("stimulus")},
        "method": METHOD.format(fit.describe_units() or "nothing"),
    }
