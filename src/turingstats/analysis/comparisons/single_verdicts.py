"""Declared tests of single verdicts, which treat all trials as independent."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from turingstats.analysis.comparisons.registry import Compared, Outcomes, Question, declare_test
from turingstats.analysis.comparisons.samples import (
    Sample,
    count_rate_verdicts,
    draw_right_verdicts,
    list_machine_trials,
)
from turingstats.core.names import VS, join_names
from turingstats.stats import resampling
from turingstats.stats.hypothesis import means, proportions
from turingstats.stats.hypothesis.outcome import Outcome

DRAWS = 1000
"""Random draws over which the range of a test is found that rests on one."""


@declare_test(unit="trial", needs="value")
def binomial(question: Question) -> Outcomes:
    """Compare a share of verdicts with a fixed value."""
    comparison, alternative = question.comparison, question.procedure.alternative
    for group in question.iterate_groups():
        counted = count_rate_verdicts(group.sample, comparison.quantity, group.agent)
        outcome = proportions.binomial(*counted, comparison.against, alternative, question.level)
        yield group.compared, outcome


@declare_test(unit="trial", needs="value")
def two_proportions(question: Question) -> Outcomes:
    """Test whether an agent's responses are judged machine as often as people's (detectability 0.5).

    Unlike the share of correct verdicts, this does not depend on the number of responses of each kind.
    """
    for group in question.iterate_groups():
        people_right, people_n, right, n = (
            group.sample.stack_counts(group.agent).sum(axis=0).tolist()
        )
        called = people_n - people_right
        outcome = proportions.two_proportions(right, n, called, people_n, question.level)
        method = f"called machine, the agent's responses against people's; {outcome.method}"
        yield group.compared, replace(outcome, method=method)


@declare_test(unit="trial", needs="value")
def welch_t_random(question: Question) -> Outcomes:
    """Compare correct and wrong verdicts, as 1 and 0, with equally many random ones."""
    for group in question.iterate_groups():
        identity = f"{question.comparison.id}.{group.agent}.{group.name}"
        names = {f"balanced {identity}": group.sample, f"random vector {identity}": None}
        outcome = compare_drawn_trials(
            question, names, group.agent, means.welch_t, means.compare_shares_by_welch
        )
        yield group.compared, outcome


@declare_test(unit="trial", needs="groups")
def welch_t(question: Question) -> Outcomes:
    """Compare correct and wrong verdicts of two groups, as 1 and 0."""
    yield from compare_means(question, means.welch_t, means.compare_shares_by_welch)


@declare_test(unit="trial", needs="groups")
def anova_one_way(question: Question) -> Outcomes:
    """Compare correct and wrong verdicts of groups, as 1 and 0."""

    def compare(*trials: np.ndarray, level: float) -> Outcome:
        return means.anova_one_way(trials, level)

    yield from compare_means(question, compare, means.compare_shares_by_anova)


def compare_means(
    question: Question, compare: Callable[..., Outcome], compare_shares: Callable
) -> Outcomes:
    """Compare correct and wrong verdicts of groups, as 1 and 0, with a test of means. Yields as a test."""
    for compared, agent in question.iterate_agents():
        identity = question.make_id(compared)
        names = {f"balanced {identity}.{name}": sample for name, sample in question.samples.items()}
        yield compared, compare_drawn_trials(question, names, agent, compare, compare_shares)


def compare_drawn_trials(
    question: Question,
    groups: dict[str, Sample | None],
    agent: str,
    compare: Callable[..., Outcome],
    compare_shares: Callable,
) -> Outcome:
    """Test one random draw of verdicts as 0 and 1, as published, and find the range over `DRAWS` of them.

    `groups` are samples by the name that seeds the draw; None is as many random verdicts as the first has.
    `compare_shares` computes statistic and p from numbers of right verdicts.
    """
    seed, balanced = question.config["seed"], question.procedure.balanced
    drawn, right, sizes = [], [], []
    for name, sample in groups.items():
        once, again = (resampling.make_generator(seed, f"{of}{name}") for of in ("", "range "))
        if sample is None:
            size = sizes[0]
            drawn.append(once.integers(0, 2, size))
            right.append(again.binomial(size, 0.5, DRAWS))
        else:
            (k,), size = draw_right_verdicts(sample, agent, balanced, once, 1)
            drawn.append(np.repeat([True, False], [k, size - k]).astype(float))
            right.append(draw_right_verdicts(sample, agent, balanced, again, DRAWS)[0])
        sizes.append(size)
    outcome = compare(*drawn, level=question.level)
    if balanced:
        outcome = describe_draw(outcome, groups, agent, sizes)
    if not (balanced or None in groups.values()) or not np.isfinite(outcome.p):
        return outcome
    ends = [(1 - question.level) / 2, (1 + question.level) / 2]
    (lowest, p_low), (highest, p_high) = np.nanquantile(
        compare_shares(np.column_stack(right), np.array(sizes)), ends, axis=1
    ).tolist()
    central = f"next to the central {question.level:.0%} of {DRAWS:,} draws"
    return replace(
        outcome,
        statistic_low=lowest,
        statistic_high=highest,
        p_low=p_low,
        p_high=p_high,
        method=f"{outcome.method}; one draw, {central}",
    )


@declare_test(unit="trial", needs="groups")
def anova_two_way(question: Question) -> Outcomes:
    """Compare correct and wrong verdicts on machines, as 1 and 0, by group of judges and by agent."""
    by = question.comparison.by
    names = {"a": by, "b": "agent", "a:b": f"{by} x agent"}
    trials = list_machine_trials(question.samples, question.agents)
    for effect, outcome in means.anova_two_way(*trials, question.level).items():
        part = names[effect].replace(" ", "")
        yield Compared(names[effect], part=part), outcome


@declare_test(unit="trial", needs="groups")
def chi_square(question: Question) -> Outcomes:
    """Compare shares of verdicts: between agents for a single group of judges, else between groups."""
    quantity, agents = question.comparison.quantity, question.agents
    if len(question.samples) == 1:
        (sample,) = question.samples.values()
        counted = [count_rate_verdicts(sample, quantity, agent) for agent in agents]
        k, n = np.array(counted).T
        yield Compared(join_names(agents, VS)), proportions.chi_square(k, n, question.level)
    for compared, agent in question.iterate_agents():
        counted = [
            count_rate_verdicts(sample, quantity, agent) for sample in question.samples.values()
        ]
        k, n = np.array(counted).T
        yield compared, proportions.chi_square(k, n, question.level)


def describe_draw(
    outcome: Outcome, groups: dict[str, Sample | None], agent: str, sizes: list[int]
) -> Outcome:
    """Add the number of trials that a balanced draw left out to the outcome of a test of 0/1 verdicts."""
    left_out = sum(
        int(sample.sum_counts(agent)[:, 1].sum()) - size
        for sample, size in zip(groups.values(), sizes, strict=True)
        if sample is not None
    )
    reason = f"{left_out} trials, to have as many on people's responses as on the agent's"
    method = f"right verdicts as 0 and 1, as many of each kind drawn without replacement; {outcome.method}"
    dropped = "; ".join(filter(None, [reason if left_out else "", outcome.dropped]))
    return replace(outcome, dropped=dropped, method=method)
