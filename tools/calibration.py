"""Simulate how often tests reject, and intervals miss, when there is no effect.

Judges differ. On the logit scale, the probability that a judge calls a response a machine's is the judge's
bias, plus the judge's sensitivity for responses of machines and minus it for those of people; both are
normal over judges, with mean 0 and the same standard deviation. Every null hypothesis tested here is true
in this model: rates and detectability are one half over all judges, groups of judges are drawn from the
same distribution, agents are equally hard, rates do not change with length, scores are unrelated to agents,
and people choose answers without looking at the question. A valid test rejects 5 % of such data at
p < 0.05, a 95 % interval misses 5 %; more is anti-conservative. Each test is the one of the pipeline
(`turingstats.stats.hypothesis`, `turingstats.analysis.comparisons`), on the designs of the paper. Run with
`make calibration`; it takes several minutes and writes docs/calibration.md and .csv.
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from turingstats.core.processor import SETTINGS

# Before numpy is imported.
os.environ.update(SETTINGS)

import numpy as np
import pandas as pd
from scipy.special import expit

from turingstats.analysis.comparisons.compare import TESTS
from turingstats.analysis.comparisons.registry import Question
from turingstats.config.study import Comparison
from turingstats.core import files
from turingstats.data.counts import Sample
from turingstats.stats import agreement, crossed, intervals, resampling, trends
from turingstats.stats.hypothesis import correlation, ranks
from turingstats.stats.quantities import differentiate_quantity, rate

DOCS = Path(__file__).parents[1] / "docs"
SEED = 2025
STUDIES = 1000
TEXT = """\
# Calibration: which tests keep their promise

All numbers here are from a simulation ({studies} studies for each row and spread, seed {seed}), none from
judges. `make calibration` makes this page and its table (`calibration.csv`) again.

A test at the level of 5% may reject a true null hypothesis in 5% of studies. It rejects more often
(is anti-conservative) when it takes the verdicts of one judge as independent, but judges differ. Here
every null hypothesis is true. On the logit scale judges differ in bias (calling everything a machine's)
and in sensitivity (telling machines from people), each with the standard deviation *spread*. The middle
95% of judges then have a P(M|M) of {range}.

Designs follow the paper: a judge sees {people} responses of people and {machines} of each of three agents;
there are {judges} judges, or two groups of {two}, or three of {three}; the online test has 47
conversations, each judged at 4 lengths. Feedback and experts have the judges and trials of Attention
prediction: {before} judges without feedback see few trials, {after} with feedback many; {online} online
judges are set against {experts} experts. For the residuals at 48 exchanges, 45 judges give about 3
verdicts at each of 9 lengths; scores are those of 8 agents, whose hardness varies as judges do; for
kappa, three people answer each of 785 questions with one of 11 colors, whose popularity varies more at a
larger spread.

## In short

{short}

## All rates of rejection (of intervals: share that misses the true value)

**Bold**: above 5% by more than three standard errors. Far below 5% a test misses what is there. A row without
a null hypothesis has that of the row above.

{table}
"""

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

# Hypothesis, test, unit, and what the pipeline uses the test as (published, recommended, alternative); then
# p. For an interval, p is 0 if it misses and 1 if it contains the true value.
Rejections = Iterator[tuple[tuple[str, str, str, str], float]]


def simulate_judges(design: Design, spread: float, rng: np.random.Generator) -> list[Sample]:
    """Simulate the judges of each group; agents are human, all, a, b and c."""
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


def move_trials(sample: Sample, rng: np.random.Generator) -> Sample:
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


def compute_p_value(
    comparison: dict[str, Any],
    procedure: dict[str, Any],
    samples: list[Sample],
    options: dict[str, Any],
    reading: str = "recommended",
) -> float:
    """Compute p of one declared test on simulated judges in one reading."""
    declared = Comparison(
        task="simulated", cohorts=("simulated",), recommended=procedure, **comparison
    )
    named = dict(zip("xyz", samples, strict=False))
    question = Question(declared, declared.recommended, reading, options, named)
    (_, _, outcome), *_ = TESTS[procedure["test"]](question)
    return outcome.p


def simulate_studies(number: int, seed: int, spreads: tuple[float, ...] = SPREADS) -> pd.DataFrame:
    """Reject true null hypotheses in `number` studies, for each test and spread.

    A test is anti-conservative if it rejects more than 5 % by more than three standard errors.
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


def run_every_test(spread: float, rng: np.random.Generator, options: dict[str, Any]) -> Rejections:
    """Run every test once on fresh judges."""

    def run_test(
        label: str,
        unit: str,
        used_as: str,
        comparison: dict[str, Any],
        procedure: dict[str, Any],
        samples: list[Sample],
    ) -> tuple[tuple[str, str, str, str], float]:
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

    for design, number, rank_test, name in (
        (GROUPS, "two", "Mann-Whitney", "mann_whitney"),
        (THREE, "three", "Kruskal-Wallis", "kruskal"),
    ):
        for quantity, called in (("p_MM", "P(M|M)"), ("detectability", "detectability")):
            hypothesis = f"{number} groups have the same {called}"
            samples = simulate_judges(design, spread, rng)
            of: dict[str, Any] = {"quantity": quantity}
            permuted = {"test": "permutation"}
            yield run_test("permutation of judges", "judge", "recommended", of, permuted, samples)
            yield run_test(rank_test, "judge", "recommended", of, {"test": name}, samples)
            trials = {"test": "permutation_trials"}
            yield run_test("permutation of trials", "trial", "alternative", of, trials, samples)
            if quantity == "detectability":
                label, test = "Welch t of balanced trials", "welch_t"
                if design is THREE:
                    label, test = "one-way ANOVA of balanced trials", "anova_one_way"
                procedure = {"test": test, "balanced": True}
                yield run_test(label, "trial", "published", of, procedure, samples)
            elif design is THREE:
                of |= {"agents": ("a", "b", "c"), "by": "group"}
                procedure = {"test": "anova_two_way"}
                yield run_test(
                    "two-way ANOVA of trials", "trial", "published", of, procedure, samples
                )

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


def run_further_tests(spread: float, rng: np.random.Generator) -> Rejections:
    """Run tests of further designs, with separate draws."""
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


def permute_unequal_cohorts(
    spread: float, rng: np.random.Generator, options: dict[str, Any]
) -> Rejections:
    """Run permutations of judges in cohorts of other sizes."""
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


def find_missed_intervals(
    sample: Sample, rng: np.random.Generator
) -> Iterator[tuple[str, str, float]]:
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


def summarize_rates(table: pd.DataFrame) -> str:
    """Summarize the kinds of tests, computed from the table."""
    wide = table[table["spread"] == table["spread"].max()]
    lines = []
    for unit, used in (
        ("trial", "published"),
        ("trial", "alternative"),
        ("judge", "published"),
        ("judge", "recommended"),
    ):
        own = wide[(wide["unit"] == unit) & (wide["used_as"] == used)]
        if own.empty:
            continue
        low, high = own["rejected"].min(), own["rejected"].max()
        lines.append(
            f"- {used} tests with the {unit} as unit, at the largest spread: rejected {low:.1%} to "
            f"{high:.1%}; {int(own['anti_conservative'].sum())} of {len(own)} anti-conservative."
        )
    return "\n".join(lines)


def format_table(table: pd.DataFrame) -> str:
    """Write the whole table, one column per spread."""
    rates = table["rejected"].map("{:.1%}".format)
    table = table.assign(rate=rates.where(~table["anti_conservative"], "**" + rates + "**"))
    key = ["hypothesis", "test", "unit", "used_as"]
    # Rows stay in the order of the simulation.
    order = pd.MultiIndex.from_frame(table[key].drop_duplicates())
    wide = table.pivot(index=key, columns="spread", values="rate").reindex(order)
    spreads = [f"spread {spread:g}" for spread in wide]
    lines = [
        "| " + " | ".join(["true null hypothesis", "test", "unit", "reading", *spreads]) + " |"
    ]
    lines.append("|" + " --- |" * (4 + len(spreads)))
    above = None
    for (hypothesis, *key), rates in zip(wide.index, wide.to_numpy(), strict=True):
        # A bare bar would end the cell.
        shown = "" if hypothesis == above else hypothesis.replace("|", "\\|")
        lines.append("| " + " | ".join([shown, *key, *rates]).lstrip() + " |")
        above = hypothesis
    return "\n".join(lines)


def describe_range(spread: float) -> str:
    """Write the middle 95 % of judges' P(M|M) if bias and sensitivity both have this standard deviation."""
    low, high = expit(np.array([-1.96, 1.96]) * spread * np.sqrt(2))
    return f"{low:.0%} to {high:.0%} at spread {spread:g}"


def write_page(table: pd.DataFrame) -> None:
    """Write docs/calibration.md from the table."""
    text = TEXT.format(
        studies=int(table["n"].max()), seed=SEED, people=CHANCE.people, machines=CHANCE.machines,
        before=SHORT.judges, after=LONG.judges, online=MANY.judges, experts=FEW.judges,
        judges=CHANCE.judges, two=GROUPS.judges, three=THREE.judges,
        range=", ".join(describe_range(spread) for spread in SPREADS[1:]),
        short=summarize_rates(table), table=format_table(table),
    )  # fmt: skip
    files.write_text(text, DOCS / "calibration.md")


def main(studies: int) -> None:
    """Simulate, and write the table and the page."""
    table = simulate_studies(studies, SEED).assign(data="simulation")
    files.write_frame(table, DOCS / "calibration.csv")
    write_page(table)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES)
