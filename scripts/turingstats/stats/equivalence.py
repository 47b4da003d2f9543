"""Equivalence: when a machine can be said to pass the Turing test.

A nonsignificant test against chance says nothing about a machine: it may be as good as people, or there may
be too few judges. Given a margin from the configuration, there are three conclusions: *distinguishable*
(the rate differs from the baseline), *equivalent* (it differs by less than the margin; two one-sided tests,
TOST) and *undecided* (neither, with this number of judges).

There are two baselines: chance (judged human half of the time) and people (judged human as often as people,
which is equivalent to a detectability of 0.5). Errors come from resampling judges, which accounts for the
dependence between the verdicts of a judge; for a single machine judge, which is not a sample of judges,
verdicts are treated as independent.
"""

import numpy as np
import pandas as pd
from scipy.special import betaln, ndtr, ndtri

NAN = float("nan")
VERDICTS = ("distinguishable", "equivalent", "undecided", "different, but within the margin")

COLUMNS = (
    "equivalence_id study task cohort judge_kind agent against rate baseline difference se ci_low ci_high "
    "equivalence_low equivalence_high p_difference p_equivalence margin conclusion bayes_factor_01 "
    "design_effect unit n n_judges n_for_equivalence n_for_difference method"
).split()


def tost(difference, se, margin):
    """Compute the p value of two one-sided tests of equivalence.

    Parameters
    ----------
    difference, se : float or array
        Estimated difference from the baseline, and its standard error.
    margin : float
        Largest difference that counts as equivalent; must be positive.

    Returns
    -------
    p : array
        The larger of the p values of ``difference <= -margin`` and ``difference >= margin`` (Schuirmann
        1987), from the normal distribution.
    """

    if not margin > 0:
        raise ValueError(f"the margin of equivalence must be above 0, got {margin}")
    difference, se = np.asarray(difference, float), np.asarray(se, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.maximum(ndtr(-(difference + margin) / se), ndtr((difference - margin) / se))


def compute_two_sided_p(difference, se):
    """Compute the two-sided p value of no difference from the normal distribution."""

    with np.errstate(divide="ignore", invalid="ignore"):
        return 2 * ndtr(-np.abs(np.asarray(difference, float) / np.asarray(se, float)))


def classify_difference(p_difference, p_equivalence, alpha):
    """Return one of `VERDICTS`, or an empty string if a p value is missing."""
    if not (np.isfinite(p_difference) and np.isfinite(p_equivalence)):
        return ""
    differs, equivalent = p_difference < alpha, p_equivalence < alpha
    if differs and equivalent:
        return VERDICTS[3]
    return VERDICTS[0] if differs else VERDICTS[1] if equivalent else VERDICTS[2]


def compute_tost_power(difference, se, margin, alpha):
    """Compute the probability of showing equivalence, given the true difference."""

    room = margin / np.asarray(se, float) - ndtri(1 - alpha)
    shift = difference / np.asarray(se, float)
    return np.maximum(ndtr(room - shift) - ndtr(-room - shift), 0.0)


def compute_equivalence_n(se, n, margin, alpha=0.05, power=0.8, difference=0.0):
    """Compute the number of judges (or trials) needed to show equivalence.

    Parameters
    ----------
    se : float
        Standard error with `n` judges; assumed to decrease with the square root of their number.
    n : int
    margin, alpha, power : float
    difference : float
        True difference.

    Returns
    -------
    float
        A whole number; infinite if the difference is not within the margin.
    """
    if not np.isfinite(se) or se <= 0 or not n:
        return NAN
    if abs(difference) >= margin:
        return float("inf")

    def enough(number):
        return compute_tost_power(difference, se * np.sqrt(n / number), margin, alpha) >= power

    low, high = 0, 1
    while not enough(high):
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if enough(middle) else (middle, high)
    return float(high)


def compute_difference_n(se, n, difference, alpha=0.05, power=0.8):
    """Compute the number of judges (or trials) needed to detect a difference; see `compute_equivalence_n`."""

    if not np.isfinite(se) or se <= 0 or not n:
        return NAN
    if difference == 0:
        return float("inf")
    needed = n * ((ndtri(1 - alpha / 2) + ndtri(power)) * se / abs(difference)) ** 2
    return float(max(np.ceil(needed), 1))


def bayes_factor_rate(k, n, null=0.5, prior=(1.0, 1.0)):
    """Compute the Bayes factor for a rate equal to `null` against any other rate.

    Parameters
    ----------
    k, n : float
        Successes and trials; not necessarily whole numbers, so that dependent trials can enter with their
        effective number.
    null : float
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


def bayes_factor_two_rates(k1, n1, k2, n2, prior=(1.0, 1.0)):
    """Compute the Bayes factor for equal rates in two groups; see `bayes_factor_rate`."""

    a, b = prior

    def log_marginal(k, n):
        return betaln(k + a, n - k + b) - betaln(a, b)

    pooled = log_marginal(k1 + k2, n1 + n2)
    return float(np.exp(pooled - log_marginal(k1, n1) - log_marginal(k2, n2)))


def add_four_trials(counts):
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


def assess_agents(estimates, config):
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
            machine = by_quantity.get((agent, "p_HM"))
            if agent == "human" or people is None or not (machine["n"] and people["n"]):
                continue
            # With no between-judge variance, or too few judges, a bootstrap over judges is uninformative.
            errors = [machine["se"], by_quantity[agent, "detectability"]["se"]]
            sampled = np.isfinite(errors).all() and min(errors) > 0
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
                if not sampled:
                    center, se = add_four_trials(
                        [(machine["k"], machine["n"])]
                        + [(people["k"], people["n"])] * (against == "people")
                    )
                    center -= 0.5 * (against == "chance")
                elif against == "chance":
                    center, se = difference, machine["se"]
                else:
                    # The difference from people is twice the distance of detectability from 0.5.
                    center, se = difference, 2 * by_quantity[agent, "detectability"]["se"]
                effect = (se / independent) ** 2 if sampled else 1.0
                size = machine["n_judges"] if sampled else machine["n"]
                p_difference = float(compute_two_sided_p(center, se))
                p_equivalence = float(tost(center, se, margin))
                half, inner = ndtri(1 - alpha / 2) * se, ndtri(1 - alpha) * se
                scale = max(effect, 1.0)
                k, n = machine["k"] / scale, machine["n"] / scale
                if against == "chance":
                    factor = bayes_factor_rate(k, n)
                else:
                    factor = bayes_factor_two_rates(k, n, people["k"] / scale, people["n"] / scale)
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
                        "unit": "judge" if sampled else "trial",
                        "n": machine["n"],
                        "n_judges": machine["n_judges"],
                        "n_for_equivalence": compute_equivalence_n(se, size, margin, alpha, power),
                        "n_for_difference": compute_difference_n(
                            se, size, difference, alpha, power
                        ),
                        "method": describe_method(sampled, margin, power, alpha),
                    }
                )
    return add_directions(pd.DataFrame(rows, columns=COLUMNS))


def add_directions(judged):
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


def state_direction(conclusion, difference, against):
    """State in which direction an agent differs from its baseline; empty if no difference is shown."""
    if conclusion not in (VERDICTS[0], VERDICTS[3]):
        return ""
    verdict = "human" if difference > 0 else "machine"
    if against == "chance":
        return f"judged {verdict} more than half of the time"
    than_people = f"judged {verdict} more often than people"
    return f"{than_people} (more human than human)" if difference > 0 else than_people


def describe_method(sampled, margin, power, alpha):
    """Describe the method for the results table."""
    errors = (
        "errors from a bootstrap of judges"
        if sampled
        else "independent trials, four added (Agresti and Caffo)"
    )
    return (
        f"z test and two one-sided z tests at {alpha:g}, margin {margin:g}, {errors}; Bayes factor with "
        "uniform Beta priors, trials counted at their effective number; n for a power of "
        f"{power:g}: equivalence if there is no difference, difference if it is as estimated"
    )
