"""Interim analyses: their boundaries, the judges at each, and simulated studies that stop."""

from typing import Any

import numpy as np
import pandas as pd

from turingstats.config.planning import Plan
from turingstats.planning.assumptions import Assumptions
from turingstats.planning.grid import make_design
from turingstats.stats import sequential
from turingstats.stats.intervals import wilson
from turingstats.stats.power import simulation
from turingstats.stats.power.simulation import QUESTIONS
from turingstats.stats.resampling import make_generator

COLUMNS = [
    "kind", "kind_label", "question", "question_label", "look", "fraction", "z", "nominal_p",
    "spent", "power", "inflation", "expected_null", "expected_effect", "judges", "trials",
    "stimuli", "simulations", "simulated_null", "null_low", "null_high", "simulated_power",
    "simulated_low", "simulated_high", "mean_judges_null", "mean_judges_effect",
]  # fmt: skip


def plan_interim_analyses(
    plan: Plan,
    assumed: Assumptions,
    designs: pd.DataFrame,
    grid: pd.DataFrame,
    options: dict[str, Any],
) -> pd.DataFrame:
    """Plan interim analyses for the first question about a difference, one row per kind of boundaries and
    analysis; `power` and `spent` are those of theory, the simulated ones are of the pipeline's test.
    """
    fractions = np.array(plan.look_fractions)
    asked = [name for name in assumed.questions if QUESTIONS[name].goal == "difference"]
    if len(fractions) == 1 or not asked:
        return pd.DataFrame(columns=COLUMNS)
    question = asked[0]
    chosen = designs.set_index("question").loc[question]
    basis = grid[grid["question"] == question]
    # Without a design that has the power, analyses are shown for the largest one.
    if chosen["found"]:
        same = (basis["judges"] == chosen["judges"]) & (basis["trials"] == chosen["trials"])
        basis = basis[same]
    basis = basis.iloc[-1]
    rows = []
    for kind, label in sequential.KINDS.items():
        boundaries = sequential.design_boundaries(kind, fractions, basis["alpha"], plan.power)
        judges = count_judges(boundaries, basis)
        row: dict[str, Any] = {"kind": kind, "kind_label": label, "question": question}
        row |= basis[["question_label", "trials", "stimuli"]].to_dict()
        for name in ("inflation", "expected_null", "expected_effect"):
            row[name] = getattr(boundaries, name)
        if judges is not None:
            row |= simulate_kind(
                question, boundaries, judges, basis["trials"], plan, assumed, options
            )
        for look in range(len(fractions)):
            rows.append(
                row
                | {"look": look + 1, "fraction": fractions[look], "z": boundaries.z[look]}
                | {"nominal_p": boundaries.nominal[look], "spent": boundaries.spent[look]}
                | {"power": boundaries.power[look], "judges": judges[look] if judges else np.nan}
            )
    return pd.DataFrame(rows, columns=COLUMNS)


def count_judges(boundaries: sequential.Boundaries, basis: pd.Series) -> list[int] | None:
    """Count the judges at each analysis; None if stimuli are too few for so much information."""
    # Information is the inverse of the variance, whose part over stimuli does not fall with the number of
    # judges: half of the information takes less than half of the judges.
    floor = basis["se_floor"] ** 2
    over_judges = basis["judges"] * (basis["se"] ** 2 - floor)
    variances = basis["se"] ** 2 / (boundaries.inflation * boundaries.fractions)
    if variances[-1] <= floor:
        return None
    return [int(np.ceil(number - 1e-9)) for number in over_judges / (variances - floor)]


def simulate_kind(
    question: str,
    boundaries: sequential.Boundaries,
    judges: list[int],
    trials: int,
    plan: Plan,
    assumed: Assumptions,
    options: dict[str, Any],
) -> dict[str, Any]:
    """Simulate studies that stop at a boundary, with the expected difference and without one."""
    design = make_design(plan, assumed, judges[-1], trials)
    truths = simulation.list_truths(assumed.rates, options["margin"])
    asked = QUESTIONS[question]
    row: dict[str, Any] = {"simulations": plan.simulations}
    for name, truth, ends in (
        ("null", asked.null, "null"),
        ("power", asked.truth, "simulated"),
    ):
        stops = simulation.simulate_interim_analyses(
            design,
            truths[truth],
            assumed.spreads,
            asked.contrast,
            judges,
            boundaries.z,
            plan.simulations,
            make_generator(options["seed"], f"plan looks.{boundaries.kind}.{name}"),
            assumed.spread_errors,
        )
        low, high = wilson(stops.sum(), plan.simulations)
        share = stops / plan.simulations
        row |= {f"simulated_{name}": share.sum(), f"{ends}_low": low, f"{ends}_high": high}
        mean = share @ np.array(judges) + (1 - share.sum()) * judges[-1]
        row[f"mean_judges_{'null' if name == 'null' else 'effect'}"] = mean
    return row
