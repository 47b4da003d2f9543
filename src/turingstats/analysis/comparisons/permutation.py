"""Declared permutation tests: group labels are shuffled over judges, or over single trials."""

import functools
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from turingstats.analysis.comparisons.registry import Compared, Outcomes, Question, declare_test
from turingstats.core.names import VS, join_names
from turingstats.core.quantity_names import resolve_quantity
from turingstats.stats import resampling
from turingstats.stats.hypothesis.outcome import NAN, Outcome, make_undefined_outcome
from turingstats.stats.quantities import QUANTITIES, rate

MOST_DRAWS = 100_000
"""Permutations of a test whose p lies close to a limit, at most."""
BIAS = ", less the mean excess of their variances over the observed one"


def draw_until_decided(
    test: Callable[[int], tuple[np.ndarray, np.ndarray]], question: Question
) -> tuple[np.ndarray, np.ndarray, int]:
    """Permute until p tells on which side of the level it lies, whatever the family makes of it.

    `test` makes a number of permutations, and returns the statistics and their p. Permutations are doubled,
    from those of the configuration up to `MOST_DRAWS`, while the interval of some p holds the level divided
    by 1, 2, ... or the size of its family, which are the limits of Bonferroni's and Holm's corrections.
    Return statistics, p and the number of permutations.
    """
    bounds = (1 - question.level) / np.arange(1, question.family_size + 1)
    draws = question.config["n_permutation"]
    observed, p = test(draws)
    far = p * (draws + 1) - 1
    while draws < MOST_DRAWS and resampling.is_undecided(far, draws, bounds):
        more = min(draws, MOST_DRAWS - draws)
        far = far + test(more)[1] * (more + 1) - 1
        draws += more
    return observed, (far + 1) / (draws + 1), draws


@declare_test(unit="judge", needs="groups")
def permutation(question: Question) -> Outcomes:
    """Compare a quantity between groups of judges, with labels shuffled over judges.

    All agents share the same permutations. The recommended reading divides differences by their errors over
    judges (`turingstats.stats.resampling.permutation_test`), so that groups may differ in these and in
    trials per judge. A group that saw no response of people, or none of an agent, has no detectability and
    is left out. For two groups the effect is the difference of their quantities, with a percentile interval
    from a bootstrap of the judges of each group; for more groups it is the weighted standard deviation
    between groups.
    """
    comparison, agents = question.comparison, question.agents
    if len(question.samples) < 2:
        return
    quantities = [resolve_quantity(comparison.quantity, agent) for agent in agents]
    values_of = functools.partial(compute_values, quantities)
    parts, dropped = select_defined_groups(question, values_of)
    if len(parts) < 2:
        outcome = make_undefined_outcome(
            f"{dropped}; not computed: fewer than two groups",
            "difference",
            f"difference of {comparison.quantity}",
            sum(map(len, parts.values())),
        )
        for agent in agents:
            yield Compared(question.label, agent), outcome
        return
    sizes = np.array([len(part) for part in parts.values()])
    rng = resampling.make_generator(question.config["seed"], f"permutation {comparison.id}")
    studentized = question.reading == "recommended"
    divided = functools.partial(compute_slopes, quantities) if studentized else None
    pooled, labels = np.concatenate(list(parts.values())), np.repeat(range(len(parts)), sizes)
    *tested, draws = draw_until_decided(
        lambda size: resampling.permutation_test(pooled, labels, values_of, size, rng, divided),
        question,
    )
    names = ("difference", "t") if len(parts) == 2 else ("variance between groups", "Wald")
    how = ", each difference over its error over judges" if studentized else ""
    method = (
        f"{comparison.quantity}: labels permuted over judges{how}, {draws} draws, two-sided, "
        f"p = (b+1)/(B+1); percentile interval from {question.n_bootstrap} bootstraps of the judges of each "
        "group"
    )
    estimated = estimate_difference(question, parts, values_of)
    for i, agent in enumerate(agents):
        numbers = (part[i] for part in (*tested, *estimated))
        outcome = describe_permutation(names[studentized], numbers, sizes, method)
        yield Compared(join_names(parts, VS), agent), replace(outcome, dropped=dropped)


def select_defined_groups(
    question: Question, values_of: Callable[..., np.ndarray]
) -> tuple[dict[str, np.ndarray], str]:
    """Select the counts of the groups that have the quantity of every agent, and name the others."""
    parts = {}
    for name, sample in question.samples.items():
        counts = np.stack([sample.stack_counts(agent) for agent in question.agents], axis=-1)
        if np.isfinite(values_of(*counts.sum(axis=0))).all():
            parts[name] = counts
    left_out = ", ".join(name for name in question.samples if name not in parts)
    dropped = f"no {question.comparison.quantity}, left out: {left_out}" if left_out else ""
    return parts, dropped


def compute_values(quantities: Sequence[str], *four: np.ndarray) -> np.ndarray:
    """Compute one value per agent (agents, ...) from four counts (agents, ...)."""
    return np.stack(
        [
            QUANTITIES[quantity].value(*counts)
            for quantity, *counts in zip(quantities, *four, strict=True)
        ]
    )


def compute_slopes(quantities: Sequence[str], *four: np.ndarray) -> np.ndarray:
    """Compute derivatives of each agent's value by its counts, (4, agents, ...)."""
    slopes = [
        np.broadcast_arrays(*QUANTITIES[quantity].derivatives(*counts))
        for quantity, *counts in zip(quantities, *four, strict=True)
    ]
    return np.stack(slopes, axis=1)


def estimate_difference(
    question: Question,
    parts: Mapping[str, np.ndarray],
    values_of: Callable[..., np.ndarray],
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Estimate the difference of the groups, with limits from a bootstrap of the judges of each; by agent."""
    sizes = np.array([len(part) for part in parts.values()])
    totals = np.stack([part.sum(axis=0) for part in parts.values()], axis=-1)
    observed = resampling.measure_group_difference(values_of(*totals)[..., None], sizes)[..., 0]
    drawn = []
    for name, part in parts.items():
        analysis = f"bootstrap {question.comparison.id}.{name}"
        rng = resampling.make_generator(question.config["seed"], analysis)
        totals = resampling.bootstrap_totals(part.reshape(len(part), -1), question.n_bootstrap, rng)
        drawn.append(values_of(*totals.T.reshape(*part.shape[1:], -1)))
    between = resampling.measure_group_difference(np.stack(drawn, axis=1), sizes)
    effects = resampling.convert_to_effect(between, observed, len(parts))
    _, low, high = resampling.summarize_draws(effects, question.config["confidence"])
    return observed, low, high


def describe_permutation(
    statistic_name: str, numbers: Iterable[Any], sizes: np.ndarray, method: str
) -> Outcome:
    """Describe a permutation test, from statistic, p, difference of the groups and limits.

    The effect of more than two groups is the spread between them.
    """
    statistic, p, observed, low, high = map(float, numbers)
    two = len(sizes) == 2
    name = "difference" if two else "standard deviation between groups"
    n1, n2 = sizes.tolist() if two else (int(sizes.sum()), NAN)
    method += "" if two else BIAS
    blank = make_undefined_outcome("", statistic_name, name, n1, n2, method)
    effect = observed if two else np.sqrt(observed)
    return blank.report(statistic, p, (effect, low, high), sizes=sizes)


@declare_test(unit="trial", needs="groups")
def permutation_trials(question: Question) -> Outcomes:
    """Compare a quantity between groups, with labels shuffled over single trials."""
    for compared, agent in question.iterate_agents():
        yield compared, permute_trials(question, agent, question.make_id(compared))


def permute_trials(question: Question, agent: str, identity: str) -> Outcome:
    """Permute group labels over single trials, as if the trials of a judge were independent.

    Trials on people's and on the agent's responses are permuted separately. The percentile interval is
    from binomial draws of the trials of each group.
    """
    comparison, config, samples = question.comparison, question.config, question.samples.values()
    value = QUANTITIES[resolve_quantity(comparison.quantity, agent)].value
    four = np.array([sample.stack_counts(agent).sum(axis=0) for sample in samples])
    # A comparison of people's responses has no agent side.
    sizes = four[:, [1] if agent == "human" else [1, 3]].sum(axis=1)
    rng = resampling.make_generator(config["seed"], f"permutation of trials {identity}")

    def statistic(right: np.ndarray) -> np.ndarray:
        """Compute the statistic from correct verdicts on both sides, shape (2, groups, draws)."""
        rates = value(right[0], four[:, [1]], right[1], four[:, [3]])
        return resampling.measure_group_difference(rates, sizes)

    observed = statistic(four.T[::2, :, None])[0]

    def test(size: int) -> tuple[np.ndarray, np.ndarray]:
        """Permute labels so many times: the statistic, and p."""
        shuffled = [
            resampling.permute_trials(four[:, i], four[:, i + 1], size, rng) for i in (0, 2)
        ]
        far = np.abs(statistic(np.stack(shuffled))) >= np.abs(observed) - 1e-12
        p = (far.sum() + 1) / (size + 1) if np.isfinite(observed) else np.nan
        return observed, np.asarray(p)

    _, p, draws = draw_until_decided(test, question)
    rates = np.stack([rate(four[:, i], four[:, i + 1]) for i in (0, 2)], axis=-1)
    drawn = rng.binomial(four[:, 1::2], np.nan_to_num(rates), (question.n_bootstrap, *rates.shape))
    two = len(four) == 2
    effects = resampling.convert_to_effect(statistic(drawn.T), observed, len(four))
    _, low, high = resampling.summarize_draws(effects, config["confidence"])
    method = (
        f"{comparison.quantity}: labels permuted over trials of people and of the agent separately, "
        f"{draws} draws, two-sided, p = (b+1)/(B+1); percentile interval from {config['n_bootstrap']} "
        "binomial draws"
    )
    name = "difference" if two else "variance between groups"
    outcome = describe_permutation(name, (observed, p, observed, low, high), sizes, method)
    return replace(outcome, effect_name="risk difference") if two else outcome
