"""Declared tests along a scale, such as the number of exchanges."""

from collections.abc import Callable

import numpy as np

from turingstats.analysis.comparisons.registry import Compared, Outcomes, Question, declare_test
from turingstats.core.names import split_group
from turingstats.stats import trends
from turingstats.stats.hypothesis.outcome import Outcome


@declare_test(unit="judge", needs="scale")
def slopes(question: Question) -> Outcomes:
    """Test whether judges' rates rise or fall along the scale."""
    procedure = question.procedure
    options = procedure.weighted, question.level, procedure.line
    yield from fit_along_scale(
        question, lambda x, right, n: trends.assess_slopes(x, right, n, *options)
    )


@declare_test(unit="trial", needs="scale")
def binomial_regression(question: Question) -> Outcomes:
    """Test whether the log odds of correct verdicts rise or fall along the scale."""
    options = question.procedure.clustered, question.level
    yield from fit_along_scale(
        question, lambda x, right, n: trends.binomial_regression(x, right, n, *options)
    )


@declare_test(unit="judge", needs="scale")
def residuals(question: Question) -> Outcomes:
    """Test whether judges' rates at one level depart from the line through the others."""
    procedure, held_out = question.procedure, question.comparison.held_out
    options = procedure.weighted, question.level, procedure.line
    rounding = procedure.decimals, procedure.continuity

    def fit_residuals(levels: np.ndarray, right: np.ndarray, n: np.ndarray) -> Outcome:
        place = levels.tolist().index(float(held_out))
        return trends.assess_residuals(levels, right, n, place, *options, *rounding)

    yield from fit_along_scale(question, fit_residuals, held_out=True)


def fit_along_scale(
    question: Question, fit: Callable[..., Outcome], held_out: bool = False
) -> Outcomes:
    """Fit a rate of each agent along the scale of a comparison. Yields as a test.

    `fit` maps levels (numbers, shape (levels,)), correct verdicts and trials (shape (judges, levels)) to
    an Outcome. `held_out` includes the level that the comparison holds out; if it has no data, nothing is
    fitted.
    """
    comparison = question.comparison
    cells = question.source.arrange_cohort(comparison.task, *comparison.cohorts)
    if cells is None:
        return
    crossed_by = comparison.by.rpartition("+")[0]
    outer = split_group(crossed_by, comparison.level) if comparison.level else []
    levels_of = {
        table: split_group(by, group)
        for table, (by, group) in enumerate(cells.tables)
        if by == comparison.by
    }
    tables_of = {names[-1]: table for table, names in levels_of.items() if names[:-1] == outer}
    if held_out:
        if comparison.held_out not in tables_of:
            return
    elif comparison.held_out is not None:
        tables_of.pop(comparison.held_out, None)
        if len(tables_of) < 2:
            return
    names = sorted(tables_of, key=float)
    tables = [tables_of[name] for name in names]
    levels = np.array([float(name) for name in names])
    label = f"{comparison.quantity} along {comparison.by} {comparison.level or ''}".strip()
    for agent in ["human"] if comparison.quantity == "p_HH" else comparison.agents:
        if agent in cells.agents:
            index = cells.agents.index(agent)
            outcome = fit(levels, cells.right[:, tables, index], cells.n[:, tables, index])
            yield Compared(f"{label}: {', '.join(names)}", agent), outcome
