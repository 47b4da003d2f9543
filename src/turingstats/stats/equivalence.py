"""Equivalence: when a machine can be said to pass the Turing test.

A nonsignificant test against chance says nothing about a machine: it may be as good as people, or there may
be too few judges. Given a margin from the configuration, there are three conclusions: *distinguishable*
(the rate differs from the baseline), *equivalent* (it differs by less than the margin; two one-sided tests,
TOST) and *undecided* (neither, with this number of judges).

There are two baselines: chance (judged human half of the time) and people (judged human as often as people,
which is equivalent to a detectability of 0.5). Errors are those of the estimates: over judges and stimuli,
over only one of them where the other is no sample, such as stimuli for a single machine judge; where neither
is, verdicts are treated as independent.

Conclusions that stand beside each other are a family, over which p values are corrected by Holm's method
(`name_families`). Intervals are not corrected.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import ndtri, stdtr, stdtrit

from turingstats.core.quantity_names import VERDICTS
from turingstats.stats.crossed import compute_two_sided_p
from turingstats.stats.multiplicity import adjust_p_values

NAN = float("nan")
CONCLUSION_COLUMNS = [
    "equivalence_id", "study", "task", "cohort", "judge_kind", "agent", "against", "rate",
    "baseline", "difference", "se", "ci_low", "ci_high", "equivalence_low", "equivalence_high",
    "p_difference", "p_equivalence", "p_difference_adjusted", "p_equivalence_adjusted", "family",
    "family_size", "margin", "smallest_margin", "conclusion", "direction", "unit", "df", "n",
    "n_judges", "n_stimuli", "judges_for_equivalence", "stimuli_for_equivalence",
    "both_for_equivalence", "trials_for_equivalence", "method",
]  # fmt: skip


def tost(difference: ArrayLike, se: ArrayLike, margin: float, df: ArrayLike = np.inf) -> np.ndarray:
    """Compute the p value of two one-sided tests of equivalence.

    Parameters
    ----------
    difference, se : float or array
        Estimated difference from the baseline, and its standard error.
    margin : float
        Largest difference that counts as equivalent; must be positive.
    df : float or array
        Degrees of freedom of the error; infinite for the normal distribution.

    Returns
    -------
    p : array
        The larger of the p values of ``difference <= -margin`` and ``difference >= margin`` (Schuirmann
        1987), from Student's t distribution.
    """
    if not margin > 0:
        raise ValueError(f"the margin of equivalence must be above 0, got {margin}")
    difference, se = np.asarray(difference, float), np.asarray(se, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.maximum(
            stdtr(df, -(difference + margin) / se), stdtr(df, (difference - margin) / se)
        )


def classify_difference(p_difference: float, p_equivalence: float, alpha: float) -> str:
    """Return one of `VERDICTS`, or an empty string if a p value is missing."""
    if not (np.isfinite(p_difference) and np.isfinite(p_equivalence)):
        return ""
    differs, equivalent = p_difference < alpha, p_equivalence < alpha
    if differs and equivalent:
        return VERDICTS[3]
    return VERDICTS[0] if differs else VERDICTS[1] if equivalent else VERDICTS[2]


def compute_equivalence_n(
    se: float, n: int, margin: float, alpha: float = 0.05, power: float = 0.8, floor: float = 0.0
) -> float:
    """Compute the number of judges (or stimuli, or trials) that show equivalence if there is no difference.

    `se` is the standard error with `n` judges, `floor` the part of it that more judges do not reduce, such as
    that of the stimuli; the rest decreases with the square root of their number. Infinite if the floor is too
    high.
    """
    if not np.isfinite(se) or se <= 0 or not n > 0:
        return NAN
    # Both one-sided tests succeed with this power if the variance is no larger.
    largest = (margin / (ndtri(1 - alpha) + ndtri((1 + power) / 2))) ** 2
    room, varying = largest - floor**2, max(se**2 - floor**2, 0)
    if not room > 0:
        return float("inf")
    # No fewer than one, and not one more for rounding.
    return float(max(np.ceil(n * varying / room - 1e-9), 1))


def add_four_trials(counts: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Adjust a rate, or the difference of two, by adding four trials, half of them successes.

    `counts` are successes and trials of one sample, or of two; returns the center and standard error of
    normal intervals that keep their coverage in small samples and at rates of 0 and 1, where the observed
    rate has an error of 0 (Agresti & Caffo 2000, American Statistician 54, 280).
    """
    added = 4 / len(counts)
    rates = [(k + added / 2) / (n + added) for k, n in counts]
    variances = [
        rate * (1 - rate) / (n + added) for rate, (_, n) in zip(rates, counts, strict=True)
    ]
    center = rates[0] - sum(rates[1:])
    return float(center), float(np.sqrt(sum(variances)))


def assess_agents(
    estimates: pd.DataFrame,
    config: Mapping[str, Any],
    list_headlines: Callable[[pd.DataFrame], Collection[tuple[str, str]]] | None = None,
) -> pd.DataFrame:
    """Assess the equivalence of each agent in each cohort to chance and to people.

    Parameters
    ----------
    estimates : pandas.DataFrame
        Columns of estimates (`turingstats.data.schema.RESULTS`); the recommended reading is used.
    config : dict
        margin, power, confidence.
    list_headlines : callable, optional
        Chooses the headlines of `correct_conclusions` from the comparisons; by default there are none.

    Returns
    -------
    pandas.DataFrame
        Columns `CONCLUSION_COLUMNS`: ci_low and ci_high at the configured level, equivalence_low and
        equivalence_high of the interval of the two one-sided tests; conclusions as of `correct_conclusions`.
        Choices between a person's and a machine's response, which have no rate of people's responses, are
        assessed against chance: there, both are chosen equally often. Empty if neither was judged.
    """
    whole = estimates[(estimates["reading"] == "recommended") & (estimates["group_by"] == "all")]
    names = ["study", "task", "cohort", "judge_kind"]
    rows = []
    for values, of_cohort in whole.groupby(names, sort=False):
        by_quantity = {(r["agent"], r["quantity"]): r for r in of_cohort.to_dict("records")}
        people = by_quantity.get(("human", "p_HH"))
        for agent in dict.fromkeys(of_cohort["agent"]):
            judged = people is None or people["n"]
            if agent == "human" or not (by_quantity[agent, "p_HM"]["n"] and judged):
                continue
            machine, both = by_quantity[agent, "p_HM"], by_quantity[agent, "detectability"]
            for against in ("chance",) if people is None else ("chance", "people"):
                row = dict(zip(names, values, strict=True)) | {"agent": agent, "against": against}
                identity = f"{row['task']}.{row['cohort']}.{agent}.{against}"
                assessed = assess_agent(machine, both, people, against, config)
                rows.append({"equivalence_id": identity} | row | assessed)
    judged = pd.DataFrame(rows, columns=CONCLUSION_COLUMNS)
    headlines = list_headlines(judged) if list_headlines else ()
    return correct_conclusions(judged, round(1 - config["confidence"], 12), headlines)


LARGEST_DIFFERENCES = {"people": 1.0, "chance": 0.5}
"""Largest possible difference, by what a share is compared with."""


def correct_conclusions(
    table: pd.DataFrame, alpha: float, headlines: Collection[tuple[str, str]] = ()
) -> pd.DataFrame:
    """Correct the conclusions of agents over those that stand beside them.

    Parameters
    ----------
    table : pandas.DataFrame
        Columns `CONCLUSION_COLUMNS`, with p values that are not corrected.
    alpha : float
        Probability that any conclusion of a family is wrong, separately for differences and equivalences.
    headlines : collection of (task, cohort)
        Cohorts whose answers, about all agents and about each, stand beside each other.

    Returns
    -------
    pandas.DataFrame
        p_difference_adjusted and p_equivalence_adjusted are Holm's over the family, and conclusion and
        direction follow from them; smallest_margin is the smallest at which equivalence would be concluded.
        An agent that is the only one of a cohort has the numbers of all agents.
    """
    table = table.assign(family=name_families(table, headlines))
    columns = ["p_difference_adjusted", "p_equivalence_adjusted", "smallest_margin"]
    table = table.astype(dict.fromkeys(columns, float))
    for (_, against), of in table.groupby(["family", "against"]):
        p = [adjust_p_values(of[f"p_{what}"], "holm") for what in ("difference", "equivalence")]
        # One end may be that of what is possible.
        low, high, se, df = of[["ci_low", "ci_high", "se", "df"]].to_numpy(float).T
        half = stdtrit(df, 1 - alpha / 2) * se
        most = LARGEST_DIFFERENCES[against]
        center = np.where(
            high < most, np.where(low > -most, (low + high) / 2, high - half), low + half
        )
        margins = np.minimum(find_smallest_margins(center, se, df, alpha), most)
        table.loc[of.index, columns] = np.column_stack([*p, margins])
        table.loc[of.index, "family_size"] = int(np.isfinite(p[0]).sum())
    for _, of in table.groupby(["task", "cohort", "against"]):
        everyone = of["agent"] == "all"
        if len(of) == 2 and everyone.any():
            copied = [*columns, "family", "family_size"]
            table.loc[of.index[~everyone], copied] = table.loc[
                of.index[everyone], copied
            ].to_numpy()
    adjusted = zip(table[columns[0]], table[columns[1]], strict=True)
    table["conclusion"] = [classify_difference(*p, alpha) for p in adjusted]
    described = zip(table["conclusion"], table["difference"], table["against"], strict=True)
    return table.assign(direction=[state_direction(*row) for row in described])[CONCLUSION_COLUMNS]


def name_families(table: pd.DataFrame, headlines: Collection[tuple[str, str]]) -> list[str]:
    """Name the family of each comparison.

    The answers about all agents in `headlines` are a family, the agents that these name another, over all
    tasks; elsewhere the agents that a cohort judged are one, and the answers of other judges of a task.
    """
    agents = table.groupby(["task", "cohort", "against"])["agent"].transform("size")
    families = []
    for task, cohort, kind, agent, number in zip(
        *(table[name] for name in ("task", "cohort", "judge_kind", "agent")), agents, strict=True
    ):
        is_headline = (task, cohort) in headlines
        if agent == "all":
            families.append("headlines" if is_headline else f"other judges ({kind}), {task}")
        elif is_headline and number > 2:
            families.append("agents of headlines")
        else:
            families.append(f"agents, {task}, {cohort}")
    return families


def find_smallest_margins(
    center: np.ndarray, se: np.ndarray, df: np.ndarray, alpha: float
) -> np.ndarray:
    """Find the margins from which on Holm's method concludes equivalence, for each member of a family.

    As the margin grows, the members are rejected one after another, the first at alpha divided by their
    number, the next at alpha divided by the number of those left.
    """
    margins, reached = np.full(len(center), np.nan), 0.0
    left = np.flatnonzero(np.isfinite(center) & np.isfinite(se))
    while len(left):
        ends = np.abs(center[left]) + stdtrit(df[left], 1 - alpha / len(left)) * se[left]
        first = int(np.argmin(ends))
        reached = max(reached, float(ends[first]))
        margins[left[first]] = reached
        left = np.delete(left, first)
    return margins


def assess_agent(
    machine: dict[str, Any],
    both: dict[str, Any],
    people: dict[str, Any] | None,
    against: str,
    config: Mapping[str, Any],
) -> dict[str, Any]:
    """Assess one agent against chance or people, from estimates of P(H|M), detectability and P(H|H)."""
    alpha, margin, power = 1 - config["confidence"], config["margin"], config["power"]
    baseline = people["value"] if people and against == "people" else 0.5
    difference = machine["value"] - baseline
    # The difference from people is twice the distance of detectability from 0.5.
    estimate, scale = (both, 2) if against == "people" else (machine, 1)
    # With too few judges and stimuli, or none that differ, there is no error over them.
    sampled = bool(np.isfinite([machine["se"], both["se"]]).all())
    if sampled:
        center, se, df = difference, scale * estimate["se"], estimate["df"]
    else:
        counts = [(side["k"], side["n"]) for side in (machine, people) if side]
        center, se = add_four_trials(counts if against == "people" else counts[:1])
        center, df = center - 0.5 * (against == "chance"), np.inf
    p_difference = float(compute_two_sided_p(center, se, df))
    p_equivalence = float(tost(center, se, margin, df))
    half, inner = (stdtrit(df, 1 - part) * se for part in (alpha / 2, alpha))
    # Shares differ by no more than 1, and from one half by no more than that.
    ends = np.clip(
        center + np.array([-half, half, -inner, inner]),
        -LARGEST_DIFFERENCES[against],
        LARGEST_DIFFERENCES[against],
    )
    low, high, inner_low, inner_high = ends.tolist()
    return {
        "rate": machine["value"],
        "baseline": baseline,
        "difference": difference,
        "se": se,
        "ci_low": low,
        "ci_high": high,
        "equivalence_low": inner_low,
        "equivalence_high": inner_high,
        "p_difference": p_difference,
        "p_equivalence": p_equivalence,
        "margin": margin,
        "unit": estimate["error_over"] if sampled else "trials",
        "df": df,
        "n": machine["n"],
        "n_judges": estimate["n_judges"],
        "n_stimuli": estimate["n_stimuli"],
        "method": describe_method(sampled, margin, power, alpha),
    } | compute_sizes(estimate if sampled else {"n": machine["n"]}, scale, se, margin, alpha, power)


def state_direction(conclusion: str, difference: float, against: str) -> str:
    """State in which direction an agent differs from its baseline; empty if no difference is shown."""
    if conclusion not in (VERDICTS[0], VERDICTS[3]):
        return ""
    verdict = "human" if difference > 0 else "machine"
    if against == "chance":
        return f"judged {verdict} more than half of the time"
    than_people = f"judged {verdict} more often than people"
    return f"{than_people} (more human than human)" if difference > 0 else than_people


def compute_sizes(
    estimate: dict[str, Any], scale: float, se: float, margin: float, alpha: float, power: float
) -> dict[str, float]:
    """Compute how many judges, stimuli or trials a study needs to show equivalence if there is no difference.

    `estimate` has error_over and the numbers and errors of units, or only n for independent trials; errors of
    the difference are `scale` times those. The variance V over judges and stimuli is that over judges,
    V_judges, plus what differs between stimuli. More judges, each with as many trials, reduce V_judges only,
    and more stimuli, each with as many judges, only V_stimuli: the floor of the one is what remains of V
    without it. "both" is how many times as many judges and stimuli.
    """
    units = estimate.get("error_over", "trials").split(" and ")
    needed = {}
    for unit in units:
        n = estimate["n" if unit == "trials" else f"n_{unit}"]
        floor = 0.0
        if len(units) == 2:
            floor = np.sqrt(max(se**2 - (scale * estimate[f"se_{unit}"]) ** 2, 0))
        needed[f"{unit}_for_equivalence"] = compute_equivalence_n(
            se, n, margin, alpha, power, floor
        )
    if len(units) == 2:
        judges = estimate["n_judges"]
        both = compute_equivalence_n(se, judges, margin, alpha, power) / judges
        needed["both_for_equivalence"] = both
    return needed


def describe_method(sampled: bool, margin: float, power: float, alpha: float) -> str:
    """Describe the method for the results table."""
    errors = "errors over the units named"
    if not sampled:
        errors = "independent trials, four added (Agresti and Caffo)"
    test = "t" if sampled else "z"
    return (
        f"{test} test and two one-sided {test} tests at {alpha:g}, margin {margin:g}, {errors}; numbers "
        f"needed for a power of {power:g} if there is no difference"
    )
