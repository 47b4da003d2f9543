"""Simulate how often tests reject, and intervals miss, when there is no effect.

Judges differ. On the logit scale, the probability that a judge calls a response a machine's is the judge's
bias, plus the judge's sensitivity for responses of machines and minus it for those of people; both are
normal over judges, with mean 0 and the same standard deviation. Every null hypothesis tested here is true
in this model: rates and detectability are one half over all judges, groups of judges are drawn from the
same distribution, agents are equally hard, rates do not change with length, scores are unrelated to agents,
and people choose answers without looking at the question. A valid test rejects 5 % of such data at
p < 0.05, a 95 % interval misses 5 %; more is anti-conservative. Each test is the one of the pipeline
(`turingstats.stats.hypothesis`, `turingstats.analysis.comparisons`), on the designs of the paper.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd

from turingstats.analysis.comparisons.compare import TESTS
from turingstats.analysis.comparisons.registry import Question
from turingstats.config.study import Comparison
from turingstats.data.counts import Sample
from turingstats.stats import agreement, crossed, intervals, resampling, trends
from turingstats.stats.hypothesis import correlation, ranks
from turingstats.stats.quantities import differentiate_quantity, rate

ALPHA = 0.05
SPREADS = (0.0, 0.5, 1.0)
"""Standard deviations of judges' bias and sensitivity, on the logit scale."""
AGENTS = ("all", "a", "b", "c")


class Design(NamedTuple):
    """Judges and their trials: `judges` in each of `groups`, who see `people` responses of people and
    `machines` of each of three agents."""

    judges: int
    people: int
    machines: int
    groups: int = 1


CHANCE = Design(judges=65, people=12, machines=4)
GROUPS = Design(judges=30, people=12, machines=4, groups=2)
THREE = Design(judges=20, people=12, machines=4, groups=3)
UNEVEN = Design(judges=65, people=12, machines=4)
SHORT, LONG = Design(judges=89, people=3, machines=1), Design(judges=50, people=30, machines=10)
"""Attention prediction, free viewing: judges without feedback, and with it."""
MANY, FEW = Design(judges=192, people=6, machines=2), Design(judges=10, people=21, machines=7)
"""Attention prediction: online judges and AI experts."""

LENGTHS = np.array([3, 6, 9, 12, 15, 18, 21, 24, 48])
"""Exchanges of the conversations of 2025; the line is fitted to all but the last."""


def simulate_judges(design, spread, rng):
    """Simulate the judges of each group.

    Returns
    -------
    list of turingstats.data.counts.Sample
        Agents human, all, a, b and c.
    """
    samples = []
    for _ in range(design.groups):
        bias, sensitivity = rng.normal(0, 1, (2, design.judges, 1)) * spread
        n = np.array([design.people, *(design.machines,) * 3])
        p_right = 1 / (1 + np.exp(-np.hstack([sensitivity - bias] + [sensitivity + bias] * 3)))
        right = rng.binomial(n, p_right)
        n = np.broadcast_to(n, right.shape)
        pooled = [np.insert(table, 1, table[:, 1:].sum(axis=1), axis=1) for table in (n, right)]
        names = np.array([f"j{j:03d}" for j in range(design.judges)])
        samples.append(Sample(names, ["human", *AGENTS], *pooled))
    return samples


def move_trials(sample, rng):
    """Move trials between agents, so that some judges see few or none of one agent."""
    total = sample.n[:, 1]
    n = np.array([rng.multinomial(t, [1 / 3] * 3) for t in total])
    share = rate(sample.right[:, 1], total)[:, None]
    right = rng.binomial(n, np.broadcast_to(share, n.shape))
    sides = [
        np.column_stack([s[:, :1], part.sum(axis=1), part])
        for s, part in ((sample.n, n), (sample.right, right))
    ]
    return sample._replace(n=sides[0], right=sides[1])


def compute_p_value(comparison, procedure, samples, options, reading="recommended"):
    """Compute p of one declared test on simulated judges in one reading."""
    declared = Comparison(
        task="simulated", cohorts=("simulated",), recommended=procedure, **comparison
    )
    named = dict(zip("xyz", samples, strict=False))
    question = Question(declared, declared.recommended, reading, options, named)
    (_, _, outcome), *_ = TESTS[procedure["test"]](question)
    return outcome.p


def simulate_studies(number, seed, spreads=SPREADS):
    """Reject true null hypotheses.

    Parameters
    ----------
    number : int
        Simulated studies for each test and spread.
    seed : int
    spreads : sequence of float

    Returns
    -------
    pandas.DataFrame
        One row per test and spread: hypothesis, test, unit, used_as (published, recommended, alternative),
        spread, n (defined results), rejected (share), se, and whether it is anti-conservative: above 5 % by
        more than three standard errors.
    """

    rows = []
    for spread in spreads:
        p_values = {}
        for study in range(number):
            rng = np.random.default_rng([seed, study, int(1000 * spread)])
            options = {"seed": study, "n_bootstrap": 2, "n_permutation": 199, "confidence": 0.95}
            for key, p in run_every_test(spread, rng, options):
                p_values.setdefault(key, []).append(p)
        for (hypothesis, test, unit, used_as), values in p_values.items():
            values = np.array(values, dtype=float)
            values = values[np.isfinite(values)]
            share, se = (values < ALPHA).mean(), np.sqrt(ALPHA * (1 - ALPHA) / len(values))
            rows.append(
                {
                    "hypothesis": hypothesis,
                    "test": test,
                    "unit": unit,
                    "used_as": used_as,
                    "spread": spread,
                    "n": len(values),
                    "rejected": share,
                    "se": float(np.sqrt(share * (1 - share) / len(values))),
                    "anti_conservative": bool(share > ALPHA + 3 * se),
                }
            )
    return pd.DataFrame(rows)


def run_every_test(spread, rng, options):
    """Run every test once on fresh judges.

    Yields
    ------
    (hypothesis, test, unit, used_as), p
        For an interval, p is 0 if it misses and 1 if it contains the true value.
    """

    def run_test(label, unit, used_as, comparison, procedure, samples):
        comparison = {"id": label, **comparison}
        return (hypothesis, label, unit, used_as), compute_p_value(
            comparison, procedure, samples, options
        )

    hypothesis = "P(M|M) of all judges is one half"
    (sample,) = simulate_judges(CHANCE, spread, rng)
    chance = {"quantity": "p_MM", "against": 0.5}
    published = {"test": "wilcoxon", "exact_ties": False}
    yield run_test(
        "Wilcoxon, ties by rounding noise", "judge", "published", chance, published, [sample]
    )
    yield run_test(
        "Wilcoxon, exact ties", "judge", "recommended", chance, {"test": "wilcoxon"}, [sample]
    )
    yield run_test(
        "binomial, pooled trials", "trial", "alternative", chance, {"test": "binomial"}, [sample]
    )

    hypothesis = "detectability is one half"
    random = {"test": "welch_t_random", "balanced": True}
    chance = {"quantity": "detectability", "against": 0.5}
    yield run_test(
        "Wilcoxon, exact ties", "judge", "recommended", chance, {"test": "wilcoxon"}, [sample]
    )
    yield run_test(
        "Welch t against a random vector", "trial", "published", chance, random, [sample]
    )

    hypothesis = "interval of detectability holds one half"
    for label, used_as, misses in find_missed_intervals(sample, rng):
        yield (
            (hypothesis, label, "trial" if "judges" not in label else "judge", used_as),
            1 - misses,
        )

    for quantity, called in (("p_MM", "P(M|M)"), ("detectability", "detectability")):
        hypothesis = f"two groups have the same {called}"
        two = simulate_judges(GROUPS, spread, rng)
        of = {"quantity": quantity}
        yield run_test(
            "permutation of judges", "judge", "recommended", of, {"test": "permutation"}, two
        )
        yield run_test("Mann-Whitney", "judge", "recommended", of, {"test": "mann_whitney"}, two)
        trials = {"test": "permutation_trials"}
        yield run_test("permutation of trials", "trial", "alternative", of, trials, two)
        if quantity == "detectability":
            welch = {"test": "welch_t", "balanced": True}
            yield run_test("Welch t of balanced trials", "trial", "published", of, welch, two)

    for quantity, called in (("p_MM", "P(M|M)"), ("detectability", "detectability")):
        hypothesis = f"three groups have the same {called}"
        three = simulate_judges(THREE, spread, rng)
        of = {"quantity": quantity}
        yield run_test(
            "permutation of judges", "judge", "recommended", of, {"test": "permutation"}, three
        )
        yield run_test("Kruskal-Wallis", "judge", "recommended", of, {"test": "kruskal"}, three)
        trials = {"test": "permutation_trials"}
        yield run_test("permutation of trials", "trial", "alternative", of, trials, three)
        if quantity == "detectability":
            anova = {"test": "anova_one_way", "balanced": True}
            yield run_test(
                "one-way ANOVA of balanced trials", "trial", "published", of, anova, three
            )
        else:
            factor = {"quantity": "p_MM", "agents": ("a", "b", "c"), "by": "group"}
            anova = {"test": "anova_two_way"}
            yield run_test("two-way ANOVA of trials", "trial", "published", factor, anova, three)

    hypothesis = "agents are equally hard"
    (sample,) = simulate_judges(UNEVEN, spread, rng)
    sample = move_trials(sample, rng)
    agents = {"quantity": "p_MM", "agents": ("a", "b", "c")}
    for missing, label, used_as in (
        ("zero", "Friedman, missing cells as 0", "published"),
        ("complete", "Friedman, complete judges", "recommended"),
    ):
        procedure = {"test": "friedman", "missing": missing}
        yield run_test(label, "judge", used_as, agents, procedure, [sample])
    yield run_test(
        "chi-square of trials", "trial", "alternative", agents, {"test": "chi_square"}, [sample]
    )

    hypothesis = "the same judges rate two conditions alike"
    values = [rate(sample.right[:, i], sample.n[:, i]) for i in (2, 3)]
    key = hypothesis, "Mann-Whitney, as if other judges", "judge", "published"
    yield key, ranks.mann_whitney(*values, False).p
    key = hypothesis, "paired Wilcoxon", "judge", "recommended"
    yield key, ranks.paired_wilcoxon(*values).p

    hypothesis = "no change with length"
    x = np.array([1.0, 2.0, 4.0, 8.0])
    p_right = 1 / (1 + np.exp(-rng.normal(0, 1, (47, 1)) * spread))
    right = rng.binomial(1, np.broadcast_to(p_right, (47, 4)))
    for clustered, label, used_as in (
        (False, "binomial regression, all trials independent", "published"),
        (True, "binomial regression, clustered", "recommended"),
    ):
        key = hypothesis, label, "judge" if clustered else "trial", used_as
        yield key, trends.binomial_regression(x, right, np.ones_like(right), clustered).p
    right = rng.binomial(3, np.broadcast_to(p_right, (47, 4)))
    key = hypothesis, "Wilcoxon of judges' slopes", "judge", "published"
    yield key, trends.assess_slopes(x, right, np.full_like(right, 3), False).p

    yield from run_further_tests(spread, rng.spawn(1)[0])
    yield from permute_unequal_cohorts(spread, rng.spawn(1)[0], options)


def run_further_tests(spread, rng):
    """Run tests of further designs, with separate draws; yield as `run_every_test` does."""
    hypothesis = "48 exchanges lie on the line through 3 to 24"
    n = rng.poisson(3, (45, len(LENGTHS)))
    p_right = 1 / (1 + np.exp(-rng.normal(0, 1, (45, 1)) * spread))
    right = rng.binomial(n, np.broadcast_to(p_right, n.shape))
    for weighted, label, used_as in (
        (False, "Wilcoxon of residuals, unweighted", "published"),
        (True, "Wilcoxon of residuals, weighted", "recommended"),
    ):
        key = hypothesis, label, "judge", used_as
        yield key, trends.assess_residuals(LENGTHS, right, n, -1, weighted).p

    hypothesis = "a score says nothing of an agent's detectability"
    score, hard = rng.normal(0, 1, (2, 8))
    bias, sensitivity = rng.normal(0, 1, (2, CHANCE.judges, 1)) * spread
    p_right = 1 / (1 + np.exp(-(sensitivity + bias + hard * spread)))
    found = rng.binomial(CHANCE.machines, p_right).mean(axis=0)
    for label, test, used_as in (
        ("Pearson correlation", correlation.pearson, "published"),
        ("Spearman correlation", correlation.spearman, "recommended"),
    ):
        yield (hypothesis, label, "agent", used_as), test(score, found).p

    hypothesis = "people agree on answers no more than by chance"
    liked = np.exp(rng.normal(0, 1, 11) * spread)
    table = rng.multinomial(3, liked / liked.sum(), size=785)
    outcome = agreement.fleiss_kappa(table, rng, 999)
    yield (hypothesis, "z of Fleiss' kappa", "stimulus", "published"), outcome.p
    misses = not outcome.ci_low <= 0 <= outcome.ci_high
    key = hypothesis, "interval of kappa, bootstrap of stimuli", "stimulus", "recommended"
    yield key, 1.0 - misses


def permute_unequal_cohorts(spread, rng, options):
    """Run permutations of judges in cohorts of other sizes; yield as `run_every_test` does."""
    for pair, who in (((SHORT, LONG), "before and after feedback"), ((MANY, FEW), "and experts")):
        hypothesis = f"judges {who} have the same detectability"
        cohorts = [simulate_judges(design, spread, rng)[0] for design in pair]
        asked = {"id": hypothesis, "quantity": "detectability"}
        for label, used_as in (
            ("permutation of judges, plain", "published"),
            ("permutation of judges", "recommended"),
        ):
            p = compute_p_value(asked, {"test": "permutation"}, cohorts, options, used_as)
            yield (hypothesis, label, "judge", used_as), p


def find_missed_intervals(sample, rng):
    """Tell whether intervals of detectability miss its true value, one half."""
    four = sample.stack_counts("all")
    people_right, people_n, right, n = four.sum(axis=0).tolist()
    center = (people_right / people_n + right / n) / 2
    half = 1.96 * resampling.half_sample_sd(people_right, people_n, right, n, rng)
    yield "1.96 half-sample sd", "published", float(abs(center - 0.5) > half)
    low, high = intervals.compute_mean_proportion_interval(people_right, people_n, right, n)
    yield "two Wilson intervals (MOVER)", "beside", float(not low <= 0.5 <= high)
    influence = four @ differentiate_quantity("detectability", four.sum(axis=0))
    error = crossed.estimate_crossed_error(influence, sample.judges, None)
    low, high = crossed.compute_crossed_interval(center, error, 0.95)
    yield "t interval over judges", "recommended", float(not low <= 0.5 <= high)
