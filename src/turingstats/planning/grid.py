"""Power of every design of a plan, the cheapest that has it, and what would have it if none does."""

import itertools
from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtri

from turingstats.planning.assumptions import Assumptions
from turingstats.stats.intervals import wilson
from turingstats.stats.power import simulation
from turingstats.stats.power.draws import Design
from turingstats.stats.power.simulation import QUESTIONS, find_needed_variance
from turingstats.stats.resampling import make_generator

PRICED = ["judges", "trials", "stimuli", "verdicts", "cost"]
KEPT = [*PRICED, "power", "power_low", "power_high", "simulations"]
MAX_SIMULATED_JUDGES = 3000
"""Judges up to which a design beyond the grid is simulated to see whether it has the power."""
LABELS = {
    "people": "{agent} differs from people",
    "chance": "{agent} differs from one half",
    "agents": "{agent} differs from {other}",
    "same_as_people": "{agent} is within {margin:g} of people",
    "width": "Interval of detectability up to {width:g} wide",
    "d_prime": "{agent} has a d' other than 0",
    "d_prime_width": "Interval of d' up to {d_prime_width:g} wide",
}
"""Questions in words, as headings."""
RATING_LABELS = {
    "people": "{agent} is rated differently from people",
    "agents": "{agent} is rated differently from {other}",
}


def describe_question(question: str, assumed: Assumptions) -> str:
    """Describe a question in words, as a heading."""
    label = (RATING_LABELS if assumed.plan.ratings else LABELS)[question]
    _, agent, other = assumed.names
    agent = agent[:1].upper() + agent[1:]
    return label.format(agent=agent, other=other, **assumed.goals._asdict())


def expect_difference(question: str, assumed: Assumptions) -> float:
    """Return the difference that is expected: of shares judged human, mean ratings from 0 to 1, or d' from 0;
    0 for tests of equivalence.
    """
    people, agent, other = assumed.means
    return {
        "people": agent - people,
        "chance": agent - 0.5,
        "agents": agent - other,
        "d_prime": float(ndtri(people) - ndtri(agent)),
    }.get(question, 0.0)


def simulate(
    assumed: Assumptions,
    judges: float,
    trials: int,
    questions: tuple[str, ...],
    studies: int,
    stream: str,
) -> list[dict[str, Any]]:
    """Simulate a design with the random numbers of a stream: one row per question, with Wilson intervals."""
    plan, goals = assumed.plan, assumed.goals
    each = (1 - plan.people_share) / assumed.agents
    shares = (plan.people_share, each, each if "agents" in assumed.questions else 0.0)
    design = Design(int(judges), int(trials), assumed.stimuli, shares, plan.unsure)
    rng = make_generator(assumed.seed, f"{stream}.{design.judges}.{design.trials}")
    truth = assumed.rates, assumed.spreads
    tallies = simulation.simulate_design(
        design, *truth, goals, questions, studies, rng, assumed.spread_errors
    )
    verdicts = design.judges * design.trials
    cost = design.judges * plan.cost_per_judge + verdicts * plan.cost_per_trial
    stimuli = assumed.stimuli or verdicts
    priced = (design.judges, design.trials, stimuli, verdicts, cost)
    rows = []
    for question, tally in tallies.items():
        low, high = wilson(tally.successes, tally.studies)
        se = np.sqrt(tally.variance)
        rows.append(
            {
                "question": question,
                "question_label": describe_question(question, assumed),
                "goal": QUESTIONS[question].goal,
                **dict(zip(PRICED, priced, strict=True)),
                "power": tally.successes / tally.studies,
                "power_low": float(low),
                "power_high": float(high),
                "simulations": tally.studies,
                "alpha": goals.alpha,
                "se": se,
                "se_floor": np.sqrt(tally.floor),
                "detectable": se * (ndtri(1 - goals.alpha / 2) + ndtri(plan.power)),
                "mean_width": tally.width,
                "target": plan.power,
            }
        )
    return rows


def simulate_grid(assumed: Assumptions) -> pd.DataFrame:
    """Simulate every design of a plan: one row per question, number of judges and trials per judge."""
    studies = assumed.plan.simulations
    designs = itertools.product(assumed.plan.judges, assumed.trials)
    rows = [simulate(assumed, *each, assumed.questions, studies, "plan") for each in designs]
    table = pd.DataFrame(itertools.chain(*rows))
    order = table["question"].map(assumed.questions.index).sort_values(kind="stable")
    table = table.loc[order.index]
    return table.assign(reaches=table["power"] >= assumed.plan.power).reset_index(drop=True)


def find_cheapest(table: pd.DataFrame, assumed: Assumptions) -> pd.DataFrame:
    """Find the cheapest design for each question, or the judges and stimuli that would answer it."""
    # Of many designs, some reach the power in the simulation by luck. A design is therefore simulated
    # again, twice as often, before it is called the cheapest; if it then fails, the next one is tried.
    rows = []
    for question, designs in table.groupby("question", sort=False):
        row = {
            "question": question,
            "question_label": designs["question_label"].iloc[0],
            "difference": expect_difference(question, assumed),
            "found": False,
        }
        for design in designs[designs["reaches"]].sort_values(["cost", "judges"]).itertuples():
            studies, stream = 2 * assumed.plan.simulations, f"plan again.{question}"
            (again,) = simulate(assumed, design.judges, design.trials, (question,), studies, stream)
            if again["power"] >= assumed.plan.power:
                row |= {"found": True} | {name: again[name] for name in KEPT}
                break
        else:
            row |= look_beyond(designs.iloc[-1], assumed)
        rows.append(row)
    columns = [*rows[0], *KEPT, "needed_judges", "needed_stimuli"]
    frame = pd.DataFrame(rows).reindex(columns=list(dict.fromkeys(columns)))
    return frame.assign(target=assumed.plan.power)


def look_beyond(largest: pd.Series, assumed: Assumptions) -> dict[str, Any]:
    """Look for what would have the power if the largest design has not.

    The floor of the variance falls with the number of stimuli, the rest with that of judges; what a question
    needs follows from the normal distribution. Designs that are not too large are then simulated, from this
    number of judges on, until one has the power.
    """
    question, trials, plan = largest["question"], largest["trials"], assumed.plan
    difference = expect_difference(question, assumed)
    needed = find_needed_variance(QUESTIONS[question], difference, assumed.goals, plan.power)
    whole, floor = largest["se"] ** 2, largest["se_floor"] ** 2
    judges = divide_up(largest["judges"] * (whole - floor), needed - floor)
    stimuli = np.nan
    if assumed.stimuli is not None and np.isinf(judges):
        stimuli = divide_up(assumed.stimuli * floor, needed - (whole - floor))
    while judges <= MAX_SIMULATED_JUDGES:
        stream = f"plan again.{question}"
        (again,) = simulate(assumed, judges, trials, (question,), plan.simulations, stream)
        if again["power"] >= plan.power:
            break
        judges = divide_up(1.05 * judges, 1)
    row = largest[["trials", "stimuli"]].to_dict()
    return row | {"needed_judges": judges, "needed_stimuli": stimuli}


def divide_up(number: float, share: float) -> float:
    """Divide, and round up to two digits; infinite if the share is not above 0."""
    if not share > 0:
        return np.inf
    needed = number / share
    digit = 10.0 ** max(np.floor(np.log10(needed)) - 1, 0)
    return float(np.ceil(needed / digit) * digit)


def mark_cheapest(power: pd.DataFrame, designs: pd.DataFrame) -> pd.DataFrame:
    """Mark the cheapest design of each question in the table of all designs."""
    keys = ["question", "judges", "trials"]
    chosen = designs.loc[designs["found"], keys].astype({"judges": int, "trials": int})
    marked = power.merge(chosen, how="left", on=keys, indicator="cheapest")
    return marked.assign(cheapest=marked["cheapest"] == "both")
