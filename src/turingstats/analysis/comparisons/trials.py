"""Declared tests of single verdicts, which treat all trials as independent."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

import numpy as np

from turingstats.analysis.comparisons.registry import Question, declare_test
from turingstats.analysis.comparisons.samples import (
    count_rate_verdicts,
    list_correctness,
    list_machine_trials,
)
from turingstats.config.study.tests import MeansTest
from turingstats.data.counts import Sample
from turingstats.stats import resampling
from turingstats.stats.hypothesis import means, proportions
from turingstats.stats.hypothesis.outcome import Outcome


@declare_test(unit="trial", needs="value")
def binomial(question: Question) -> Iterator[tuple[list[str], str, Outcome]]:
    """Compare a share of verdicts with a fixed value."""
    comparison, alternative = question.comparison, question.procedure.alternative
    for group in question.iterate_groups():
        counted = count_rate_verdicts(group.sample, comparison.quantity, group.agent)
        outcome = proportions.binomial(*counted, comparison.against, alternative, question.level)
        yield group.suffix, group.label, outcome


@declare_test(unit="trial", needs="value")
def two_proportions(question: Question) -> Iterator[tuple[list[str], str, Outcome]]:
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
        yield group.suffix, group.label, replace(outcome, method=method)


@declare_test(unit="trial", needs="value")
def welch_t_random(question: Question) -> Iterator[tuple[list[str], str, Outcome]]:
    """Compare correct and wrong verdicts, as 1 and 0, with equally many random ones."""
    seed = question.config["seed"]
    for group in question.iterate_groups():
        identity = f"{question.comparison.id}.{group.agent}.{group.name}"
        trials = list_correctness(group.sample, group.agent, question.procedure, seed, identity)
        coin = resampling.make_generator(seed, f"random vector {identity}")
        outcome = means.welch_t(trials, coin.integers(0, 2, len(trials)), question.level)
        drawn = describe_draw(outcome, question.procedure, [group.sample], group.agent, [trials])
        yield group.suffix, group.label, drawn


@declare_test(unit="trial", needs="groups")
def welch_t(question: Question) -> Iterator[tuple[list[str], str, Outcome]]:
    """Compare correct and wrong verdicts of two groups, as 1 and 0."""
    yield from compare_means(
        question, lambda trials: means.welch_t(trials[0], trials[1], question.level)
    )


@declare_test(unit="trial", needs="groups")
def anova_one_way(question: Question) -> Iterator[tuple[list[str], str, Outcome]]:
    """Compare correct and wrong verdicts of groups, as 1 and 0."""
    yield from compare_means(question, lambda trials: means.anova_one_way(trials, question.level))


def compare_means(
    question: Question, test_means: Callable[..., Outcome]
) -> Iterator[tuple[list[str], str, Outcome]]:
    """Compare correct and wrong verdicts of groups, as 1 and 0, with a test of means. Yields as a test."""
    procedure, seed = question.procedure, question.config["seed"]
    samples = question.samples
    for suffix, label, agent, identity in question.iterate_agents():
        trials = [
            list_correctness(sample, agent, procedure, seed, f"{identity}.{name}")
            for name, sample in samples.items()
        ]
        outcome = test_means(trials)
        yield suffix, label, describe_draw(outcome, procedure, samples.values(), agent, trials)


@declare_test(unit="trial", needs="groups")
def anova_two_way(question: Question) -> Iterator[tuple[list[str], str, Outcome]]:
    """Compare correct and wrong verdicts on machines, as 1 and 0, by group of judges and by agent."""
    by = question.comparison.by
    names = {"a": by, "b": "agent", "a:b": f"{by} x agent"}
    trials = list_machine_trials(question.samples, question.agents)
    for effect, outcome in means.anova_two_way(*trials, question.level).items():
        yield [names[effect].replace(" ", "")], names[effect], outcome


@declare_test(unit="trial", needs="groups")
def chi_square(question: Question) -> Iterator[tuple[list[str], str, Outcome]]:
    """Compare shares of verdicts: between agents for a single group of judges, else between groups."""
    quantity, agents = question.comparison.quantity, question.agents
    if len(question.samples) == 1:
        (sample,) = question.samples.values()
        counted = [count_rate_verdicts(sample, quantity, agent) for agent in agents]
        k, n = np.array(counted).T
        yield [], " vs ".join(agents), proportions.chi_square(k, n, question.level)
    for suffix, label, agent, _ in question.iterate_agents():
        counted = [
            count_rate_verdicts(sample, quantity, agent) for sample in question.samples.values()
        ]
        k, n = np.array(counted).T
        yield suffix, label, proportions.chi_square(k, n, question.level)


def describe_draw(
    outcome: Outcome,
    procedure: MeansTest,
    samples: Iterable[Sample],
    agent: str,
    trials: list[np.ndarray],
) -> Outcome:
    """Add the number of trials that a balanced draw left out to the outcome of a test of 0/1 verdicts."""
    if not procedure.balanced:
        return outcome
    available = sum(int(sample.sum_counts(agent)[:, 1].sum()) for sample in samples)
    left_out = available - sum(len(part) for part in trials)
    reason = f"{left_out} trials, to have as many on people's responses as on the agent's"
    method = f"right verdicts as 0 and 1, as many of each kind drawn without replacement; {outcome.method}"
    dropped = "; ".join(filter(None, [reason if left_out else "", outcome.dropped]))
    return replace(outcome, dropped=dropped, method=method)
