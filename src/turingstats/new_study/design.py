"""What a starting study declares for a table: confidence bands, model formulas, groups of judges."""

import re
from typing import TYPE_CHECKING, Any

from turingstats.data.cells import find_scale

if TYPE_CHECKING:
    from turingstats.new_study.inspector import TableInspector

BY_CONDITION = "correct_by_"
"""Start of the names of models that compare the levels of a condition."""
MAX_LEVELS = 12
"""Maximum number of levels of a condition, and of a scale with one band per value."""


def find_bands(inspector: "TableInspector") -> dict[str, list[float]]:
    """Find the lower limits of bands of confidence, and of exchanges if these have too many levels."""
    bands = {"confidence": find_confidence_bands(inspector)}
    column = inspector.columns.get("exchanges")
    if column and "exchanges" not in inspector.conditions:
        numbers = inspector.parse_numbers(column)
        bands["exchanges"] = sorted(
            {int(numbers.quantile(share)) for share in (0, 0.25, 0.5, 0.75)}
        )
    return {name: limits for name, limits in bands.items() if limits}


def find_confidence_limits(inspector: "TableInspector") -> list[float]:
    """Find the ends of the scale of confidence: those of the first common scale that contains all answers."""
    ends = find_scale(inspector.parse_numbers(inspector.columns["confidence"]).dropna())
    return [int(end) if end % 1 == 0 else end for end in ends]


def find_confidence_bands(inspector: "TableInspector") -> list[float]:
    """Find the lower limits of confidence bands; the last limit is above all answers.

    Without the column there are none, except for ratings, whose confidence is the distance from the middle of
    the scale. A scale of a few whole numbers has one band per value; shares and percentages have five bands.
    """
    if "confidence" not in inspector.columns:
        points = inspector.file.rating.points if inspector.file.rating else ()
        if not 0 < len(points) <= MAX_LEVELS:
            return []
        middle = (points[0] + points[-1]) / 2
        distances = sorted({abs(point - middle) for point in points})
        limits = (*distances, distances[-1] + 1)
        return [int(limit) if limit % 1 == 0 else limit for limit in limits]
    numbers = inspector.parse_numbers(inspector.columns["confidence"])
    low, high = numbers.min(), numbers.max()
    if (numbers % 1 == 0).all() and high - low < MAX_LEVELS:
        return list(range(int(low), int(high) + 2))
    if low >= 0 and high <= 1:
        return [0, 0.2, 0.4, 0.6, 0.8]
    if low >= 0 and high <= 100:
        return [0, 20, 40, 60, 80, 101]
    cuts = [float(f"{numbers.quantile(share):.3g}") for share in (0.2, 0.4, 0.6, 0.8)]
    return sorted({float(low), *(cut for cut in cuts if cut > low)})


def write_formulas(inspector: "TableInspector") -> dict[str, Any]:
    """Write formulas of mixed models by name, with the random terms that the columns allow."""
    if inspector.judge_kind != "human":
        return {}
    rows = len(inspector.table)
    judges = len(inspector.list_levels(inspector.columns["judge"]))
    stimuli = (
        len(inspector.list_levels(inspector.columns["stimulus"]))
        if "stimulus" in inspector.columns
        else inspector.people_judged or rows
    )
    judge = ["(1 | judge)"] * (1 < judges <= rows / 2)
    stimulus = ["(1 | stimulus)"] * (1 < stimuli <= rows / 2)
    agents = "agent" if len(inspector.name_agents()) > 1 else "1"
    formulas = {}
    if inspector.choice:
        # Of choices, the effect of an agent on right ones is how well people are told from it.
        formulas["agents"] = " + ".join([f"correct ~ {agents}", *judge, *stimulus])
    else:
        agents = "agent"
        if "verdict" in inspector.columns or inspector.is_graded:
            sensitivity = ["(1 | judge:made_by)"] * bool(judge)
            terms = ["said_machine ~ agent", *judge, *sensitivity, *stimulus]
            formulas["agents"] = " + ".join(terms)
        formulas["correct"] = " + ".join(["correct ~ agent", *judge, *stimulus])
    for condition in inspector.conditions:
        terms = [f"correct ~ {agents}", condition, *judge, *stimulus]
        formulas[f"{BY_CONDITION}{condition}"] = " + ".join(terms)
    return formulas


def group_answers(name: str, levels: list[str]) -> dict[str, Any]:
    """Group judges by their answers; numeric ages are put into three bands."""
    if name == "age" and all(re.fullmatch(r"\d+(\.\d+)?", level) for level in levels):
        return {"18-35": "18-35", "36-45": "36-45", "46 and over": "46+"}
    return {level: level for level in sorted(levels)}
