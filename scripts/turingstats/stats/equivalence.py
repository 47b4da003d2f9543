"""Equivalence: when "passes the Turing test" may be said.

That a test against chance is not significant says nothing about a machine: it may be as good as people,
or the judges too few. Three verdicts are told apart, by a margin that the configuration declares:
*distinguishable* (the rate differs from the baseline), *equivalent* (it differs by less than the margin;
two one-sided tests, TOST) and *undecided* (neither, at this number of judges).

Two baselines: chance (judged human half of the time) and people (judged human as often as people are,
which is the same as a detectability of 0.5). Errors come from resampling judges, so that the dependence
of a judge's verdicts is allowed for; those of a single machine judge, which is not a sample of judges,
take its verdicts as independent.
"""

import numpy as np
import pandas as pd
from scipy.special import betaln, ndtr, ndtri

NAN = float("nan")
VERDICTS = ("distinguishable", "equivalent", "undecided", "different, but within the margin")

COLUMNS = (
    "equivalence_id study task cohort judge_kind agent against rate baseline difference se ci_low ci_high "
    "equivalence_low equivalence_high p_difference p_equivalence margin verdict bayes_factor_01 "
    "design_effect unit n n_judges n_for_equivalence n_for_difference method"
).split()


def tost(difference, se, margin):
    """Two one-sided tests of equivalence.

    Parameters
    ----------
    difference, se : float or array
        Estimated difference from the baseline, and its standard error.
    margin : float
        Largest difference that counts as equivalent; above 0.

    Returns
    -------
    p : array
        The larger of the p values of ``difference <= -margin`` and ``difference >= margin`` (Schuirmann
        1987), by the normal distribution.
    """

    if not margin > 0:
        raise ValueError(f"the margin of equivalence must be above 0, got {margin}")
    difference, se = np.asarray(difference, float), np.asarray(se, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.maximum(ndtr(-(difference + margin) / se), ndtr((difference - margin) / se))


def compute_two_sided_p(difference, se):
    """Two-sided p value of no difference, by the normal distribution."""

    with np.errstate(divide="ignore", invalid="ignore"):
        return 2 * ndtr(-np.abs(np.asarray(difference, float) / np.asarray(se, float)))


def classify_difference(p_difference, p_equivalence, alpha):
    """One of `VERDICTS`, or empty where there is no p value."""
    if not (np.isfinite(p_difference) and np.isfinite(p_equivalence)):
        return ""
    differs, equivalent = p_difference < alpha, p_equivalence < alpha
    if differs and equivalent:
        return VERDICTS[3]
    return VERDICTS[0] if differs else VERDICTS[1] if equivalent else VERDICTS[2]


def compute_tost_power(difference, se, margin, alpha):
    """Probability that equivalence is shown, given the true difference."""

    room = margin / np.asarray(se, float) - ndtri(1 - alpha)
    shift = difference / np.asarray(se, float)
    return np.maximum(ndtr(room - shift) - ndtr(-room - shift), 0.0)


def compute_equivalence_n(se, n, margin, alpha=0.05, power=0.8, difference=0.0):
    """Judges (or trials) for equivalence to be shown, where the true difference is `difference`.

    Parameters
    ----------
    se : float
        Standard error with `n` judges; it is taken to fall with the square root of their number.
    n : int
    margin, alpha, power, difference : float

    Returns
    -------
    float
        A whole number; infinite where the difference is not within the margin.
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
    """Judges (or trials) for a two-sided test to find a true difference; as `compute_equivalence_n`."""

    if not np.isfinite(se) or se <= 0 or not n:
        return NAN
    if difference == 0:
        return float("inf")
    needed = n * ((ndtri(1 - alpha / 2) + ndtri(power)) * se / abs(difference)) ** 2
    return float(max(np.ceil(needed), 1))


def bayes_factor_rate(k, n, null=0.5, prior=(1.0, 1.0)):
    """Bayes factor for a rate equal to `null` against any rate.

    Parameters
    ----------
    k, n : float
        Successes and trials; not necessarily whole, so that dependent trials can be counted at their
        effective number.
    null : float
    prior : (float, float)
        Beta prior of the rate under the alternative.

    Returns
    -------
    float
        BF01: above 1 speaks for `null`.
    """

    a, b = prior
    log_null = k * np.log(null) + (n - k) * np.log1p(-null)
    return float(np.exp(log_null - betaln(k + a, n - k + b) + betaln(a, b)))


def bayes_factor_two_rates(k1, n1, k2, n2, prior=(1.0, 1.0)):
    """Bayes factor for one rate common to two groups against a rate each; as `bayes_factor_rate`."""

    a, b = prior

    def log_marginal(k, n):
        return betaln(k + a, n - k + b) - betaln(a, b)

    pooled = log_marginal(k1 + k2, n1 + n2)
    return float(np.exp(pooled - log_marginal(k1, n1) - log_marginal(k2, n2)))


def add_four_trials(counts):
    """A rate, or the difference of two, with four trials added, half of them successes.

    Parameters
    ----------
    counts : sequence of (float, float)
        Successes and trials of one sample, or of two.

    Returns
    -------
    center, se : float
        Normal intervals around `center` hold their level in small samples and at rates of 0 and 1, where
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
    """Verdict on every agent of every cohort, against chance and against people.

    Parameters
    ----------
    estimates : pandas.DataFrame
        Columns of `turingstats.data.schema.ESTIMATES`; the recommended reading is used.
    config : dict
        margin, power, confidence.

    Returns
    -------
    pandas.DataFrame
        Columns `COLUMNS`: ci_low and ci_high at the configured level, equivalence_low and
        equivalence_high at the level whose inclusion in the margin is the test. Empty where people's
        responses were not judged.
    """

    alpha = 1 - config["confidence"]
    margin, power = config["margin"], config["power"]
    whole = estimates[(estimates["reading"] == "recommended") & (estimates["group_by"] == "all")]
    rows = []
    for (study, task, cohort, kind), own in whole.groupby(
        ["study", "task", "cohort", "judge_kind"], sort=False
    ):
        found = {(r["agent"], r["quantity"]): r for r in own.to_dict("records")}
        people = found.get(("human", "p_HH"))
        for agent in dict.fromkeys(own["agent"]):
            machine = found.get((agent, "p_HM"))
            if agent == "human" or people is None or not (machine["n"] and people["n"]):
                continue
            # Judges of one mind, or too few for a bootstrap, say nothing of how judges differ.
            errors = [machine["se"], found[agent, "detectability"]["se"]]
            sampled = np.isfinite(errors).all() and min(errors) > 0
            share, base = machine["value"], people["value"]
            plain = np.sqrt(share * (1 - share) / machine["n"])
            plain_people = np.sqrt(base * (1 - base) / people["n"])
            place = {
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
                    # Judged human as often as people: twice the distance of detectability from 0.5.
                    center, se = difference, 2 * found[agent, "detectability"]["se"]
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
                    place
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
                        "verdict": classify_difference(p_difference, p_equivalence, alpha),
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
    return pd.DataFrame(rows, columns=COLUMNS)


def describe_method(sampled, margin, power, alpha):
    """What was done, in words."""
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
