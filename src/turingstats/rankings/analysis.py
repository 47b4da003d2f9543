"""Tables of a study of pairs: strengths and ranks, differences between agents, and effects of place."""

from string import ascii_letters as LETTERS
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from scipy.special import expit, stdtrit

from turingstats.analysis.rows import tabulate
from turingstats.analysis.settings import AnalysisSettings
from turingstats.config.study import Study, Task
from turingstats.core.labels import join_with_and
from turingstats.core.names import join_names
from turingstats.stats import bradley_terry, separation
from turingstats.stats.bradley_terry import BradleyTerry, Differences
from turingstats.stats.comparisons import (
    Comparisons,
    Order,
    count_units,
    estimate_win_rates,
    order_agents,
    shows_both_orders,
)
from turingstats.stats.crossed import compute_crossed_interval, compute_two_sided_p
from turingstats.stats.rank_sets import Ranks, group_similar_agents, infer_ranks
from turingstats.stats.resampling import make_generator

EVERY_ASPECT = "all"
METHOD = "Bradley-Terry model with reduced bias (Firth); errors clustered by {}, Student's t"
TIES = (
    "ties as half wins; davidson_value, win_probability, tie_probability: Davidson's model of ties"
)
SCORE_TEST = "no finite estimate without the penalty: score test in place of Wald's"
SHARES = "expected_score: share of the comparisons with the other agent"
RANKS = "ranks that hold at once: largest |t| of all differences in simulated draws"

Row = dict[str, Any]


class Fits(NamedTuple):
    """Everything fitted to the comparisons of agents who can be compared."""

    agents: list[str]
    comparisons: Comparisons
    order: Order
    strengths: BradleyTerry
    davidson: BradleyTerry | None  # None if there are no ties
    differences: Differences
    ranks: Ranks
    level: float


def analyze_pairs(
    comparisons: pd.DataFrame, study: Study, options: AnalysisSettings
) -> dict[str, pd.DataFrame]:
    """Compute the tables strengths, differences, places and sizes of a study."""
    rows: dict[str, list[Row]] = {
        name: [] for name in ("strengths", "differences", "places", "sizes")
    }
    for task, declared in study.tasks.items():
        for cohort, described in declared.cohorts.items():
            is_here = (comparisons["task"] == task) & (comparisons["cohort"] == cohort)
            known = {"human", *described.agents}
            table = comparisons[is_here & comparisons[["first", "second"]].isin(known).all(axis=1)]
            if table.empty:
                continue
            aspects = [EVERY_ASPECT, *sorted(table["aspect"].dropna().unique())]
            for aspect in aspects if len(aspects) > 2 else aspects[:1]:
                own = table if aspect == EVERY_ASPECT else table[table["aspect"] == aspect]
                place = {"task": task, "cohort": cohort, "aspect": aspect}
                name = ".".join([task, cohort, *[aspect] * (aspect != EVERY_ASPECT)])
                for kind, part in rank_agents(own, declared, name, options).items():
                    rows[kind] += [place | row for row in part]
    return {
        name: tabulate(part, f"pair_{name}", study=study.study, reading="recommended")
        for name, part in rows.items()
    }


def number_comparisons(table: pd.DataFrame, agents: list[str], task: Task) -> Comparisons:
    """Number agents, judges and stimuli; stimuli count if they are named and a sample."""
    sides = (pd.factorize(table[name]) for name in ("first", "second"))
    first, second = (pd.Index(agents).get_indexer(names)[codes] for codes, names in sides)
    judge = pd.factorize(table["judge"])[0]
    stimulus = None
    if table["stimulus"].notna().all() and "stimuli" in task.samples:
        stimulus = pd.factorize(table["stimulus"])[0]
    return Comparisons(first, second, table["outcome"].to_numpy(float), judge, stimulus)


def rank_agents(
    table: pd.DataFrame, task: Task, name: str, options: AnalysisSettings
) -> dict[str, list[Row]]:
    """Rank the agents that one cohort compared: rows of all tables, without what they share."""
    present = {*table["first"].unique(), *table["second"].unique()}
    agents = sorted(present, key=["human", *task.agents].index)
    everyone = number_comparisons(table, agents, task)
    island = order_agents(everyone, len(agents)).island
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
    ranked = [agent for agent, of in zip(agents, island, strict=True) if of == 0]
    inside = (island == 0)[everyone.first]
    compared = number_comparisons(table[inside], ranked, task)
    rng = make_generator(options["seed"], f"{name}.ranks")
    fits, place = fit_models(compared, ranked, options["confidence"], rng)
    strengths = [row | {"strength_id": f"{name}.{row['agent']}"} for row in list_strengths(fits)]
    tally = dict(zip(agents, count_wins(everyone, len(agents)), strict=True))
    for agent, of in zip(agents, island, strict=True):
        if of:
            mates = [
                rival for rival, k in zip(agents, island, strict=True) if k == of and rival != agent
            ]
            with_whom = f"; compared only with {join_with_and(mates)}" if mates else ""
            note = f"no strength: never compared with the ranked agents{with_whom}"
            strengths.append({"strength_id": f"{name}.{agent}", "agent": agent, "note": note})
    differences = list_differences(fits)
    for row in differences:
        row["difference_id"] = f"{name}.{row['agent']}-{row['other']}"
    if len(ranked) == 2:
        add_shares(strengths, differences[0])
    return {
        "strengths": [row | tally[row["agent"]] for row in strengths],
        "differences": differences,
        "places": [describe_place(fits) | {"place_id": name, "note": place}],
        "sizes": sizes,
    }


def fit_models(
    comparisons: Comparisons, agents: list[str], level: float, rng: np.random.Generator
) -> tuple[Fits, str]:
    """Fit all models, and say why an advantage of the first place is not estimated."""
    number, order = len(agents), order_agents(comparisons, len(agents))
    places, note = shows_both_orders(comparisons), ""
    if not places:
        note = "not estimated: most pairs of agents were shown in one order only"
    elif separation.is_determined(comparisons, order):
        places, note = False, "not estimated: agents, or places, alone determine some choices"
    base = order.find_base()
    fit = bradley_terry.fit_bradley_terry(comparisons, number, places, base=base)
    davidson = None
    if (comparisons.outcome == 0.5).any():
        davidson = bradley_terry.fit_bradley_terry(comparisons, number, places, True, base)
    differences = separation.compare_agents(fit, comparisons, order)
    ranks = infer_ranks(differences, fit.shared_spread, level, rng)
    return Fits(agents, comparisons, order, fit, davidson, differences, ranks, level), note


def count_wins(comparisons: Comparisons, number: int) -> list[Row]:
    """Count the comparisons, judges, wins and ties of each agent."""
    counts = {
        "n": comparisons.sum_pairs(number),
        "ties": comparisons.sum_pairs(number, comparisons.outcome == 0.5),
    }
    sums = {name: part.sum(axis=0) + part.sum(axis=1) for name, part in counts.items()}
    won = comparisons.sum_pairs(number, comparisons.outcome == 1).sum(axis=1)
    won += comparisons.sum_pairs(number, comparisons.outcome == 0).sum(axis=0)
    judges = count_units(comparisons, comparisons.judge, number)[:-1]
    table = pd.DataFrame({"n": sums["n"], "n_judges": judges, "wins": won, "ties": sums["ties"]})
    return table.astype(int).to_dict("records")


def list_strengths(fits: Fits) -> list[Row]:
    """List the strength, rank and expected score of each ranked agent, the strongest first."""
    agents, fit, ranks, level = fits.agents, fits.strengths, fits.ranks, fits.level
    n = len(agents)
    order = np.argsort(ranks.rank, kind="stable")
    groups = group_similar_agents(ranks.is_stronger, order)
    # Without letters, `not_told_apart` still says it.
    groups = groups if len(groups) <= len(LETTERS) else []
    alike = ~(ranks.is_stronger | ranks.is_stronger.T | np.eye(n, dtype=bool))
    over = fit.describe_units()
    low_open, high_open = fits.order.find_open_ends()
    se, df = separation.estimate_strength_errors(fit, fits.comparisons, fits.order)
    half = stdtrit(df, 0.5 + level / 2) * se
    against, odds, reach = "an average agent", fit.strength, half
    to_people = low_open, high_open
    if "human" in agents:
        at = agents.index("human")
        # People are not compared with themselves.
        odds = np.where(np.arange(n) == at, np.nan, fits.differences.value[:, at])
        reach = stdtrit(fits.differences.df[:, at], 0.5 + level / 2) * fits.differences.se[:, at]
        against = "people"
        apart = fits.order.group != fits.order.group[at]
        to_people = apart & fits.order.won[at], apart & fits.order.won[:, at]
    table = pd.DataFrame({"agent": agents, "value": fit.strength, "se": se, "df": df})
    table["ci_low"] = np.where(low_open, np.nan, fit.strength - half)
    table["ci_high"] = np.where(high_open, np.nan, fit.strength + half)
    table["no_limit"] = np.select(
        [low_open & high_open, low_open, high_open], ["both", "low", "high"], ""
    )
    table["expected_score"] = expit(odds)
    table["score_low"] = np.where(to_people[0], 0, expit(odds - reach))
    table["score_high"] = np.where(to_people[1], 1, expit(odds + reach))
    table["group"] = [
        "".join(LETTERS[k] for k, of in enumerate(groups) if at in of) for at in range(n)
    ]
    table["not_told_apart"] = [
        join_names((agents[k] for k in order if row[k]), ", ") for row in alike
    ]
    table = table.assign(**describe_ties(fits, table["expected_score"]))
    method = [METHOD.format(over or "nothing"), *[TIES] * bool(fits.davidson), RANKS]
    table["method"] = "; ".join(method)
    table.loc[low_open | high_open, "method"] += f"; {SCORE_TEST}"
    table["note"] = [explain_open_end(fits.order, at, agents) for at in range(n)]
    place = {"rank": ranks.rank, "rank_low": ranks.low, "rank_high": ranks.high}
    return table.assign(against=against, error_over=over, **place).iloc[order].to_dict("records")


def describe_ties(fits: Fits, expected: pd.Series) -> dict[str, Any]:
    """Describe wins and ties against people, or an average agent, by Davidson's model."""
    if fits.davidson is None:
        # A score is a win.
        return {"win_probability": expected, "tie_probability": 0.0 * expected}
    strength, n = fits.davidson.strength, len(fits.agents)
    # An average agent has the strength 0.
    rival = fits.agents.index("human") if "human" in fits.agents else n
    parameters = np.append(strength, [0.0, 0.0, fits.davidson.tie])
    chances = bradley_terry.expect_choices(parameters, True).probability[:, :n, rival]
    won, _, tied = np.where(expected.notna(), chances, np.nan)
    errors = [fits.davidson.estimate_error(at)[0] for at in range(n)]
    open_end = np.any(fits.order.find_open_ends(), axis=0)
    return {
        "win_probability": won,
        "tie_probability": tied,
        "davidson_value": strength,
        "davidson_se": np.where(open_end, np.nan, errors),
    }


def explain_open_end(order: Order, agent: int, agents: list[str]) -> str:
    """Explain why the strength of an agent has no limit on one side; empty if it has both."""
    low, high = (bool(end[agent]) for end in order.find_open_ends())
    if not low and not high:
        return ""
    mates = [agents[at] for at in np.flatnonzero(order.group == order.group[agent]) if at != agent]
    who = f"it, like {join_with_and(mates)}," if mates else "it"
    if low and high:
        return f"no limits of its strength: {who} won all against some agents or lost all against others"
    if high:
        return f"no upper limit of its strength: {who} lost no comparison with the others"
    return f"no lower limit of its strength: {who} won no comparison with the others"


def list_differences(fits: Fits) -> list[Row]:
    """List each pair of agents: how often one won, and whether they are told apart."""
    comparisons, differences, ranks = fits.comparisons, fits.differences, fits.ranks
    n = len(fits.agents)
    a, b = np.triu_indices(n, 1)
    table = pd.DataFrame({"agent": np.array(fits.agents)[a], "other": np.array(fits.agents)[b]})
    won = estimate_win_rates(comparisons, n)
    low, high = compute_crossed_interval(won.rate, won.error, fits.level)
    table = table.assign(n=won.n, wins=won.wins, ties=won.ties, win_rate=won.rate)
    table = table.assign(rate_low=low, rate_high=high)
    for name in ("value", "se", "df", "p"):
        table[name] = getattr(differences, name)[a, b]
    table["p_adjusted"], table["correction"] = ranks.p[a, b], "maximum"
    table["family_size"] = len(table)
    told = [ranks.is_stronger[a, b], ranks.is_stronger[b, a]]
    table["stronger"] = np.select(told, [table["agent"], table["other"]], "")
    table["method"] = (
        "win_rate: comparisons of these two, ties as half wins; value: log odds of the expected score in the "
        "Bradley-Terry model of all"
    )
    separated = fits.order.group[a] != fits.order.group[b]
    table.loc[separated, "method"] += f"; {SCORE_TEST}, se = |value / t|"
    return table.to_dict("records")


def add_shares(strengths: list[Row], difference: Row) -> None:
    """Say of two agents how often each was chosen over the other, which needs no model."""
    for row in strengths[:2]:
        is_agent = row["agent"] == difference["agent"]
        rate, low, high = (difference[name] for name in ("win_rate", "rate_low", "rate_high"))
        wins, ties, n = (difference[name] for name in ("wins", "ties", "n"))
        row["expected_score"] = rate if is_agent else 1 - rate
        row["score_low"], row["score_high"] = (low, high) if is_agent else (1 - high, 1 - low)
        row["win_probability"] = (wins if is_agent else n - wins - ties) / n
        row["tie_probability"] = ties / n
        row["against"] = difference["other"] if is_agent else difference["agent"]
        row["method"] += f"; {SHARES}"


def describe_place(fits: Fits) -> Row:
    """Describe how much more often the option shown first was chosen, and how often judges did not choose."""
    fit, davidson, comparisons = fits.strengths, fits.davidson, fits.comparisons
    row = {"first_wins": comparisons.outcome.mean(), "n": len(comparisons.outcome)}
    if davidson:
        row["tie_log_odds"] = davidson.tie
        row["tie_se"], _ = davidson.estimate_error(-1)
    if not fit.estimated[0]:
        return row
    se, df = fit.estimate_error(-2)
    reach = stdtrit(df, 0.5 + fits.level / 2) * se
    return row | {
        "value": fit.advantage,
        **{"se": se, "df": df, "ci_low": fit.advantage - reach, "ci_high": fit.advantage + reach},
        "p": float(compute_two_sided_p(fit.advantage, se, df)),
        "method": METHOD.format(fit.describe_units() or "nothing"),
    }
