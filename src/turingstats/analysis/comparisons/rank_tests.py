"""Declared tests of ranks: one value per judge."""

import itertools

import numpy as np
import pandas as pd

from turingstats.analysis.comparisons.registry import (
    Compared,
    Outcomes,
    Question,
    compare_agents,
    declare_test,
)
from turingstats.analysis.comparisons.samples import compute_judge_values
from turingstats.core.names import VS, join_names
from turingstats.stats.hypothesis import ranks


@declare_test(unit="judge", needs="value")
def wilcoxon(question: Question) -> Outcomes:
    """Compare values of judges with a fixed value."""
    comparison, procedure = question.comparison, question.procedure
    for group in question.iterate_groups():
        values = compute_judge_values(group.sample, comparison.quantity, group.agent)
        outcome = ranks.wilcoxon(
            values, comparison.against, procedure.exact_ties, question.level, procedure.exact_p
        )
        yield group.compared, outcome


@declare_test(unit="judge", needs="groups", paired="paired_wilcoxon", takes_rows=True)
def mann_whitney(question: Question) -> Outcomes:
    """Compare two groups of judges, or the same people in both."""
    procedure = question.procedure
    for compared, values in question.iterate_values():
        first, second = (value for _, value in values.values())
        if question.paired:
            outcome = ranks.paired_wilcoxon(first, second, question.level)
        else:
            larger = procedure.u == "larger"
            outcome = ranks.mann_whitney(
                first, second, procedure.exact_ties, question.level, larger
            )
        yield compared, outcome


@declare_test(unit="judge", needs="groups", paired="friedman", takes_rows=True)
def kruskal(question: Question) -> Outcomes:
    """Compare groups of judges, or the same people in all groups."""
    for compared, values in question.iterate_values():
        groups = [value for _, value in values.values()]
        if question.paired:
            outcome = ranks.friedman(np.column_stack(groups), "complete", question.level)
        else:
            outcome = ranks.kruskal(groups, question.level)
        yield compared, outcome


@declare_test(unit="judge", needs="matched", takes_rows=True)
def paired_wilcoxon(question: Question) -> Outcomes:
    """Compare two values of each judge, such as at two levels of a condition."""
    for compared, values in question.iterate_values():
        by_judge = {name: pd.Series(value, judges) for name, (judges, value) in values.items()}
        first, second = pd.DataFrame(by_judge).to_numpy().T
        yield compared, ranks.paired_wilcoxon(first, second, question.level)


@declare_test(unit="judge", needs="agents")
def friedman(question: Question) -> Outcomes:
    """Compare agents judged by the same judges."""
    values = compute_agent_values(question)
    table = np.column_stack(list(values.values()))
    outcome = ranks.friedman(table, question.procedure.missing, question.level)
    yield Compared(join_names(values, VS)), outcome


@declare_test(unit="judge", needs="agents")
def friedman_pairs(question: Question) -> Outcomes:
    """Compare all pairs of agents judged by the same judges."""
    values = compute_agent_values(question)
    for one, other in itertools.combinations(values, 2):
        outcome = ranks.paired_wilcoxon(values[one], values[other], question.level)
        yield compare_agents(one, other), outcome


def compute_agent_values(question: Question) -> dict[str, np.ndarray]:
    """Compute the values of the judges of the only group, by agent; arrays of shape (judges,)."""
    (sample,) = question.samples.values()
    quantity = question.comparison.quantity
    return {agent: compute_judge_values(sample, quantity, agent) for agent in question.agents}
