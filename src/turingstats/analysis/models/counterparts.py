"""Every published test next to the same question asked of a mixed model."""

from typing import Any

import numpy as np
import pandas as pd

from turingstats.analysis.models.asked import Asked, find_group_column
from turingstats.config.study import Comparison, Study
from turingstats.core.labels import TRENDS
from turingstats.data.schema import RESULTS
from turingstats.stats.mixed import wald
from turingstats.stats.multiplicity import adjust_p_values

NAN = float("nan")
ABOUT = ("comparison", "agent", "group")
"""What a test is about."""


def build_counterparts(
    study: Study, fits: dict[str, Asked], tests: pd.DataFrame, level: float
) -> pd.DataFrame:
    """Compare every published test with the same question asked of a mixed model, one row per test.

    Models name the comparisons that they answer (`counterpart_of`). log_odds is for a single contrast.
    crossed_p is the p of the recommended test's question with errors over judges and stimuli,
    crossed_change what it changes, and crossed_moved_by which step on the way does (`find_moving_steps`).
    Several published tests may ask the same: see `correct_hypotheses`.
    If no model answers, `change` is "no counterpart" and the notes say why.
    """
    if not any(model.counterpart_of for model in study.models):
        return pd.DataFrame(columns=RESULTS["what_changes"])
    comparisons = {c.id: c for c in study.comparisons}
    tests = tests.astype({name: object for name in ABOUT}).fillna(dict.fromkeys(ABOUT, ""))
    published, recommended = (
        {test["test_id"]: test for test in tests[tests["reading"] == reading].to_dict("records")}
        for reading in ("published", "recommended")
    )
    rows = []
    for model in study.models:
        fitted = fits.get(model.id)
        if fitted is None:
            continue
        for identity in model.counterpart_of:
            comparison = comparisons.get(identity)
            if comparison is None:
                continue
            predictors = fitted.predictors[find_group_column(comparison)]
            if predictors is None:
                continue
            for test_id, test in published.items():
                if test["comparison"] != identity:
                    continue
                asked = build_contrasts(comparison, test, predictors)
                if asked is None:
                    continue
                row = describe_tests(comparison, test, recommended.get(test_id), 1 - level)
                row["model_id"] = model.id
                rows.append(row | describe_model_answer(fitted, asked, row, 1 - level))
    answered = {row["test_id"] for row in rows}
    for test_id, test in published.items():
        if test_id not in answered:
            comparison = comparisons[test["comparison"]]
            row = describe_tests(comparison, test, recommended.get(test_id), 1 - level)
            row |= {"mixed_p": NAN, "change": "no counterpart"}
            why = explain_no_counterpart(study, comparison, test["test"], fits)
            rows.append(row | {"notes": why})
    return correct_hypotheses(pd.DataFrame(rows, columns=RESULTS["what_changes"]))


def correct_hypotheses(table: pd.DataFrame) -> pd.DataFrame:
    """Correct crossed_p over the distinct hypotheses, by Holm's and by Benjamini and Hochberg's method.

    Tests with the same crossed_p for the same groups ask the same; `hypothesis` is the id of that with the
    smallest published p, whose row stands for all where they are counted. It is empty without both p.
    """
    both = table[np.isfinite(table["published_p"]) & np.isfinite(table["crossed_p"])]
    asked = ["task", "agent", "quantity", "groups"]
    keys = [both[name].fillna("") for name in asked] + [both["crossed_p"].round(12)]
    ordered = both.sort_values("published_p", kind="stable")
    names = ordered.groupby([key[ordered.index] for key in keys])["test_id"].transform("first")
    table = table.assign(hypothesis=names)
    distinct = table[table["hypothesis"] == table["test_id"]].set_index("test_id")["crossed_p"]
    for column, method in (("crossed_p_holm", "holm"), ("crossed_p_fdr", "fdr_bh")):
        adjusted = pd.Series(adjust_p_values(distinct, method), distinct.index)
        table[column] = table["hypothesis"].map(adjusted)
    return table


def describe_tests(
    comparison: Comparison,
    published: dict[str, Any],
    other: dict[str, Any] | None,
    alpha: float,
) -> dict[str, Any]:
    """Fill the columns that come from the tests; `other` is the recommended test, if any."""
    names = {"recommended_p": "p", "published_trials_p": "p_published_trials"}
    names |= {"judges_p": "p_judges", "crossed_p": "p_crossed"}
    p = {name: NAN if other is None else other[column] for name, column in names.items()}
    p["published_p"] = published["p"]
    return {
        "task": comparison.task,
        "quantity": comparison.quantity,
        **{
            name: published[name]
            for name in ("test_id", "cohort", *ABOUT, "groups", "test", "unit")
        },
        "published_statistic": published["statistic"],
        "recommended_test": "" if other is None else other["test"],
        **p,
        "crossed_change": classify_change(p["published_p"], p["crossed_p"], alpha),
        "crossed_moved_by": find_moving_steps(p, p["crossed_p"], alpha),
    }


def explain_no_counterpart(
    study: Study, comparison: Comparison, test: str, fits: dict[str, Asked]
) -> str:
    """Explain why no model answers the question of a published test."""
    task = study.tasks[comparison.task]
    kinds = {task.cohorts[name].judge_kind for name in comparison.cohorts}
    if not comparison.cohorts:
        return "a test of responses, not of verdicts"
    if comparison.score:
        return "its unit is the agent: a few agents, whose scores are no verdicts"
    if kinds != {"human"}:
        return "a machine judge is a single judge; others like it cannot be inferred from it"
    if test == "anova_two_way":
        return "its main effects depend on how unequal groups are weighed; the model has the interaction"
    asked = [m for m in study.models if comparison.id in m.counterpart_of and m.id in fits]
    if any(comparison.id in m.counterpart_of for m in study.models):
        if not asked:
            return "no trials for its model"
        if "agent" not in asked[0].formula:
            return (
                f"{asked[0].id} takes the agents together, since one agent has few trials a group"
            )
        return f"{asked[0].id} has no such group"
    if test in TRENDS:
        return f"a trend over {comparison.by}, which no model of the study has"
    if comparison.by:
        return f"no model of the study has {comparison.by}"
    return "no model of the study asks this"


def build_contrasts(
    comparison: Comparison,
    test: dict[str, Any],
    predictors: dict[tuple[str, ...], np.ndarray],
) -> np.ndarray | None:
    """Build the contrasts of a fit that ask the same question as a test; None if the model cannot.

    Each, shape (contrasts, coefficients), is 0 under the null hypothesis. A single contrast is positive
    above chance, or if the first group is higher.
    """
    if not predictors:
        return np.empty((0, 0))
    of_people = comparison.quantity == "p_HH"
    agent = test["agent"]
    groups = [levels[1] for levels in predictors if levels[0] == "human" and len(levels) > 1]
    # A test that is about no single agent compares them.
    if test["test"] != "friedman" and (agent, *groups[:1]) not in predictors:
        return None

    def value(agent: str, *group: str) -> np.ndarray:
        if of_people:
            return -predictors[("human", *group)]
        if comparison.quantity == "p_MM":
            return predictors[(agent, *group)]
        if comparison.quantity == "p_HM":
            return -predictors[(agent, *group)]
        return (predictors[(agent, *group)] - predictors[("human", *group)]) / 2

    if test["test"] == "friedman":
        values = [value(a) for a in comparison.agents if (a,) in predictors]
    elif comparison.against is not None:
        same_group = [group for group in groups if group == test["group"]]
        if groups and not same_group:
            return None
        return value(agent, *same_group)[None]
    else:
        wanted = comparison.groups or (
            comparison.cohorts if len(comparison.cohorts) > 1 else groups
        )
        values = [value(agent, group) for group in wanted if group in groups]
    if len(values) < 2:
        return None
    if len(values) == 2:
        return (values[0] - values[1])[None]
    return np.array([v - values[0] for v in values[1:]])


def describe_model_answer(
    fitted: Asked, contrasts: np.ndarray, tested: dict[str, Any], alpha: float
) -> dict[str, Any]:
    """Fill the columns of `build_counterparts` that come from the model; `tested` has those of the tests."""
    notes = "; ".join(fitted.notes)
    if not len(contrasts):
        return {"mixed_p": NAN, "change": "model not fitted", "notes": notes}
    if len(contrasts) == 1:
        contrast = wald.assess_contrast(fitted, contrasts[0], 1 - alpha)
        p = contrast.p
        row = {"mixed_statistic": "z", "mixed": contrast.z, "df": fitted.df, "mixed_p": p}
        row["log_odds"] = contrast.estimate
    else:
        statistic, df, p = wald.assess_joint_contrast(fitted, contrasts)
        row = {"mixed_statistic": "chi2", "mixed": statistic, "df": df, "mixed_p": p}
    return row | {
        "change": classify_change(tested["published_p"], p, alpha),
        "mixed_moved_by": find_moving_steps(tested, p, alpha),
        "notes": notes,
    }


def classify_change(published_p: float, mixed_p: float, alpha: float) -> str:
    """Classify how a published result changes (p values are not adjusted for other tests)."""
    if not (np.isfinite(published_p) and np.isfinite(mixed_p)):
        return "not comparable"
    before, after = published_p < alpha, mixed_p < alpha
    if before == after:
        return "still significant" if after else "still not significant"
    return "becomes significant" if after else "no longer significant"


def find_moving_steps(p: dict[str, Any], last: float, alpha: float) -> str:
    """Find the steps from a published p to the last one, with other errors, that change what is significant.

    The steps are the test (the recommended question of the same trials, with errors over judges), the data
    (all trials of the recommended reading) and the error. Steps without a p between them are named together.
    """
    before, steps, moving = p["published_p"], [], []
    tried = {"test": p["published_trials_p"], "data": p["judges_p"], "error": last}
    for step, after in tried.items():
        steps.append(step)
        if np.isfinite(after):
            if np.isfinite(before) and (before < alpha) != (after < alpha):
                moving.append(" or ".join(steps))
            before, steps = after, []
    return ", ".join(moving) if np.isfinite(last) else ""
