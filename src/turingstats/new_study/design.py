"""What a starting study declares for a table: confidence bands, model formulas, groups of judges."""

import re
from typing import Any

from turingstats.new_study.roles import Roles

BY_CONDITION = "correct_by_"
"""Start of the names of models that compare the levels of a condition."""
MAX_LEVELS = 12
"""Maximum number of levels of a condition, and of a scale with one band per value."""


def find_bands(roles: Roles) -> dict[str, list[float]]:
    """Find the lower limits of bands of confidence, and of exchanges if these have too many levels."""
    bands = {"confidence": find_confidence_bands(roles)}
    column = roles.columns.get("exchanges")
    if column and "exchanges" not in roles.declared:
        numbers = roles.parse_numbers(column)
        bands["exchanges"] = sorted(
            {int(numbers.quantile(share)) for share in (0, 0.25, 0.5, 0.75)}
        )
    return {name: limits for name, limits in bands.items() if limits}


def find_confidence_bands(roles: Roles) -> list[float]:
    """Find the lower limits of confidence bands; the last limit is above all answers.

    Without the column there are none, except for ratings, whose confidence is the distance from the middle of
    the scale. A scale of a few whole numbers has one band per value; shares and percentages have five bands.
    """
    if "confidence" not in roles.columns:
        points = roles.source.file.rating.points if roles.source.file.rating else ()
        if not 0 < len(points) <= MAX_LEVELS:
            return []
        middle = (points[0] + points[-1]) / 2
        distances = sorted({abs(point - middle) for point in points})
        limits = (*distances, distances[-1] + 1)
        return [int(limit) if limit % 1 == 0 else limit for limit in limits]
    numbers = roles.parse_numbers(roles.columns["confidence"])
    low, high = numbers.min(), numbers.max()
    if (numbers % 1 == 0).all() and high - low < MAX_LEVELS:
        return list(range(int(low), int(high) + 2))
    if low >= 0 and high <= 1:
        return [0, 0.2, 0.4, 0.6, 0.8]
    if low >= 0 and high <= 100:
        return [0, 20, 40, 60, 80, 101]
    cuts = [float(f"{numbers.quantile(share):.3g}") for share in (0.2, 0.4, 0.6, 0.8)]
    return sorted({float(low), *(cut for cut in cuts if cut > low)})


def write_formulas(roles: Roles) -> dict[str, Any]:
    """Write formulas of mixed models by name, with the random terms that the columns allow."""
    if roles.judge_kind != "human":
        return {}
    rows = len(roles.source.cells)
    judges = len(roles.source.list_levels(roles.columns["judge"]))
    stimuli = (
        len(roles.source.list_levels(roles.columns["stimulus"]))
        if "stimulus" in roles.columns
        else roles.people_judged or rows
    )
    judge = ["(1 | judge)"] * (1 < judges <= rows / 2)
    stimulus = ["(1 | stimulus)"] * (1 < stimuli <= rows / 2)
    agents = "agent" if len(roles.name_agents()) > 1 else "1"
    formulas = {}
    if roles.choice:
        # Of choices, the effect of an agent on right ones is how well people are told from it.
        formulas["agents"] = " + ".join([f"correct ~ {agents}", *judge, *stimulus])
    else:
        agents = "agent"
        if "verdict" in roles.columns or roles.is_graded:
            sensitivity = ["(1 | judge:made_by)"] * bool(judge)
            terms = ["said_machine ~ agent", *judge, *sensitivity, *stimulus]
            formulas["agents"] = " + ".join(terms)
        formulas["correct"] = " + ".join(["correct ~ agent", *judge, *stimulus])
    for condition in roles.list_declared("condition"):
        terms = [f"correct ~ {agents}", condition, *judge, *stimulus]
        formulas[f"{BY_CONDITION}{condition}"] = " + ".join(terms)
    return formulas


def group_answers(name: str, levels: list[str]) -> dict[str, list[str]]:
    """Group judges by their answers; numeric ages are put into three bands."""
    if name == "age" and all(re.fullmatch(r"\d+(\.\d+)?", level) for level in levels):
        return {"18-35": ["18-35"], "36-45": ["36-45"], "46 and over": ["46+"]}
    return {level: [level] for level in sorted(levels)}
