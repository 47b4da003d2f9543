"""Power of every design of a plan, the cheapest that has it, and what would have it if none does."""

from typing import Any

import numpy as np
import pandas as pd
from scipy.special import ndtri

from turingstats.config.planning import Plan
from turingstats.planning.assumptions import Assumptions
from turingstats.stats.intervals import wilson
from turingstats.stats.power import simulation
from turingstats.stats.power.draws import Design
from turingstats.stats.power.simulation import QUESTIONS, Goals, Tally, find_needed_variance
from turingstats.stats.resampling import make_generator

PRICED = ["judges", "trials", "stimuli", "verdicts", "cost"]
MAX_SIMULATED_JUDGES = 3000
"""Judges up to which a design beyond the grid is simulated to see whether it has the power."""


def set_goals(plan: Plan, options: dict[str, Any]) -> Goals:
    """Set what counts as a success; options are confidence, margin and seed."""
    alpha = round((1 - options["confidence"]) / plan.tests, 12)
    return Goals(alpha, options["confidence"], options["margin"], plan.width, plan.d_prime_width)


def make_design(
    plan: Plan, assumed: Assumptions, judges: int, trials: int, stimuli: int | None = None
) -> Design:
    """Make one design of a plan; `stimuli` other than those assumed can be given."""
    each = (1 - plan.people_share) / assumed.agents
    asked = "agents" in assumed.questions
    shares = (plan.people_share, each, each if asked else 0.0)
    stimuli = None if assumed.stimuli is None else stimuli or assumed.stimuli
    return Design(int(judges), int(trials), stimuli, shares, plan.unsure)


def describe_question(question: str, plan: Plan, assumed: Assumptions, goals: Goals) -> str:
    """Describe a question in words, as a heading."""
    _, agent, other = assumed.names
    agent = agent[:1].upper() + agent[1:]
    if assumed.rated:
        return f"{agent} is rated differently from {other if question == 'agents' else 'people'}"
    return {
        "people": f"{agent} differs from people",
        "chance": f"{agent} differs from one half",
        "agents": f"{agent} differs from {other}",
        "same_as_people": f"{agent} is within {goals.margin:g} of people",
        "same_as_chance": f"{agent} is within {goals.margin:g} of one half",
        "width": f"Interval of detectability up to {plan.width:g} wide",
        "d_prime": f"{agent} has a d' other than 0",
        "d_prime_width": f"Interval of d' up to {plan.d_prime_width:g} wide",
    }[question]


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


def simulate_grid(plan: Plan, assumed: Assumptions, options: dict[str, Any]) -> pd.DataFrame:
    """Simulate every design of a plan: one row per question, number of judges and trials per judge."""
    goals, rows = set_goals(plan, options), []
    for judges in plan.judges:
        for trials in assumed.trials:
            rng = make_generator(options["seed"], f"plan.{judges}.{trials}")
            design = make_design(plan, assumed, judges, trials)
            tallies = simulation.simulate_design(
                design,
                assumed.rates,
                assumed.spreads,
                goals,
                assumed.questions,
                plan.simulations,
                rng,
                assumed.spread_errors,
            )
            priced = price_design(plan, design)
            for question, tally in tallies.items():
                rows.append(
                    {"question": question}
                    | {"question_label": describe_question(question, plan, assumed, goals)}
                    | {"goal": QUESTIONS[question].goal}
                    | priced
                    | summarize_tally(tally, plan, goals)
                )
    table = pd.DataFrame(rows)
    order = {question: position for position, question in enumerate(assumed.questions)}
    table = table.sort_values("question", key=lambda names: names.map(order), kind="stable")
    return table.reset_index(drop=True).assign(
        target=plan.power, reaches=lambda rows: rows["power"] >= plan.power
    )


def price_design(plan: Plan, design: Design) -> dict[str, Any]:
    """List what a design consists of and costs."""
    verdicts = design.judges * design.trials
    stimuli = verdicts if design.stimuli is None else design.stimuli
    cost = design.judges * (plan.cost_per_judge + design.trials * plan.cost_per_trial)
    values = (design.judges, design.trials, stimuli, verdicts, cost)
    return dict(zip(PRICED, values, strict=True))


def summarize_tally(tally: Tally, plan: Plan, goals: Goals) -> dict[str, Any]:
    """Turn counts of simulated studies into shares with Wilson intervals."""
    low, high = wilson(tally.successes, tally.studies)
    se = np.sqrt(tally.variance)
    row = {
        "power": tally.successes / tally.studies,
        "power_low": float(low),
        "power_high": float(high),
        "simulations": tally.studies,
        "errors": np.nan,
        "errors_low": np.nan,
        "errors_high": np.nan,
        "alpha": goals.alpha,
        "se": se,
        "se_floor": np.sqrt(tally.floor),
        "detectable": se * (ndtri(1 - goals.alpha / 2) + ndtri(plan.power)),
        "mean_width": tally.width,
    }
    if tally.errors is not None:
        low, high = wilson(tally.errors, tally.studies)
        row["errors"] = tally.errors / tally.studies
        row["errors_low"], row["errors_high"] = float(low), float(high)
    return row


def find_cheapest(
    table: pd.DataFrame, plan: Plan, assumed: Assumptions, options: dict[str, Any]
) -> pd.DataFrame:
    """Find the cheapest design for each question, or the judges and stimuli that would answer it."""
    # Of many designs, some reach the power in the simulation by luck. A design is therefore simulated
    # again, twice as often, before it is called the cheapest; if it then fails, the next one is tried.
    goals, rows = set_goals(plan, options), []
    simulated = ["power", "power_low", "power_high", "simulations"]
    for question, designs in table.groupby("question", sort=False):
        row = {"question": question, "question_label": designs["question_label"].iloc[0]}
        row |= {"difference": expect_difference(question, assumed), "found": False}
        for design in (
            designs[designs["reaches"]].sort_values(["cost", "judges"]).to_dict("records")
        ):
            again = repeat_design(design, question, plan, assumed, options, goals)
            if again["power"] >= plan.power:
                row |= {"found": True} | {key: design[key] for key in PRICED}
                row |= {key: again[key] for key in simulated}
                break
        else:
            row |= look_beyond(designs, question, plan, assumed, options, goals)
        rows.append(row)
    columns = ["needed_judges", "needed_stimuli", "needed_power", "needed_low", "needed_high"]
    columns = [*PRICED, *simulated, *columns]
    frame = pd.DataFrame(rows)
    kept = ["question", "question_label", "difference", "found", *columns]
    return frame.reindex(columns=kept).assign(target=plan.power)


def repeat_design(
    row: dict[str, Any],
    question: str,
    plan: Plan,
    assumed: Assumptions,
    options: dict[str, Any],
    goals: Goals,
    studies: int | None = None,
) -> dict[str, Any]:
    """Simulate one design again for one question, with other random numbers."""
    judges, trials, stimuli = (row[key] for key in ("judges", "trials", "stimuli"))
    design = make_design(plan, assumed, judges, trials, stimuli)
    rng = make_generator(options["seed"], f"plan again.{question}.{judges}.{trials}")
    tally = simulation.simulate_design(
        design,
        assumed.rates,
        assumed.spreads,
        goals,
        (question,),
        studies or 2 * plan.simulations,
        rng,
        assumed.spread_errors,
    )[question]
    return summarize_tally(tally, plan, goals)


def look_beyond(
    rows: pd.DataFrame,
    question: str,
    plan: Plan,
    assumed: Assumptions,
    options: dict[str, Any],
    goals: Goals,
) -> dict[str, Any]:
    """Look for what would have the power if no design of the grid does.

    The floor of the variance falls with the number of stimuli, the rest with that of judges; what a question
    needs follows from the normal distribution. Designs that are not too large are then simulated, from this
    number of judges on, until one has the power.
    """
    largest = rows.iloc[-1]
    difference = expect_difference(question, assumed)
    needed = find_needed_variance(QUESTIONS[question], difference, goals, plan.power)
    whole, floor = largest["se"] ** 2, largest["se_floor"] ** 2
    more = divide_up(largest["judges"] * (whole - floor), needed - floor)
    row = {"trials": largest["trials"], "needed_judges": more, "needed_stimuli": np.nan}
    if assumed.stimuli is not None and np.isinf(more):
        row["needed_stimuli"] = divide_up(assumed.stimuli * floor, needed - (whole - floor))
    row["stimuli"] = largest["stimuli"]
    while more <= MAX_SIMULATED_JUDGES:
        design = {key: largest[key] for key in ("trials", "stimuli")} | {"judges": int(more)}
        again = repeat_design(design, question, plan, assumed, options, goals, plan.simulations)
        if again["power"] >= plan.power:
            row |= {f"needed_{end}": again[f"power_{end}"] for end in ("low", "high")}
            return row | {"needed_judges": more, "needed_power": again["power"]}
        more = divide_up(1.05 * more, 1)
    return row


def divide_up(number: float, share: float) -> float:
    """Divide, and round up to two digits; infinite if the share is not above 0."""
    if not share > 0:
        return np.inf
    needed = number / share
    digit = 10.0 ** max(np.floor(np.log10(needed)) - 1, 0)
    return float(np.ceil(needed / digit) * digit)
