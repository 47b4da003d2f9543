"""How often a page names a machine, or its answers a gap, when all machines are judged as people are.

Each response has an effect on the logit scale, half of its variance that of the stimulus. All makers
respond to the *same* stimuli, of which a judge sees one response each, by a person or, as often, by a
machine; or each machine has its *own* stimuli. Judges differ in bias and in how well they tell machines from
people, on average not at all. All effects are normal with the same standard deviation (spread), and all are
drawn anew in each task.
"""

from collections.abc import Iterator

import numpy as np
import pandas as pd
from scipy.special import expit

from tools.simulations import Row
from tools.simulations.judges import draw_seen
from turingstats.stats import crossed, equivalence
from turingstats.stats.multiplicity import adjust_p_values

ALPHA, SPREAD, MACHINES, TASKS = 0.05, 0.6, 5, 6


def simulate_study(rng: np.random.Generator, case: Row) -> Iterator[Row]:
    """Simulate a page, and yield whether it claims a gap: of its first task, and of all."""
    page = pd.concat(
        [compare_with_people(rng, case).assign(task=str(n)) for n in range(TASKS)],
        ignore_index=True,
    ).assign(cohort="c", judge_kind="human", against="people")
    headlines = {"by_task": [], "by_page": [(str(task), "c") for task in range(TASKS)]}
    p = {"uncorrected": page["p"]}
    for what, answers in headlines.items():
        families = equivalence.name_families(page, answers)
        p[what] = page["p"].groupby(families).transform(lambda one: adjust_p_values(one, "holm"))
    pooled = page["agent"] == "all"
    # Of a single task, both are the same.
    for tasks, kept in ((1, ["uncorrected", "by_task"]), (TASKS, [*p])):
        for what, of in (("a machine", ~pooled), ("all of a task", pooled), ("either", True)):
            rows = (page["task"].astype(int) < tasks) & of
            claimed = {name: float((p[name][rows] < ALPHA).any()) for name in kept}
            yield {"tasks": str(tasks), "claimed_of": what, **claimed, "by_page": claimed[kept[-1]]}


def compare_with_people(rng: np.random.Generator, case: Row) -> pd.DataFrame:
    """Simulate the verdicts of a task, and compare all machines and each with people."""
    judges, stimuli = draw_seen(rng, case["judges"], case["stimuli"], case["trials"])
    # The maker of a response is a machine, numbered from 1, or a person.
    counted = (
        stimuli if case["stimuli_are"] == "own" else rng.integers(0, 2 * MACHINES, len(judges))
    )
    made = np.where(counted % 2, 1 + counted // 2 % MACHINES, 0)
    effect = rng.normal(0, SPREAD * np.sqrt(0.5), (MACHINES + 2, case["stimuli"]))
    bias, sensitivity = rng.normal(0, SPREAD, (2, case["judges"]))[:, judges]
    logits = bias + np.where(made > 0, -sensitivity, sensitivity)
    human = rng.random(len(judges)) < expit(logits + effect[made, stimuli] + effect[-1, stimuli])
    machines = np.column_stack([made > 0, *(made == one for one in range(1, MACHINES + 1))])
    # The sides of each comparison: machines, and people.
    sides = np.stack([machines, np.broadcast_to(made[:, None] == 0, machines.shape)], axis=1)
    shares = (sides * human[:, None, None]).sum(axis=0) / sides.sum(axis=0)
    influence = sides * (human[:, None, None] - shares) / sides.sum(axis=0)
    influence[:, 1] *= -1
    error = crossed.estimate_crossed_error(influence, judges, stimuli, sides)
    p = crossed.compute_two_sided_p(shares[0] - shares[1], error.se, error.df)
    return pd.DataFrame({"agent": ["all", *(f"m{one}" for one in range(MACHINES))], "p": p})
