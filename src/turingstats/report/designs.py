"""Sentences on the first screen of a report about preferences, ratings, and detectors."""

import math
from typing import Any

from turingstats.config.graded import ALL_DETECTORS
from turingstats.core.labels import format_with_interval, use_minus_signs
from turingstats.report.cells import format_percentage, label_judge, parse_number, write_sentence
from turingstats.stats.multiplicity import adjust_p_values

Rows = list[dict[str, str]]
STRICT = "0.01"
"""False-alarm rate at which hits are reported."""
FEW = 6
"""Agents, or detectors, that a sentence names one by one."""


# --- preferences ---------------------------------------------------------------------------------


ONE_COHORT = ("task", "cohort", "aspect")


def describe_rankings(
    strengths: Rows, differences: Rows, places: Rows, study: dict[str, Any], alpha: float
) -> list[str]:
    """Say what the chart of strengths does not: the share of two agents, and whether places mattered."""
    sentences: list[str] = []
    by_key: dict[tuple[str, ...], Rows] = {}
    for row in strengths:
        by_key.setdefault(tuple(row[name] for name in ONE_COHORT), []).append(row)
    for (task, cohort, aspect), rows in by_key.items():
        labels, ranked = study["agents"], [row for row in rows if row["rank"]]
        asked = f", {aspect}" if aspect != "all" else ""
        where = f"{study['tasks'][task]}, {study['cohorts'][task][cohort]}{asked}"
        if len(ranked) == 2:
            row, other = ranked[0], labels.get(ranked[0]["against"], "People")
            sentences.append(
                write_sentence("share_of_two", row, where, labels[row["agent"]], other)
            )
        if aspect == "all":
            sentences += [f"{labels[row['agent']]}: {row['note']}." for row in rows if row["note"]]
            sentences += [
                describe_place(row, alpha)
                for row in places
                if tuple(row[name] for name in ONE_COHORT) == (task, cohort, aspect)
            ]
            sentences.append(compare_aspects(differences, task, cohort, labels))
    return [sentence for sentence in sentences if sentence]


def compare_aspects(differences: Rows, task: str, cohort: str, labels: dict[str, str]) -> str:
    """Warn of aspects for which different agents are stronger, which all aspects together hide."""
    stronger: dict[tuple[str, str], dict[str, list[str]]] = {}
    for row in differences:
        is_here = (row["task"], row["cohort"]) == (task, cohort) and row["aspect"] != "all"
        if is_here and row["stronger"]:
            pair = stronger.setdefault((row["agent"], row["other"]), {})
            pair.setdefault(row["stronger"], []).append(row["aspect"])
    opposite = [
        {labels[agent]: named for agent, named in pair.items()}
        for pair in stronger.values()
        if len(pair) > 1
    ]
    return write_sentence("aspects", opposite) if opposite else ""


def describe_place(row: dict[str, str], alpha: float) -> str:
    """Describe how often the option shown first was chosen, if that differs from one half."""
    p = parse_number(row["p"])
    if p is None or p >= alpha:
        return ""
    return write_sentence("place", float(row["first_wins"]), float(row["value"]) > 0)


# --- ratings and scores --------------------------------------------------------------------------


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
            levels = [row["level"] for row in own if row["quantity"] == "share"]
            ends = sorted(float(end) for level in levels for end in level.split(" to "))
            if not differences:
                continue
            parts = [
                f"{study['agents'].get(agent, 'all machines')} {format_difference(row)}"
                for agent, row in differences.items()
            ]
            parts = parts if len(parts) <= FEW else parts[:1]
            where = f"{study['tasks'][task]}, {study['cohorts'][task][cohort]}"
            sentences.append(write_sentence("ratings", where, ends, parts))
    return sentences


def format_difference(row: dict[str, str]) -> str:
    """Format a difference of mean ratings with its interval."""
    value, low, high = (parse_number(row[name]) for name in ("value", "ci_low", "ci_high"))
    interval = "" if None in (low, high) else f" ({low:.2f} to {high:.2f})"
    return use_minus_signs(f"{value:+.2f}{interval}")


def describe_detectors(rows: Rows, study: dict[str, Any], alpha: float) -> list[str]:
    """Say per task how well each detector discriminates, and all on average.

    Which ones tell machines from people is corrected over the detectors of the task (Holm).
    """
    sentences = []
    for task, judges in select_numbers(rows, people=False).items():
        scored = {name: own for name, own in judges.items() if pick_rows(own, "hits", STRICT)}
        detectors = {name: own for name, own in scored.items() if name[0] != ALL_DETECTORS}
        corrected = adjust_p_values(
            [compare_with_chance(own) for own in detectors.values()], "holm"
        )
        named = [
            (label_judge(cohort, judge, study["cohorts"][task]), *describe_success(own), p < alpha)
            for ((cohort, judge), own), p in zip(detectors.items(), corrected, strict=True)
        ]
        if not named:
            continue
        pooled = alarms = ""
        if of_all := scored.get((ALL_DETECTORS, "")):
            _, pooled = describe_success(of_all)
            alarms = format_share(pick_rows(of_all, "judged_machine")["human"])
        counted = [pick_rows(own, "false_alarms", STRICT)["human"]["n"] for own in scored.values()]
        facts = (pooled, alarms, min(int(parse_number(n)) for n in counted), float(STRICT))
        sentences.append(write_sentence("detectors", study["tasks"][task], named, *facts))
    return sentences


def compare_with_chance(rows: Rows) -> float:
    """Compute p of an area under the curve of one half, on the logit scale as its interval."""
    (area, *_) = pick_rows(rows, "roc_area").values()
    value, se, df = (parse_number(area.get(name) or "") for name in ("value", "se", "df"))
    if value is None or not se or not 0 < value < 1:
        return math.nan
    # Imported here: it takes a tenth of the time of a report, and few have such a value.
    from scipy.special import logit, stdtr

    statistic = logit(value) * value * (1 - value) / se
    return float(2 * stdtr(df or math.inf, -abs(statistic)))


def describe_success(rows: Rows) -> tuple[float, str]:
    """Describe the area under the curve and the hits of all machines' responses, or of the only machine's;
    return the area, and the words.
    """
    areas, hits = pick_rows(rows, "roc_area"), pick_rows(rows, "hits", STRICT)
    (agent, *_) = areas
    numbers = (parse_number(areas[agent][name]) for name in ("value", "ci_low", "ci_high"))
    # One text of each kind has no interval.
    value, *ends = (math.nan if n is None else n for n in numbers)
    area, shares = format_with_interval(value, *ends), format_share(hits[agent])
    return value, f"AUC {area} and {shares} hits at {float(STRICT):.0%} false alarms"


def format_share(row: dict[str, str]) -> str:
    """Format a share as a percentage with its interval."""
    low, high = (format_percentage(row[name]) for name in ("ci_low", "ci_high"))
    return format_percentage(row["value"]) + (f" ({low} to {high})" if low and high else "")
