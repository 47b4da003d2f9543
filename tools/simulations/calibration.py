"""How often tests reject, and intervals miss, when there is no effect.

Judges differ. On the logit scale, the probability that a judge calls a response a machine's is the judge's
bias, plus the judge's sensitivity for responses of machines and minus it for those of people; both are
normal over judges, with mean 0 and the same standard deviation. Every null hypothesis tested here is true
in this model: rates and detectability are one half over all judges, groups of judges are drawn from the
same distribution, agents are equally hard, rates do not change with length, scores are unrelated to agents,
and people choose answers without looking at the question. Each test is the one of the pipeline
(`turingstats.stats.hypothesis`, `turingstats.analysis.comparisons`), on the designs of the paper.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import yaml
from scipy.special import expit

from tools.simulations import LEVEL, Row
from turingstats.analysis.comparisons.compare import TESTS
from turingstats.analysis.comparisons.registry import Question
from turingstats.analysis.comparisons.samples import Sample
from turingstats.analysis.settings import AnalysisSettings
from turingstats.config.study import Comparison
from turingstats.stats import agreement, crossed, intervals, resampling, trends
from turingstats.stats.hypothesis import correlation, ranks
from turingstats.stats.quantities import QUANTITIES, differentiate_quantity, rate

ALPHA = 0.05
DECLARED = yaml.safe_load(Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8"))


class Design(NamedTuple):
    """Judges, their trials of responses of people, and those of each of three agents."""

    judges: int
    people: int
    machines: int


DESIGNS = {name: Design(*numbers) for name, numbers in DECLARED["judges"].items()}
LENGTHS = np.array([3, 6, 9, 12, 15, 18, 21, 24, 48])
"""Exchanges of the conversations of 2025; the line is fitted to all but the last."""


class Tested(NamedTuple):
    """A true null hypothesis, its test, and whether it rejects or, of an interval, misses (1 or 0)."""

    hypothesis: str
    test: str
    unit: str
    used_as: str
    """What the pipeline uses the test as: published, recommended, alternative."""
    rejected: float


def simulate_study(rng: np.random.Generator, case: Row) -> Iterator[Row]:
    """Run every test once on fresh judges, and yield whether it rejects or, of an interval, misses."""
    for tests in (
        run_declared_tests,
        check_intervals,
        run_further_tests,
        run_tests_of_agents_and_answers,
    ):
        for tested in tests(rng, case["spread"]):
            yield tested._asdict()


def run_declared_tests(rng: np.random.Generator, spread: float) -> Iterator[Tested]:
    """Run the tests that calibration.yaml declares."""
    for declared in DECLARED["tests"]:
        samples = [simulate_judges(rng, spread, name) for name in declared["judges"]]
        settings: AnalysisSettings = {
            "seed": int(rng.integers(2**31)),
            "n_bootstrap": 2,
            "n_permutation": 199,
            "confidence": LEVEL,
        }
        for name, by_reading in declared["tests"].items():
            ((reading, procedure),) = by_reading.items()
            comparison = Comparison(
                id=name,
                task="simulated",
                cohorts=("simulated",),
                **{reading: procedure, **declared["comparison"]},
            )
            asked = getattr(comparison, reading)
            named = dict(zip("xyz", samples, strict=False))
            test = TESTS[asked.test]
            question = Question(comparison, asked, reading, settings, named)
            # The first question, where a test answers several.
            _, outcome = next(iter(test(question)))
            yield Tested(declared["hypothesis"], name, test.unit, reading, reject(outcome.p))


def reject(p: float) -> float:
    """Tell whether a test rejects; not known if it could not be made."""
    return float(p < ALPHA) if np.isfinite(p) else np.nan


def simulate_judges(rng: np.random.Generator, spread: float, name: str) -> Sample:
    """Simulate judges; agents are human, all, a, b and c."""
    design = DESIGNS[name]
    bias, sensitivity = rng.normal(0, 1, (2, design.judges, 1)) * spread
    n = np.tile([design.people, *(design.machines,) * 3], (design.judges, 1))
    right = rng.binomial(n, expit(np.hstack([sensitivity - bias] + [sensitivity + bias] * 3)))
    if name == "uneven":
        # Some judges see few or none of one agent.
        n[:, 1:] = rng.multinomial(3 * design.machines, [1 / 3] * 3, design.judges)
        share = right[:, 1:].sum(axis=1) / (3 * design.machines)
        right[:, 1:] = rng.binomial(n[:, 1:], share[:, None])
    n, right = (np.insert(table, 1, table[:, 1:].sum(axis=1), axis=1) for table in (n, right))
    names = np.array([f"j{number:03d}" for number in range(design.judges)])
    return Sample(names, ["human", "all", "a", "b", "c"], n, right)


def check_intervals(rng: np.random.Generator, spread: float) -> Iterator[Tested]:
    """Tell whether intervals of detectability miss its true value, one half."""
    sample = simulate_judges(rng, spread, "chance")
    four = sample.stack_counts("all")
    totals = four.sum(axis=0)
    people_right, people_n, right, n = totals.tolist()
    center = float(QUANTITIES["detectability"].value(*totals))
    half = 1.96 * resampling.half_sample_sd(people_right, people_n, right, n, rng)
    influence = four @ differentiate_quantity("detectability", totals)
    error = crossed.estimate_crossed_error(influence, sample.judges, None)
    wilson = intervals.compute_mean_proportion_interval(people_right, people_n, right, n)
    over_judges = crossed.compute_crossed_interval(center, error, LEVEL)
    for name, unit, used_as, (low, high) in (
        ("1.96 half-sample sd", "trial", "published", (center - half, center + half)),
        ("two Wilson intervals (MOVER)", "trial", "beside", wilson),
        ("t interval over judges", "judge", "recommended", over_judges),
    ):
        hypothesis = "interval of detectability holds one half"
        yield Tested(hypothesis, name, unit, used_as, float(not low <= 0.5 <= high))


def run_further_tests(rng: np.random.Generator, spread: float) -> Iterator[Tested]:
    """Run tests that no comparison of groups declares, each as published and as recommended."""
    sample = simulate_judges(rng, spread, "chance")
    one, other = (rate(sample.right[:, i], sample.n[:, i]) for i in (2, 3))
    hypothesis = "the same judges rate two conditions alike"
    p = ranks.mann_whitney(one, other, False).p
    yield Tested(hypothesis, "Mann-Whitney, as if other judges", "judge", "published", reject(p))
    p = ranks.paired_wilcoxon(one, other).p
    yield Tested(hypothesis, "paired Wilcoxon", "judge", "recommended", reject(p))

    hypothesis = "no change with length"
    x = np.array([1.0, 2.0, 4.0, 8.0])
    p_right = np.tile(expit(rng.normal(0, 1, (47, 1)) * spread), 4)
    right = rng.binomial(1, p_right)
    for clustered, name, unit, used_as in (
        (False, "binomial regression, all trials independent", "trial", "published"),
        (True, "binomial regression, clustered", "judge", "recommended"),
    ):
        p = trends.binomial_regression(x, right, np.ones_like(right), clustered).p
        yield Tested(hypothesis, name, unit, used_as, reject(p))
    right = rng.binomial(3, p_right)
    p = trends.assess_slopes(x, right, np.full_like(right, 3), False).p
    yield Tested(hypothesis, "Wilcoxon of judges' slopes", "judge", "published", reject(p))

    hypothesis = "48 exchanges lie on the line through 3 to 24"
    n = rng.poisson(3, (45, len(LENGTHS)))
    right = rng.binomial(n, expit(rng.normal(0, 1, (45, 1)) * spread))
    for weighted, name, used_as in (
        (False, "Wilcoxon of residuals, unweighted", "published"),
        (True, "Wilcoxon of residuals, weighted", "recommended"),
    ):
        p = trends.assess_residuals(LENGTHS, right, n, -1, weighted).p
        yield Tested(hypothesis, name, "judge", used_as, reject(p))


def run_tests_of_agents_and_answers(rng: np.random.Generator, spread: float) -> Iterator[Tested]:
    """Run tests whose unit is the agent, or the stimulus."""
    hypothesis = "a score says nothing of an agent's detectability"
    score, hard = rng.normal(0, 1, (2, 8))
    design = DESIGNS["chance"]
    bias, sensitivity = rng.normal(0, 1, (2, design.judges, 1)) * spread
    p_right = expit(sensitivity + bias + hard * spread)
    found = rng.binomial(design.machines, p_right).mean(axis=0)
    p = correlation.pearson(score, found).p
    yield Tested(hypothesis, "Pearson correlation", "agent", "published", reject(p))
    p = correlation.spearman(score, found).p
    yield Tested(hypothesis, "Spearman correlation", "agent", "recommended", reject(p))

    hypothesis = "people agree on answers no more than by chance"
    liked = np.exp(rng.normal(0, 1, 11) * spread)
    kappa = agreement.fleiss_kappa(rng.multinomial(3, liked / liked.sum(), size=785), rng, 999)
    yield Tested(hypothesis, "z of Fleiss' kappa", "stimulus", "published", reject(kappa.p))
    name, missed = "interval of kappa, bootstrap of stimuli", not kappa.ci_low <= 0 <= kappa.ci_high
    yield Tested(hypothesis, name, "stimulus", "recommended", float(missed))
