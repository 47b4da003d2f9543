"""Declared tests of people's responses to the same stimuli."""

import pandas as pd

from turingstats.analysis.comparisons.registry import Outcomes, Question, declare_test
from turingstats.stats import agreement, resampling


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
    yield [], "people's responses", outcome
