"""Sentences on the first screen of a report about ratings, and about detectors."""

import math
from typing import Any

from turingstats.config.graded import ALL_DETECTORS
from turingstats.core.labels import format_with_interval, join_with_and, use_minus_signs
from turingstats.report.cells import parse_number
from turingstats.report.front import format_percentage

Rows = list[dict[str, str]]
STRICT = "0.01"
"""False-alarm rate at which hits are reported."""
FEW = 6
"""Agents, or detectors, that a sentence names one by one."""


def select_numbers(rows: Rows, people: bool) -> dict[str, dict[tuple[str, ...], Rows]]:
    """Select the recommended numbers of people, or of machine judges, by task, and by cohort and judge."""
    selected: dict[str, dict[tuple[str, ...], Rows]] = {}
    for row in rows:
        if row["reading"] == "recommended" and (row["judge_kind"] == "human") == people:
            judges = selected.setdefault(row["task"], {})
            judges.setdefault((row["cohort"], row["judge"]), []).append(row)
    return selected


def pick_rows(rows: Rows, quantity: str, level: str = "") -> dict[str, dict[str, str]]:
    """Pick the rows of a quantity, by agent."""
    return {
        row["agent"]: row for row in rows if (row["quantity"], row["level"]) == (quantity, level)
    }


def describe_ratings(rows: Rows, study: dict[str, Any]) -> list[str]:
    """Say per cohort how much nearer to "machine" people rated machines' responses than people's."""
    sentences = []
    for task, cohorts in select_numbers(rows, people=True).items():
        for (cohort, _), own in cohorts.items():
            differences = pick_rows(own, "difference")
            points = [parse_number(row["level"]) for row in own if row["quantity"] == "share"]
            if not differences:
                continue
            parts = [
                f"{study['agents'].get(agent, 'all machines')} {format_difference(row)}"
                for agent, row in differences.items()
            ]
            parts = parts if len(parts) <= FEW else parts[:1]
            scale = "" if None in points else f", on a scale of {min(points):g} to {max(points):g}"
            sentences.append(
                f"{study['tasks'][task]}, {study['cohorts'][task][cohort]}: mean ratings of machines' "
                f"responses minus those of people's (positive: nearer to “machine”{scale}): "
                f"{join_with_and(parts)}."
            )
    return sentences


def format_difference(row: dict[str, str]) -> str:
    """Format a difference of mean ratings with its interval."""
    value, low, high = (parse_number(row[name]) for name in ("value", "ci_low", "ci_high"))
    interval = "" if None in (low, high) else f" ({low:.2f} to {high:.2f})"
    return use_minus_signs(f"{value:+.2f}{interval}")


def describe_detectors(rows: Rows, study: dict[str, Any]) -> list[str]:
    """Say per task how well each detector discriminates, and all on average."""
    sentences = []
    for task, judges in select_numbers(rows, people=False).items():
        scored = {name: own for name, own in judges.items() if pick_rows(own, "hits", STRICT)}
        parts = [
            f"{label_detector(name, study['cohorts'][task])} {describe_success(own)}"
            for name, own in scored.items()
            if name[0] != ALL_DETECTORS
        ]
        if not parts:
            continue
        sentence = f"{study['tasks'][task]}: "
        if len(parts) <= FEW:
            sentence += f"{'; '.join(parts)}. "
        if pooled := scored.get((ALL_DETECTORS, "")):
            alarms = pick_rows(pooled, "judged_machine")["human"]
            sentence += (
                f"On average over {len(parts)} detectors, {describe_numbers(pooled)}; at their own "
                f"thresholds, {format_share(alarms)} of people's responses are judged machine. "
            )
        counted = [pick_rows(own, "false_alarms", STRICT)["human"]["n"] for own in scored.values()]
        fewest = min(int(parse_number(n)) for n in counted)
        if fewest * float(STRICT) < 1:
            sentence += (
                f"Too few responses are by people ({fewest}) for false alarms of {float(STRICT):.0%} "
                f"to be measured: that needs {1 / float(STRICT):.0f}."
            )
        sentences.append(sentence.strip())
    return sentences


def label_detector(name: tuple[str, ...], cohorts: dict[str, str]) -> str:
    """Label a detector by its cohort, and its own name if the cohort has several."""
    cohort, judge = name
    return f"{cohorts[cohort]}, {judge}" if judge else cohorts[cohort]


def describe_success(rows: Rows) -> str:
    """Say whether a detector tells machines from people, with its numbers."""
    (area, *_) = pick_rows(rows, "roc_area").values()
    low, high = parse_number(area["ci_low"]), parse_number(area["ci_high"])
    words = "is not shown to tell machines from people"
    if low is not None and low > 0.5:
        words = "tells machines from people"
    if high is not None and high < 0.5:
        words = "takes people for machines"
    return f"{words}: {describe_numbers(rows)}"


def describe_numbers(rows: Rows) -> str:
    """Describe the area under the curve and the hits of all machines' responses, or of the only machine's."""
    areas, hits = pick_rows(rows, "roc_area"), pick_rows(rows, "hits", STRICT)
    (agent, *_) = areas
    numbers = (parse_number(areas[agent][name]) for name in ("value", "ci_low", "ci_high"))
    # One text of each kind has no interval.
    area = format_with_interval(*(math.nan if n is None else n for n in numbers))
    return f"AUC {area} and {format_share(hits[agent])} hits at {float(STRICT):.0%} false alarms"


def format_share(row: dict[str, str]) -> str:
    """Format a share as a percentage with its interval."""
    low, high = (format_percentage(row[name]) for name in ("ci_low", "ci_high"))
    return format_percentage(row["value"]) + (f" ({low} to {high})" if low and high else "")
