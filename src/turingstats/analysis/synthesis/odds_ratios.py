"""Odds ratios of agents: from verdicts, with errors over judges and stimuli, and from printed counts.

The errors of printed counts take verdicts as independent.
"""

from collections.abc import Collection
from typing import NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import chdtrc, stdtr, stdtrit

from turingstats.analysis.printed_rates import BOTH
from turingstats.data.counts import name_units
from turingstats.data.schema import RESULTS
from turingstats.stats import crossed
from turingstats.stats.crossed import MIN_UNITS
from turingstats.stats.effects import compute_log_odds

HETEROGENEOUS = 0.1
"""p of Q below which cohorts differ and are not averaged."""

SINGLE, CHOICE = "single responses", "choices between a person and a machine"
INDEPENDENT = "verdicts, taken as independent"
"""What errors are over if they are only those of counts."""
HALF = 0.5
"""Added to every count of a cohort in which one of them is 0."""
PRINTED = "error of printed counts"


def measure_task(
    counts: pd.DataFrame, choice: bool, level: float, several: Collection[str] = ()
) -> pd.DataFrame:
    """Measure the odds ratio of every agent of a task that shares a cohort with people.

    The counts are verdicts of people on the responses of a task, as in `data/counts.parquet`: `person` is
    empty where not known, `stimulus` also where it is no sample. With `choice`, they are choices between a
    person's and a machine's response.

    The log odds ratio is log(h / m) of the agent minus that of people, from their verdicts human (h) and
    machine (m); the log odds of a choice compare the two by themselves. Several cohorts are averaged with
    the weights 1 / (1/h + 1/m + 1/h' + 1/m') (Woolf), to each count of which 0.5 is added; each cohort has
    its own row instead if cohorts differ (p of Q below `HETEROGENEOUS`), or if the agent is one of `several`
    machines under one name. An agent that
    all or none of the judges of a cohort call human has no influence function there; such a cohort enters
    with the error of its counts, 0.5 added to each.
    """
    counts = counts.reset_index(drop=True)
    human, machine = (counts[f"n_{verdict}"].to_numpy(float) for verdict in ("human", "machine"))
    cohort, agent = (counts[name].astype(str).to_numpy() for name in ("cohort", "agent"))
    rows, influences, judged = [], [], []
    for name in dict.fromkeys(agent[agent != "human"]):
        whose = [agent == who for who in ([name] if choice else [name, "human"])]
        by_cohort = {}
        for one in dict.fromkeys(cohort):
            sides = [(cohort == one) & is_whose for is_whose in whose]
            if all((human + machine)[side].sum() > 0 for side in sides):
                by_cohort[one] = measure_cohort(human, machine, sides)
        alone = [[one] for one in by_cohort] if len(by_cohort) > 1 else []
        for cohorts in [list(by_cohort), *alone] if by_cohort else []:
            sides = [np.isin(cohort, cohorts) & is_whose for is_whose in whose]
            sums = [(human[side].sum(), (human + machine)[side].sum()) for side in sides]
            (k, n), (k_people, n_people) = [*sums, (np.nan, np.nan)][:2]
            odds = average_cohorts([by_cohort[one] for one in cohorts])
            row = {"agent": name, "cohorts": " ".join(cohorts), "k": k, "n": n}
            row |= {"k_people": k_people, "n_people": n_people, "log_odds_ratio": odds.value}
            rows.append(row | {"counted": odds.counted, "lacking": odds.lacking})
            influences.append(odds.influence)
            judged.append(np.stack([sides[0], sides[-1]]))
    if not rows:
        return pd.DataFrame(columns=RESULTS["effects"])
    odds_ratios = pd.DataFrame(rows)
    errors = estimate_errors(
        counts, np.array(influences).T, np.moveaxis(np.array(judged), 0, -1), odds_ratios
    )
    table = pd.concat([odds_ratios.drop(columns=["counted", "lacking"]), errors], axis=1)
    return add_intervals(choose_averages(table, several), level)


def choose_averages(table: pd.DataFrame, several: Collection[str]) -> pd.DataFrame:
    """Choose for each agent the average over cohorts, which is its first row, or the row of each cohort."""
    chosen = []
    for agent, of_agent in table.groupby("agent", sort=False):
        average, alone = of_agent.iloc[:1], of_agent.iloc[1:]
        if alone.empty:
            chosen.append(average)
            continue
        spread = assess_heterogeneity(alone["log_odds_ratio"], alone["se"])
        differ = spread["q_p"] < HETEROGENEOUS or agent in several
        chosen.append(alone if differ else average.assign(**spread))
    return pd.concat(chosen, ignore_index=True)


def assess_heterogeneity(values: ArrayLike, errors: ArrayLike) -> dict[str, float]:
    """Assess by Cochran's Q whether independent estimates differ more than their errors say.

    Returns
    -------
    dict
        q, q_df, q_p (chi-square); i_squared, the share of the variation that is not due to errors; and
        tau_squared, the variance of what is estimated (DerSimonian & Laird 1986).
    """
    values, weights = np.asarray(values, float), 1 / np.asarray(errors, float) ** 2
    df, total = len(values) - 1, weights.sum()
    q = float((weights * (values - (weights @ values) / total) ** 2).sum())
    return {
        "q": q,
        "q_df": df,
        "q_p": float(chdtrc(df, q)),
        "i_squared": max(1 - df / q, 0.0) if q > 0 else 0.0,
        "tau_squared": max(q - df, 0.0) / float(total - (weights**2).sum() / total),
    }


class CohortOdds(NamedTuple):
    """Log odds ratio in one cohort."""

    value: float
    # Error variance of its counts, verdicts taken as independent; 0.5 is added to each count.
    counted: float
    # How much each row of counts moves the value.
    influence: np.ndarray
    # Error variance in place of that of the influence, where this is not defined.
    lacking: float


def average_cohorts(by_cohort: list[CohortOdds]) -> CohortOdds:
    """Average the log odds ratios of cohorts, weighted by the errors of their counts."""
    weights = np.array([1 / part.counted for part in by_cohort])
    weights /= weights.sum()
    values, counted, influences, lacking = map(np.array, zip(*by_cohort, strict=True))
    squares = weights**2
    return CohortOdds(weights @ values, squares @ counted, weights @ influences, squares @ lacking)


def measure_cohort(human: np.ndarray, machine: np.ndarray, sides: list[np.ndarray]) -> CohortOdds:
    """Measure the log odds ratio of an agent in one cohort.

    `sides` mark the rows of the agent, and of people unless verdicts are choices.
    """
    totals = np.array([(human[side].sum(), machine[side].sum()) for side in sides])
    counted = float((1 / (totals + HALF)).sum())
    empty = (totals == 0).any()
    totals = totals + HALF * empty
    signs = (1, -1)[: len(sides)]
    value = float(sum(sign * np.log(h / m) for sign, (h, m) in zip(signs, totals, strict=True)))
    if empty:
        return CohortOdds(value, counted, np.zeros(len(human)), counted)
    influence = np.zeros(len(human))
    for sign, side, (h, m) in zip(signs, sides, totals, strict=True):
        influence += sign * np.where(side, human / h - machine / m, 0)
    return CohortOdds(value, counted, influence, 0.0)


def estimate_errors(
    counts: pd.DataFrame, influence: np.ndarray, judged: np.ndarray, odds: pd.DataFrame
) -> pd.DataFrame:
    """Estimate the errors of the log odds ratios of a task.

    `influence` has shape (rows, agents); `shown`, shape (2, rows, agents), marks rows with verdicts on
    the agent, and on people.
    """
    judges = name_units(*(counts[name].to_numpy(str) for name in ("judge", "person")))
    unknown = (counts["stimulus"] == "").to_numpy()
    # A stimulus that is not known is one of its judge, so that its error is over judges.
    stimuli = np.where(unknown, "of " + judges, counts["stimulus"].astype(str).to_numpy())
    identified = ~(judged.any(axis=0) & unknown[:, None]).any(axis=0)
    # Verdicts of a judge on a person's and a machine's response to one stimulus vary together.
    pairs = crossed.number_pairs(judges, stimuli)
    first = np.unique(pairs, return_index=True)[1]
    influence = crossed.sum_by_unit(influence, pairs)
    judged = np.stack([crossed.sum_by_unit(side, pairs) > 0 for side in judged])
    judges, stimuli = judges[first], stimuli[first]
    enough = [
        np.min([(crossed.sum_by_unit(side, unit) > 0).sum(axis=0) for side in judged], axis=0)
        >= MIN_UNITS
        for unit in (judges, stimuli)
    ]
    either = np.any(judged, axis=0)
    error = crossed.estimate_crossed_error(
        influence[:, None], judges, stimuli, either[:, None], (enough[0], enough[1] & identified)
    )
    over = crossed.describe_units(error)
    lacking = odds["lacking"].to_numpy()
    # Where no cohort has an influence, or neither judges nor stimuli are a sample.
    counted = (over == "") | ~(error.se > crossed.SMALLEST)
    se = np.where(
        counted, np.sqrt(odds["counted"]), np.sqrt(np.nan_to_num(error.se) ** 2 + lacking)
    )
    method = [
        "error of counts"
        if alone
        else f"error over {units}{'; of counts in cohorts with a count of 0' if less else ''}"
        for alone, units, less in zip(counted, over, lacking > 0, strict=True)
    ]
    return pd.DataFrame(
        {
            "n_judges": (crossed.sum_by_unit(either, judges) > 0).sum(axis=0),
            "se": se,
            "df": np.where(counted, np.inf, error.df),
            "error_over": np.where(counted, INDEPENDENT, over),
            "method": method,
        }
    )


def add_intervals(table: pd.DataFrame, level: float) -> pd.DataFrame:
    """Add odds ratios, their intervals and p to log odds ratios: odds_ratio, ci_low, ci_high, level, p."""
    reach = stdtrit(table["df"], 0.5 + level / 2) * table["se"]
    value = table["log_odds_ratio"]
    return table.assign(
        odds_ratio=np.exp(value),
        ci_low=np.exp(value - reach),
        ci_high=np.exp(value + reach),
        level=level,
        p=2 * stdtr(table["df"], -(value / table["se"]).abs()),
    )


def measure_counts(rates: pd.DataFrame, level: float) -> pd.DataFrame:
    """Measure odds ratios from printed counts of agents and of people, of one task and subset."""
    people, agents = (rates[(rates["agent"] == "human") == whose] for whose in (True, False))
    if people.empty or agents.empty:
        return pd.DataFrame(columns=RESULTS["effects"])
    first = people.iloc[0]
    value, variance = compute_log_odds(agents["k"], agents["n"], HALF)
    reference, shared = compute_log_odds(first["k"], first["n"], HALF)
    table = agents[["agent", "k", "n"]].astype({"k": float, "n": float}).reset_index(drop=True)
    table = table.assign(
        k_people=float(first["k"]), n_people=float(first["n"]), log_odds_ratio=value - reference
    )
    return describe_printed(table, variance + shared, level)


def measure_choices(rates: pd.DataFrame, level: float) -> tuple[pd.DataFrame, list[str]]:
    """Measure odds ratios from printed counts of choices; name the agents whose counts are not known.

    The rates are those of people as judges, with the longest history, over both settings.
    """
    rates = rates[rates["variant"] == BOTH]
    rates = rates[rates["history"] == rates["history"].max()]
    rates = rates.drop_duplicates(["agent", "exchanges"])
    sums = rates.groupby("agent", sort=False)[["k", "n"]].sum(min_count=1).dropna()
    without = [agent for agent in dict.fromkeys(rates["agent"]) if agent not in sums.index]
    value, variance = compute_log_odds(sums["k"], sums["n"], HALF)
    table = sums.astype(float).reset_index()
    table = table.assign(k_people=np.nan, n_people=np.nan, log_odds_ratio=value)
    return describe_printed(table, variance, level), without


def describe_printed(table: pd.DataFrame, variance: np.ndarray, level: float) -> pd.DataFrame:
    """Add what holds for all odds ratios from printed counts."""
    table = table.assign(se=np.sqrt(variance), df=np.inf, error_over=INDEPENDENT, method=PRINTED)
    return add_intervals(table, level)
