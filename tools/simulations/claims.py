"""How often a page names a machine, or its headline a gap, when all machines are judged as people are.

Every stimulus, such as an image, has a response of a person and of each machine. On the logit scale, the
probability that a response is judged human is the judge's bias plus an effect of the response, both normal
with the same standard deviation, whoever made it. A judge sees one response to each of some stimuli, by a
person or, as often, by a machine; all are drawn anew in each task.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy.special import expit

from tools.simulations import Case, Row
from turingstats.stats import crossed, equivalence

STUDIES, ALPHA, MARGIN = 500, 0.05, 0.1
PLACES = ("judges", "stimuli", "trials", "machines", "tasks")
DESIGNS = ((30, 60, 20, 3, 1), (65, 100, 24, 5, 1), (140, 200, 20, 8, 1), (65, 100, 24, 4, 6))
"""Judges, stimuli, trials of a judge, and machines of each task; and tasks of the page."""
CASES = [
    Case(
        dict(zip(PLACES, design, strict=True)) | {"spread": spread},
        (9, place, int(10 * spread)),
        (design, spread),
    )
    for place, design in enumerate(DESIGNS)
    for spread in (0.0, 0.6)
]


def simulate_study(
    rng: np.random.Generator, design: tuple[int, int, int, int, int], spread: float
) -> Iterator[Row]:
    """Simulate a page, and yield whether it claims any gap, before and after correction."""
    tasks = [compare_with_people(rng, design, spread).assign(task=n) for n in range(design[-1])]
    table = pd.concat(tasks, ignore_index=True).reindex(columns=equivalence.COLUMNS)
    table = table.assign(cohort="c", against="people", judge_kind="human", margin=MARGIN)
    headlines = [(task, "c") for task in range(design[-1])]
    found = equivalence.correct_conclusions(table, ALPHA, headlines)
    for what, pooled in (("a machine", False), ("a task", True)):
        own = found[(found["agent"] == "all") == pooled]
        yield {
            "named": what,
            "uncorrected": float((own["p_difference"] < ALPHA).any()),
            "corrected": float((own["direction"] != "").any()),
        }


def compare_with_people(
    rng: np.random.Generator, design: tuple[int, int, int, int, int], spread: float
) -> pd.DataFrame:
    """Simulate the verdicts of a task, and compare all machines and each with people."""
    n_judges, n_stimuli, trials, machines, _ = design
    judges = np.repeat(np.arange(n_judges), trials)
    stimuli = rng.random((n_judges, n_stimuli)).argsort(axis=1)[:, :trials].ravel()
    # The maker of a response is a machine, numbered from 1, or a person.
    made = rng.integers(1, machines + 1, len(judges)) * rng.integers(0, 2, len(judges))
    bias, effect = rng.normal(0, spread, n_judges), rng.normal(0, spread, (machines + 1, n_stimuli))
    human = rng.random(len(judges)) < expit(bias[judges] + effect[made, stimuli])
    people = made == 0
    sides = np.column_stack([made > 0, *(made == one for one in range(1, machines + 1))])
    shares = np.array([human[side].mean() for side in sides.T])
    influence = sides * (human[:, None] - shares) / sides.sum(axis=0)
    influence -= (people * (human - human[people].mean()) / people.sum())[:, None]
    shown = sides | people[:, None]
    error = crossed.estimate_crossed_error(influence, judges, stimuli, shown)
    difference = shares - human[people].mean()
    table = pd.DataFrame({"difference": difference, "se": error.se, "df": error.df})
    return table.assign(
        agent=["all", *(f"m{one}" for one in range(machines))],
        ci_low=difference - error.se,
        ci_high=difference + error.se,
        p_difference=equivalence.compute_two_sided_p(difference, error.se, error.df),
        p_equivalence=equivalence.tost(difference, error.se, MARGIN, error.df),
    )
