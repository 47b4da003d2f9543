"""Equivalence: when a machine can be said to pass the Turing test.

A nonsignificant test against chance says nothing about a machine: it may be as good as people, or there may
be too few judges. Given a margin from the configuration, there are three conclusions: *distinguishable*
(the rate differs from the baseline), *equivalent* (it differs by less than the margin; two one-sided tests,
TOST) and *undecided* (neither, with this number of judges).

There are two baselines: chance (judged human half of the time) and people (judged human as often as people,
which is equivalent to a detectability of 0.5). Errors are those of the estimates: over judges and stimuli,
over only one of them where the other is no sample, such as stimuli for a single machine judge; where neither
is, verdicts are treated as independent.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import betaln, ndtr, ndtri, stdtr, stdtrit

NAN = float("nan")
VERDICTS = ("distinguishable", "equivalent", "undecided", "different, but within the margin")

COLUMNS = [
    "equivalence_id",
    "study",
    "task",
    "cohort",
    "judge_kind",
    "agent",
    "against",
    "rate",
    "baseline",
    "difference",
    "se",
    "ci_low",
    "ci_high",
    "equivalence_low",
    "equivalence_high",
    "p_difference",
    "p_equivalence",
    "margin",
    "conclusion",
    "bayes_factor_01",
    "design_effect",
    "unit",
    "df",
    "n",
    "n_judges",
    "n_stimuli",
    "judges_for_equivalence",
    "stimuli_for_equivalence",
    "both_for_equivalence",
    "trials_for_equivalence",
    "judges_for_difference",
    "stimuli_for_difference",
    "both_for_difference",
    "trials_for_difference",
    "limited_by",
    "method",
]

UNITS = {
    "judges": ("judges",),
    "stimuli": ("stimuli",),
    "judges and stimuli": ("judges", "stimuli"),
}
"""What an error is over (`error_over` of the estimates), and what there are more of in a larger study."""


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


def compute_two_sided_p(difference: ArrayLike, se: ArrayLike, df: ArrayLike = np.inf) -> np.ndarray:
    """Compute the two-sided p value of no difference from Student's t distribution."""

    with np.errstate(divide="ignore", invalid="ignore"):
        return 2 * stdtr(df, -np.abs(np.asarray(difference, float) / np.asarray(se, float)))


def classify_difference(p_difference: float, p_equivalence: float, alpha: float) -> str:
    """Return one of `VERDICTS`, or an empty string if a p value is missing."""
    if not (np.isfinite(p_difference) and np.isfinite(p_equivalence)):
        return ""
    differs, equivalent = p_difference < alpha, p_equivalence < alpha
    if differs and equivalent:
        return VERDICTS[3]
    return VERDICTS[0] if differs else VERDICTS[1] if equivalent else VERDICTS[2]


def compute_tost_power(difference: float, se: float, margin: float, alpha: float) -> float:
    """Compute the probability of showing equivalence, given the true difference."""

    room = margin / np.asarray(se, float) - ndtri(1 - alpha)
    shift = difference / np.asarray(se, float)
    return np.maximum(ndtr(room - shift) - ndtr(-room - shift), 0.0)


def compute_equivalence_n(
    se: float,
    n: int,
    margin: float,
    alpha: float = 0.05,
    power: float = 0.8,
    difference: float = 0.0,
    floor: float = 0.0,
) -> float:
    """Compute the number of judges (or stimuli, or trials) needed to show equivalence.

    Parameters
    ----------
    se : float
        Standard error with `n` judges.
    difference : float
        True difference.
    floor : float
        The part of the standard error that more judges do not reduce, such as that of the stimuli; the rest
        decreases with the square root of their number.

    Returns
    -------
    float
        A whole number; infinite if the difference is not within the margin, or if the floor is too high.
    """
    if not np.isfinite(se) or se <= 0 or not n > 0:
        return NAN
    varying = max(se**2 - floor**2, 0)

    def enough(share: float) -> bool:
        error = np.sqrt(floor**2 + share * varying)
        return error <= 0 or compute_tost_power(difference, error, margin, alpha) >= power

    if abs(difference) >= margin or not enough(0.0):
        return float("inf")
    low, high = 0, 1
    while not enough(n / high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(n / middle) else (middle, high)
    return float(high)


def compute_difference_n(
    se: float,
    n: int,
    difference: float,
    alpha: float = 0.05,
    power: float = 0.8,
    floor: float = 0.0,
) -> float:
    """Compute the number of judges (or stimuli, or trials) needed to detect a difference.

    Parameters and return value are as for `compute_equivalence_n`.
    """

    if not np.isfinite(se) or se <= 0 or not n > 0:
        return NAN
    largest = (difference / (ndtri(1 - alpha / 2) + ndtri(power))) ** 2
    if largest <= floor**2:
        return float("inf")
    needed = n * max(se**2 - floor**2, 0) / (largest - floor**2)
    return float(max(np.ceil(needed), 1))


def bayes_factor_rate(
    k: float, n: float, null: float = 0.5, prior: tuple[float, float] = (1.0, 1.0)
) -> float:
    """Compute the Bayes factor for a rate equal to `null` against any other rate.

    Parameters
    ----------
    k, n : float
        Successes and trials; not necessarily whole numbers, so that dependent trials can enter with their
        effective number.
    prior : (float, float)
        Beta prior of the rate under the alternative.

    Returns
    -------
    float
        BF01: values above 1 favor `null`.
    """

    a, b = prior
    log_null = k * np.log(null) + (n - k) * np.log1p(-null)
    return float(np.exp(log_null - betaln(k + a, n - k + b) + betaln(a, b)))


def bayes_factor_two_rates(
    k1: float, n1: float, k2: float, n2: float, prior: tuple[float, float] = (1.0, 1.0)
) -> float:
    """Compute the Bayes factor for equal rates in two groups; see `bayes_factor_rate`."""

    a, b = prior

    def log_marginal(k: float, n: float) -> float:
        return betaln(k + a, n - k + b) - betaln(a, b)

    pooled = log_marginal(k1 + k2, n1 + n2)
    return float(np.exp(pooled - log_marginal(k1, n1) - log_marginal(k2, n2)))


def add_four_trials(counts: Sequence[tuple[float, float]]) -> tuple[float, float]:
    """Adjust a rate, or the difference of two, by adding four trials, half of them successes.

    Parameters
    ----------
    counts : sequence of (float, float)
        Successes and trials of one sample, or of two.

    Returns
    -------
    center, se : float
        Normal intervals around `center` keep their coverage in small samples and at rates of 0 and 1, where
        the observed rate has an error of 0 (Agresti & Caffo 2000, American Statistician 54, 280).
    """
    added = 4 / len(counts)
    rates = [(k + added / 2) / (n + added) for k, n in counts]
    variances = [
        rate * (1 - rate) / (n + added) for rate, (_, n) in zip(rates, counts, strict=True)
    ]
    center = rates[0] - sum(rates[1:])
    return float(center), float(np.sqrt(sum(variances)))


def assess_agents(estimates: pd.DataFrame, config: Mapping[str, Any]) -> pd.DataFrame:
    """Assess the equivalence of each agent in each cohort to chance and to people.

    Parameters
    ----------
    estimates : pandas.DataFrame
        Columns of `turingstats.data.schema.ESTIMATES`; the recommended reading is used.
    config : dict
        margin, power, confidence.

    Returns
    -------
    pandas.DataFrame
        Columns `COLUMNS` and, behind the conclusion, its direction: ci_low and ci_high at the configured
        level, equivalence_low and equivalence_high of the interval that must lie within the margin. Empty if
        people's responses were not judged.
    """

    alpha = 1 - config["confidence"]
    margin, power = config["margin"], config["power"]
    whole = estimates[(estimates["reading"] == "recommended") & (estimates["group_by"] == "all")]
    rows = []
    for (study, task, cohort, kind), rows_of_cohort in whole.groupby(
        ["study", "task", "cohort", "judge_kind"], sort=False
    ):
        by_quantity = {(r["agent"], r["quantity"]): r for r in rows_of_cohort.to_dict("records")}
        people = by_quantity.get(("human", "p_HH"))
        for agent in dict.fromkeys(rows_of_cohort["agent"]):
            if agent == "human" or people is None:
                continue
            machine = by_quantity[agent, "p_HM"]
            if not (machine["n"] and people["n"]):
                continue
            both = by_quantity[agent, "detectability"]
            # With too few judges and stimuli, or none that differ, there is no error over them.
            sampled = bool(np.isfinite([machine["se"], both["se"]]).all())
            share, base = machine["value"], people["value"]
            plain = np.sqrt(share * (1 - share) / machine["n"])
            plain_people = np.sqrt(base * (1 - base) / people["n"])
            keys = {
                "study": study,
                "task": task,
                "cohort": cohort,
                "judge_kind": kind,
                "agent": agent,
            }
            for against, baseline in (("chance", 0.5), ("people", base)):
                independent = plain if against == "chance" else np.hypot(plain, plain_people)
                difference = share - baseline
                # The difference from people is twice the distance of detectability from 0.5.
                estimate, scale = (machine, 1) if against == "chance" else (both, 2)
                if sampled:
                    center, se, df = difference, scale * estimate["se"], estimate["df"]
                else:
                    center, se = add_four_trials(
                        [(machine["k"], machine["n"])]
                        + [(people["k"], people["n"])] * (against == "people")
                    )
                    center -= 0.5 * (against == "chance")
                    df = np.inf
                effect = (se / independent) ** 2 if sampled else 1.0
                p_difference = float(compute_two_sided_p(center, se, df))
                p_equivalence = float(tost(center, se, margin, df))
                half, inner = (stdtrit(df, 1 - part) * se for part in (alpha / 2, alpha))
                divisor = max(effect, 1.0)
                k, n = machine["k"] / divisor, machine["n"] / divisor
                if against == "chance":
                    factor = bayes_factor_rate(k, n)
                else:
                    factor = bayes_factor_two_rates(
                        k, n, people["k"] / divisor, people["n"] / divisor
                    )
                needed = compute_sizes(
                    estimate if sampled else {"n": machine["n"]},
                    scale,
                    se,
                    {"margin": margin, "alpha": alpha, "power": power, "difference": difference},
                )
                rows.append(
                    keys
                    | {
                        "equivalence_id": f"{task}.{cohort}.{agent}.{against}",
                        "against": against,
                        "rate": share,
                        "baseline": baseline,
                        "difference": difference,
                        "se": se,
                        "ci_low": center - half,
                        "ci_high": center + half,
                        "equivalence_low": center - inner,
                        "equivalence_high": center + inner,
                        "p_difference": p_difference,
                        "p_equivalence": p_equivalence,
                        "margin": margin,
                        "conclusion": classify_difference(p_difference, p_equivalence, alpha),
                        "bayes_factor_01": factor,
                        "design_effect": effect,
                        "unit": estimate["error_over"] if sampled else "trials",
                        "df": df,
                        "n": machine["n"],
                        "n_judges": estimate["n_judges"],
                        "n_stimuli": estimate["n_stimuli"],
                        "method": describe_method(sampled, margin, power, alpha),
                    }
                    | needed
                )
    return add_directions(pd.DataFrame(rows, columns=COLUMNS))


def add_directions(judged: pd.DataFrame) -> pd.DataFrame:
    """Add the column `direction` behind `conclusion`, empty where no difference is shown.

    Parameters
    ----------
    judged : pandas.DataFrame
        Columns `COLUMNS`.
    """
    directions = [
        state_direction(*row)
        for row in zip(*(judged[c] for c in ("conclusion", "difference", "against")), strict=True)
    ]
    table = judged.copy()
    table.insert(table.columns.get_loc("conclusion") + 1, "direction", directions)
    return table


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
    estimate: dict[str, Any], scale: float, se: float, options: dict[str, Any]
) -> dict[str, Any]:
    """Compute how many judges, stimuli or trials a study needs, and which of them limit this one.

    Parameters
    ----------
    estimate : dict
        error_over, n_judges, n_stimuli, se_judges, se_stimuli of an estimate, or only n, for independent
        trials.
    scale : float
        How many times larger the errors of the difference are than those of the estimate.
    se : float
        Standard error of the difference.
    options : dict
        margin, alpha, power, difference.

    Returns
    -------
    dict
        <unit>_for_equivalence if there is no difference, <unit>_for_difference if it is as estimated, for
        judges, stimuli and trials; "both" is how many times as many judges and stimuli; limited_by.

    Notes
    -----
    The variance V over judges and stimuli is that over judges, V_judges, plus what differs between stimuli.
    More judges, each with as many trials, reduce V_judges only, and more stimuli, each with as many judges,
    only V_stimuli: the floor of the one is what remains of V without it.
    """
    units = UNITS.get(estimate.get("error_over", ""), ("trials",))
    goals = {
        "equivalence": lambda n, floor: compute_equivalence_n(
            se, n, options["margin"], options["alpha"], options["power"], floor=floor
        ),
        "difference": lambda n, floor: compute_difference_n(
            se, n, options["difference"], options["alpha"], options["power"], floor=floor
        ),
    }
    numbers = {unit: estimate["n" if unit == "trials" else f"n_{unit}"] for unit in units}
    floors = dict.fromkeys(units, 0.0)
    limit = units[0]
    if len(units) == 2:
        floors = {u: np.sqrt(max(se**2 - (scale * estimate[f"se_{u}"]) ** 2, 0)) for u in units}
        # The floor without judges is what differs between stimuli, and the other way around.
        limit = "stimuli" if floors["judges"] > floors["stimuli"] else "judges"
    needed: dict[str, Any] = {"limited_by": limit}
    for goal, compute in goals.items():
        needed |= {f"{u}_for_{goal}": compute(numbers[u], floors[u]) for u in units}
        if len(units) == 2:
            needed[f"both_for_{goal}"] = compute(numbers["judges"], 0.0) / numbers["judges"]
    return needed


def describe_method(sampled: bool, margin: float, power: float, alpha: float) -> str:
    """Describe the method for the results table."""
    errors = (
        "errors over the units named"
        if sampled
        else "independent trials, four added (Agresti and Caffo)"
    )
    tests = "t test and two one-sided t tests" if sampled else "z test and two one-sided z tests"
    return (
        f"{tests} at {alpha:g}, margin {margin:g}, {errors}; Bayes factor with "
        "uniform Beta priors, trials counted at their effective number; numbers needed for a power of "
        f"{power:g}: equivalence if there is no difference, difference if it is as estimated"
    )
