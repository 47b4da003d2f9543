"""Sentences on the first screen of a report about preferences, ratings, and detectors."""

import math
from typing import Any

from turingstats.config.graded import ALL_DETECTORS
from turingstats.core.labels import format_with_interval, use_minus_signs
from turingstats.figures.notes import Facts
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
    sentences = []
    for (task, cohort, aspect), rows in Facts(strengths).group(*ONE_COHORT).items():
        labels, ranked = study["agents"], rows.but("rank", "").rows
        asked = f", {aspect}" if aspect != "all" else ""
        where = f"{study['tasks'][task]}, {study['cohorts'][task][cohort]}{asked}"
        if len(ranked) == 2:
            row, other = ranked[0], labels.get(ranked[0]["against"], "People")
            agent = labels[row["agent"]]
            sentences.append(write_sentence("share_of_two", row, where, agent, other))
        if aspect == "all":
            noted = rows.but("note", "").rows
            sentences += [f"{labels[row['agent']]}: {row['note']}." for row in noted]
            here = Facts(places).of("task", task).of("cohort", cohort).of("aspect", aspect)
            sentences += [describe_place(row, alpha) for row in here.rows]
            sentences.append(compare_aspects(differences, task, cohort, labels))
    return [sentence for sentence in sentences if sentence]


def compare_aspects(differences: Rows, task: str, cohort: str, labels: dict[str, str]) -> str:
    """Warn of aspects for which different agents are stronger, which all aspects together hide."""
    here = Facts(differences).of("task", task).of("cohort", cohort).but("aspect", "all")
    pairs = here.but("stronger", "").group("agent", "other")
    stronger = [pair.group("stronger") for pair in pairs.values()]
    opposite = [
        {labels[agent]: rows.values("aspect") for (agent,), rows in pair.items()}
        for pair in stronger
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


def pick_rows(rows: Facts, quantity: str, level: str = "") -> dict[str, dict[str, str]]:
    """Pick the rows of a quantity, by agent."""
    return {row["agent"]: row for row in rows.of("quantity", quantity).of("level", level).rows}


def describe_ratings(rows: Rows, study: dict[str, Any]) -> list[str]:
    """Say per cohort how much nearer to "machine" people rated machines' responses than people's."""
    sentences = []
    of_people = Facts(rows).of("reading", "recommended").of("judge_kind", "human")
    for (task, cohort, _), own in of_people.group("task", "cohort", "judge").items():
        levels = own.of("quantity", "share").values("level")
        ends = sorted(float(end) for level in levels for end in level.split(" to "))
        parts = [
            f"{study['agents'].get(agent, 'all machines')} {format_difference(row)}"
            for agent, row in pick_rows(own, "difference").items()
        ]
        parts = parts if len(parts) <= FEW else parts[:1]
        where = f"{study['tasks'][task]}, {study['cohorts'][task][cohort]}"
        if parts:
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
    of_machines = Facts(rows).of("reading", "recommended").but("judge_kind", "human")
    for (task,), of_task in of_machines.group("task").items():
        judges = of_task.group("cohort", "judge")
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


def compare_with_chance(rows: Facts) -> float:
    """Compute p of an area under the curve of one half, on the logit scale as its interval."""
    (area, *_) = pick_rows(rows, "roc_area").values()
    value, se, df = (parse_number(area.get(name) or "") for name in ("value", "se", "df"))
    if value is None or not se or not 0 < value < 1:
        return math.nan
    # Imported here: it takes a tenth of the time of a report, and few have such a value.
    from scipy.special import logit, stdtr

    statistic = logit(value) * value * (1 - value) / se
    return float(2 * stdtr(df or math.inf, -abs(statistic)))


def describe_success(rows: Facts) -> tuple[float, str]:
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
