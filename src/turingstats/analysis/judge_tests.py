"""Tests of the judges' d' between groups of judges (appendix F of Jones and Bergen 2024).

Which test is valid depends on the groups: `ordered` in the study file lists the variables with ordered
groups, such as education. Only these are tested for a trend; the groups of others, such as gender, are
compared without an order.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from scipy import stats

from turingstats.analysis.breakdowns import (
    describe_smoothing,
    select_human_verdicts,
    select_judge_d_primes,
)
from turingstats.analysis.rows import tabulate
from turingstats.config.study import Study
from turingstats.stats.hypothesis import means, ranks
from turingstats.stats.hypothesis.outcome import (
    Outcome,
    cite_library,
    join_notes,
    make_undefined_outcome,
)
from turingstats.stats.multiplicity import correct_family

NAN = float("nan")


def compare_judge_groups(
    judgments: pd.DataFrame,
    groups: pd.DataFrame,
    study: Study,
    level: float,
    correction: str | None = None,
) -> pd.DataFrame:
    """Compare the judges' d' between the groups of each demographic variable that anyone answered.

    The published reading follows the paper as far as it is described: least squares on the rank of the
    group, and on gender as a factor, over all judges, since smoothing gives a d' even to those who saw no
    people. The recommended reading uses only judges who saw both and gave both answers, and rank tests,
    since values are few and tied: Jonckheere-Terpstra for ordered groups, Kruskal-Wallis for others
    (Mann-Whitney for two groups), with `correction` over the variables (`correct_family`).
    """
    rows = []
    for reading in study.readings:
        people = select_human_verdicts(judgments, groups, reading)
        for (task, cohort), trials in people.groupby(["task", "cohort"]):
            scores, dropped = select_judge_d_primes(trials, reading)
            judges = trials.drop_duplicates("judge").set_index("judge")
            place = {"task": task, "cohort": cohort, "reading": reading, "quantity": "d_prime"}
            tests = []
            for by in (name for name in study.demographics if f"group:{name}" in judges):
                group = scores.index.map(judges[f"group:{by}"])
                values = {
                    name: scores["d_prime"].to_numpy()[group == name]
                    for name in study.demographics[by]
                }
                test = compare_scores(values, by in study.ordered, reading, level)
                test["dropped"] = join_notes(dropped, test["dropped"])
                tests.append(test | place | {"by": by})
            correct_family(tests, correction if reading == "recommended" else "none")
            rows += tests
    return tabulate(rows, "judge_tests", study=study.study, unit="judge")


def compare_scores(
    values: dict[str, np.ndarray], ordered: bool, reading: str, level: float
) -> dict[str, Any]:
    """Compare the d' of judges, by group of one variable."""
    values = {name: scores for name, scores in values.items() if ordered or len(scores)}
    name, outcome = run_group_test(reading, list(values.values()), ordered, level)
    return vars(outcome) | {
        "groups": (" < " if ordered else " vs ").join(values),
        "test": name,
        "n_judges": int(outcome.n1 + np.nan_to_num(outcome.n2)),
        "method": f"d' of each judge, {describe_smoothing()}; {outcome.method}",
    }


def run_group_test(
    reading: str, groups: list[np.ndarray], ordered: bool, level: float
) -> tuple[str, Outcome]:
    """Run the test of a reading and return its name and outcome; see `compare_judge_groups`."""
    if reading == "published":
        if ordered:
            return "linear_regression", fit_group_slope(groups, level)
        return "anova_one_way", means.anova_one_way(groups, level)
    if ordered:
        return "jonckheere", ranks.jonckheere(groups, level)
    if len(groups) == 2:
        return "mann_whitney", ranks.mann_whitney(groups[0], groups[1], True, level)
    return "kruskal", ranks.kruskal(groups, level)


def fit_group_slope(groups: Sequence[Sequence[float] | np.ndarray], level: float) -> Outcome:
    """Fit values on the rank of their group, from 0, by least squares; the effect is the slope."""

    x = np.repeat(np.arange(len(groups)), [len(group) for group in groups])
    y = np.concatenate(groups) if groups else np.empty(0)
    blank = make_undefined_outcome("", "t", "slope", len(x))
    if len(x) < 3 or np.ptp(x) == 0 or np.ptp(y) == 0:
        return blank.refuse("not computed: too few judges, or all alike")
    fit, df = stats.linregress(x, y), len(x) - 2
    half = stats.t.isf((1 - level) / 2, df) * fit.stderr
    effect = fit.slope, fit.slope - half, fit.slope + half
    method = cite_library("scipy", "stats.linregress on the group's place, from 0")
    sizes = [len(group) for group in groups]
    return blank.report(fit.slope / fit.stderr, fit.pvalue, effect, str(df), sizes, method=method)
