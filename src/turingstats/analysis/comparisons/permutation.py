"""Declared permutation tests: group labels are shuffled over judges, or over single trials."""

from collections.abc import Iterator

import numpy as np

from turingstats.analysis.comparisons.registry import Question, declare_test
from turingstats.analysis.settings import AnalysisSettings
from turingstats.config.study import Comparison
from turingstats.core.quantity_names import resolve_quantity
from turingstats.data.counts import Sample
from turingstats.stats import resampling
from turingstats.stats.hypothesis.outcome import NAN, Outcome, format_sizes, make_undefined_outcome
from turingstats.stats.quantities import QUANTITIES, differentiate_quantity, rate

BIAS = ", less the mean excess of their variances over the observed one"


@declare_test(unit="judge", needs="groups", paired="permutation")
def permutation(question: Question) -> Iterator[tuple[list[str], str, Outcome]]:
    """Compare a quantity between groups of judges, with labels shuffled over judges.

    If the same people are in all groups, labels are shuffled within each person, and bootstraps draw
    people with their verdicts in all groups.

    All agents share the same permutations. The recommended reading divides differences by their errors over
    judges (`turingstats.stats.resampling.permutation_test`), so that groups may differ in these and in
    trials per judge. A group that saw no response of people, or none of an agent, has no detectability and
    is left out. For two groups the effect is the difference of their quantities, with a percentile interval
    from a bootstrap of the judges of each group; for more groups it is the weighted standard deviation
    between groups.
    """
    comparison, samples, config = question.comparison, question.samples, question.config
    paired = question.paired
    if len(samples) < 2:
        return
    agents = question.agents
    meant = [resolve_quantity(comparison.quantity, agent) for agent in agents]
    value = [QUANTITIES[quantity].value for quantity in meant]
    defined = {
        name: all(
            np.isfinite(of(*sample.stack_counts(agent).sum(axis=0)))
            for of, agent in zip(value, agents, strict=True)
        )
        for name, sample in samples.items()
    }
    dropped = ", ".join(name for name, enough in defined.items() if not enough)
    dropped = f"no {comparison.quantity}, left out: {dropped}" if dropped else ""
    samples = {name: sample for name, sample in samples.items() if defined[name]}
    if len(samples) < 2:
        names = ("difference", f"difference of {comparison.quantity}")
        n = sum(len(sample.judges) for sample in samples.values())
        outcome = make_undefined_outcome(
            f"{dropped}; not computed: fewer than two groups", *names, n
        )
        for agent in agents:
            yield question.make_id_suffix(agent), " vs ".join(defined), outcome
        return
    parts = [np.stack([s.stack_counts(a) for a in agents], axis=1) for s in samples.values()]
    sizes = np.array([len(part) for part in parts])
    labels = np.repeat(np.arange(len(parts)), sizes)

    def values_of(totals: np.ndarray) -> np.ndarray:
        """Compute one value per agent (..., agents) from totals (..., agents, 4)."""
        values = [of(*np.moveaxis(totals[..., i, :], -1, 0)) for i, of in enumerate(value)]
        return np.stack(values, axis=-1)

    def slopes_of(totals: np.ndarray) -> np.ndarray:
        """Compute derivatives of each agent's value by its totals, (..., agents, 4)."""
        slopes = [
            differentiate_quantity(quantity, totals[..., i, :]) for i, quantity in enumerate(meant)
        ]
        return np.stack(slopes, axis=-2)

    draws = config["n_permutation"]
    rng = resampling.make_generator(config["seed"], f"permutation {comparison.id}")
    two = len(parts) == 2
    # For more than two values per person, there is no joint error of all differences.
    studentized = question.reading == "recommended" and (two or not paired)
    divided = slopes_of if studentized else None
    if not paired:
        tested = resampling.permutation_test(
            np.concatenate(parts), labels, values_of, draws, rng, divided
        )
    else:
        together = np.stack(parts, axis=1)
        tested = resampling.paired_permutation_test(together, values_of, draws, rng, divided)
    statistic, p = (np.asarray(part) for part in tested)
    observed = resampling.measure_group_difference(
        np.stack([values_of(part.sum(axis=0)) for part in parts])[None], sizes
    )[0]
    drawn = [
        values_of(totals).T
        for totals in resample_groups(comparison, samples, parts, config, paired)
    ]
    between = resampling.measure_group_difference(np.stack(drawn, axis=2).transpose(1, 2, 0), sizes)
    effects = resampling.convert_to_effect(between, observed, len(parts))
    _, low, high = resampling.summarize_draws(effects.T, config["confidence"])
    plain, over_error = ("difference", "t") if two else ("variance between groups", "Wald")
    how = ", each difference over its error over judges" if studentized else ""
    over = "within people who are in all groups" if paired else "over judges"
    of = "people with all their verdicts" if paired else "judges of each group"
    for i, agent in enumerate(agents):
        outcome = Outcome(
            statistic_name=over_error if studentized else plain,
            statistic=float(statistic[i]),
            df="",
            p=float(p[i]),
            effect_name="difference" if two else "standard deviation between groups",
            effect=float(observed[i] if two else np.sqrt(observed[i])),
            ci_low=float(low[i]),
            ci_high=float(high[i]),
            n1=int(sizes[0]) if two else int(sizes.sum()),
            n2=int(sizes[1]) if two else NAN,
            dropped=dropped,
            method=f"{comparison.quantity}: labels permuted {over}{how}, {draws} draws, two-sided, "
            f"p = (b+1)/(B+1); percentile interval from {config['n_bootstrap']} bootstraps of the "
            f"{of}" + ("" if two else BIAS),
            n_per_group=format_sizes(sizes),
        )
        yield question.make_id_suffix(agent), " vs ".join(samples), outcome


def resample_groups(
    comparison: Comparison,
    samples: dict[str, Sample],
    parts: list[np.ndarray],
    config: AnalysisSettings,
    paired: bool,
) -> list[np.ndarray]:
    """Draw bootstrap totals of each group; if `paired`, of the same people in all groups."""

    def draw(counts: np.ndarray, name: str) -> np.ndarray:
        rng = resampling.make_generator(config["seed"], f"bootstrap {name}")
        flat = counts.reshape(len(counts), -1)
        totals = resampling.bootstrap_totals(flat, config["n_bootstrap"], rng)
        return totals.reshape(len(totals), *counts.shape[1:])

    if paired:
        return np.split(draw(np.concatenate(parts, axis=1), comparison.id), len(parts), axis=1)
    return [
        draw(part, f"{comparison.id}.{name}") for name, part in zip(samples, parts, strict=True)
    ]


@declare_test(unit="trial", needs="groups")
def permutation_trials(question: Question) -> Iterator[tuple[list[str], str, Outcome]]:
    """Compare a quantity between groups, with labels shuffled over single trials."""
    for suffix, label, agent, identity in question.iterate_agents():
        outcome = permute_trials(
            question.comparison, question.samples, agent, identity, question.config
        )
        yield suffix, label, outcome


def permute_trials(
    comparison: Comparison,
    samples: dict[str, Sample],
    agent: str,
    identity: str,
    config: AnalysisSettings,
) -> Outcome:
    """Permute group labels over single trials, as if the trials of a judge were independent.

    Trials on people's and on the agent's responses are permuted separately. The percentile interval is
    from binomial draws of the trials of each group.
    """
    value = QUANTITIES[resolve_quantity(comparison.quantity, agent)].value
    four = np.array([sample.stack_counts(agent).sum(axis=0) for sample in samples.values()])
    # A comparison of people's responses has no agent side.
    sizes = four[:, [1] if agent == "human" else [1, 3]].sum(axis=1)
    draws = config["n_permutation"]
    rng = resampling.make_generator(config["seed"], f"permutation of trials {identity}")

    def statistic(right: np.ndarray) -> np.ndarray:
        """Compute the statistic from correct verdicts on both sides, shape (draws, groups, 2)."""
        rates = value(right[..., 0], four[:, 1], right[..., 1], four[:, 3])
        return resampling.measure_group_difference(rates, sizes)

    observed = statistic(four[None, :, ::2])[0]
    shuffled = [resampling.permute_trials(four[:, i], four[:, i + 1], draws, rng) for i in (0, 2)]
    far = np.abs(statistic(np.stack(shuffled, axis=-1))) >= np.abs(observed) - 1e-12
    p = (far.sum() + 1) / (draws + 1) if np.isfinite(observed) else np.nan
    rates = np.stack([rate(four[:, i], four[:, i + 1]) for i in (0, 2)], axis=-1)
    drawn = rng.binomial(four[:, 1::2], np.nan_to_num(rates), (config["n_bootstrap"], *rates.shape))
    two = len(four) == 2
    effects = resampling.convert_to_effect(statistic(drawn), observed, len(four))
    _, low, high = resampling.summarize_draws(effects, config["confidence"])
    return Outcome(
        statistic_name="difference" if two else "variance between groups",
        statistic=float(observed),
        df="",
        p=float(p),
        effect_name="risk difference" if two else "standard deviation between groups",
        effect=float(observed if two else np.sqrt(observed)),
        ci_low=float(low),
        ci_high=float(high),
        n1=int(sizes[0]) if two else int(sizes.sum()),
        n2=int(sizes[1]) if two else NAN,
        dropped="",
        method=f"{comparison.quantity}: labels permuted over trials of people and of the agent separately, "
        f"{draws} draws, two-sided, p = (b+1)/(B+1); percentile interval from {config['n_bootstrap']} "
        "binomial draws" + ("" if two else BIAS),
        n_per_group=format_sizes(sizes),
    )
