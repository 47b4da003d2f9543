"""Declared tests whose unit is no judge: correlations over agents, and agreement about stimuli."""

from collections.abc import Callable

import numpy as np
import pandas as pd

from turingstats.analysis.comparisons.registry import Compared, Outcomes, Question, declare_test
from turingstats.stats import agreement, resampling
from turingstats.stats.hypothesis import correlation
from turingstats.stats.hypothesis.outcome import Outcome
from turingstats.stats.quantities import rate


@declare_test(unit="agent", needs="scores")
def pearson(question: Question) -> Outcomes:
    """Compute the Pearson correlation over agents."""
    yield from correlate_scores(question, correlation.pearson)


@declare_test(unit="agent", needs="scores")
def spearman(question: Question) -> Outcomes:
    """Compute the rank correlation over agents."""
    yield from correlate_scores(question, correlation.spearman)


def correlate_scores(question: Question, correlate: Callable[..., Outcome]) -> Outcomes:
    """Correlate agents' detectability with a score from the literature; the cohorts are pooled.

    Yields as a test. The published reading rounds rates to two decimals before computing detectability,
    and compares every agent with all people.
    """
    comparison, samples = question.comparison, question.samples.values()
    benchmarks = question.benchmarks
    if benchmarks is None:
        return
    digits = 2 if question.reading == "published" else 16

    def share(agent: str) -> float:
        four = sum(s.stack_counts(agent).sum(axis=0) for s in samples if agent in s.agents)
        return float(np.round(rate(*(four[2:] if np.ndim(four) else (0, 0))), digits))

    scores = benchmarks[benchmarks["measure"] == comparison.score].set_index("agent")["value"]
    agents = [agent for agent in comparison.agents if agent in scores.index]
    values = {
        "p_HH": [share("human") for _ in agents],
        "p_MM": [share(agent) for agent in agents],
        "detectability": [np.mean([share("human"), share(agent)]) for agent in agents],
    }[comparison.quantity]
    label = f"{comparison.quantity} with {comparison.score} over {', '.join(agents)}"
    yield Compared(label), correlate(scores.reindex(agents), values, question.level)


@declare_test(unit="stimulus", needs="responses")
def fleiss_kappa(question: Question) -> Outcomes:
    """Measure the agreement of people who gave responses to the same stimuli."""
    comparison, responses, config = question.comparison, question.responses, question.config
    if responses is None:
        return
    answers = responses[(responses["task"] == comparison.task) & (responses["agent"] == "human")]
    table = pd.crosstab(answers["stimulus"].astype(str), answers["response"].astype(str)).to_numpy()
    rng = resampling.make_generator(config["seed"], f"bootstrap {comparison.id}")
    outcome = agreement.fleiss_kappa(table, rng, config["n_bootstrap"], question.level)
    yield Compared("people's responses"), outcome
