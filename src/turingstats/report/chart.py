"""The chart of the first screen: dots and lines on one axis, grouped by task."""

import math
from collections.abc import Iterable
from typing import Any

from turingstats.core import labels
from turingstats.core.labels import format_with_noun, use_minus_signs
from turingstats.core.names import split_names
from turingstats.figures.notes import Facts
from turingstats.report.cells import format_percentage, parse_number

Row = dict[str, str]
MARGINS = (5, 10, 15)
"""Differences of the share judged human, in percentage points, at which conclusions are shown."""
CONCLUSIONS = {
    (True, False): "told apart",
    (True, True): "told apart, but within {margin:g} points",
    (False, True): "equivalent within {margin:g} points",
    (False, False): "too few data to tell",
}
"""Words of a conclusion: is there a difference, and is it shown to be within the margin?"""
MORE_HUMAN = "judged more human than people"
"""Words in place of "told apart" where machines are judged human more often than people."""
SYMBOLS = {
    "told apart": "●",
    "told apart, but within": "◐",
    "equivalent within": "○",
    "too few data to tell": "?",
    MORE_HUMAN: "▲",
    "depends on the machine": "◑",
    "depends on who judges": "◒",
}
"""Sign of each conclusion, by its first words, so that it does not hang on color."""
FEW_ALIKE = 4
"""Agents that are not told apart from another that a line names one by one."""
AXIS_STEPS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 50)
"""Distances of ticks to choose from."""


def conclude(differs: bool, gap: float, smallest: float, margin: float) -> str:
    """Say in words what follows from a gap at a margin; `gap`, `smallest` and `margin` are in points."""
    within = smallest < margin
    if differs and not within and gap > 0:
        return MORE_HUMAN
    return CONCLUSIONS[differs, within].format(margin=margin)


def find_symbol(words: str) -> str:
    """Return the sign of a conclusion."""
    return next(SYMBOLS[start] for start in reversed(SYMBOLS) if words.startswith(start))


def make_line(values: Iterable[float | None], form: str, **told: Any) -> dict[str, Any]:
    """Make a line of a chart from a number and the ends of its interval, which may be unknown."""
    value, low, high = values
    number = use_minus_signs(format(value, form))
    said = [None if end is None else f"{end:{form}}" for end in (low, high)]
    # Who lost or won all has one end.
    interval = f"from {said[0]}" if high is None else f"up to {said[1]}"
    interval = interval if None in said else " to ".join(said)
    interval = use_minus_signs(interval) if any(said) else ""
    ends = (value if low is None else low, value if high is None else high)
    nothing = dict.fromkeys(("who", "counted", "words", "symbol", "note", "signal"), "")
    known = {"value": value, "ends": ends, "number": number, "interval": interval}
    return nothing | known | {"at": {}, "shares": None} | told


def place_lines(groups: list[dict[str, Any]], reference: float, label: str) -> dict[str, Any]:
    """Place the lines of all groups on one axis that holds `reference`, in percentages of its width."""
    lines = [line for group in groups for line in group["lines"]]
    values = [reference, *(end for line in lines for end in (line["value"], *line["ends"]))]
    span = max(values) - min(values) or 1
    step = next((step for step in AXIS_STEPS if span / step <= 8), span / 4)
    first = math.floor(min(values) / step)
    last = max(math.ceil(max(values) / step), first + 1)
    low, width = first * step, (last - first) * step

    def place(value: float) -> float:
        return round(100 * (value - low) / width, 2)

    for line in lines:
        left, right = map(place, line["ends"])
        line |= {"center": place(line["value"]), "left": left, "right": round(100 - right, 2)}
    ticks = [n * step for n in range(first, last + 1)]
    shown = [(place(tick), use_minus_signs(f"{tick:z.{1 if step < 1 else 0}f}")) for tick in ticks]
    return {
        "groups": [group for group in groups if group["lines"]],
        "label": label,
        "ticks": shown,
        "reference": place(reference),
        # Percentages of the width for a unit of the axis.
        "unit": round(100 / width, 4),
    }


def list_gaps(
    findings: list[Row], compared: list[Row], missing: list[Row], study: dict[str, Any]
) -> dict[str, Any]:
    """Chart by how many points machines are judged human more or less often than people, by task.

    The first line of a headline of `findings` is about its largest cohort and all machines together; those
    about single machines, and other cohorts, follow. `compared` are the rows of equivalence, whose
    conclusions are corrected, and `missing` those of files that were not read. Gaps of opposite signs would
    cancel, so that a task that depends on the machine has no line of all machines.
    """
    baseline, than = ("chance", "50%") if study["choice"] else ("people", "people")
    groups: list[dict[str, Any]] = []
    for task in (row for row in findings if row["agent"] == "all"):
        name, main = task["task"], task["cohort"]
        own = {
            row["agent"]: row for row in findings if (row["task"], row["cohort"]) == (name, main)
        }
        if task["answer"] == "depends on the machine":
            del own["all"]
        lines = [
            describe_gap(row, own[row["agent"]] if cohort == main else {}, study)
            for cohort in split_names(task["cohorts"], "; ") or [main]
            for row in compared
            # Where there is a single machine, it is all machines.
            if (row["task"], row["cohort"], row["against"]) == (name, cohort, baseline)
            and row["agent"] in own
        ]
        if name not in (group["id"] for group in groups):
            notes = (lines[0]["note"], note_missing_cohort(task, missing, study))
            lines[0]["note"] = "; ".join(filter(None, notes))
        groups.append({"label": study["tasks"][name], "id": name, "lines": lines})
    judged = "chosen" if study["choice"] else "judged human"
    label = f"Machines {judged} minus {than}, in percentage points"
    return place_lines(groups, 0, label)


def note_missing_cohort(task: Row, missing: list[Row], study: dict[str, Any]) -> str:
    """Say why the first cohort of a task, its main one, does not stand for it; empty if it does."""
    first, label = next(iter(study["cohorts"][task["task"]].items()))
    lacking = [row for row in missing if (row["task"], row["cohort"]) == (task["task"], first)]
    if first in (split_names(task["cohorts"], "; ") or [task["cohort"]]) or not lacking:
        return ""
    return f"the paper's {labels.begin_in_lower_case(label)}: {lacking[0]['why']}"


def list_margins(margin: float) -> list[float]:
    """List the margins to choose from, among them that of the configuration, in points."""
    return sorted({*MARGINS, round(margin, 6)})


def describe_gap(row: Row, finding: Row, study: dict[str, Any]) -> dict[str, Any]:
    """Describe the gap of a row of equivalence as a line; `finding` says more about that of a headline."""
    points = [parse_number(row[name]) for name in ("difference", "ci_low", "ci_high")]
    gap, *ends = (None if number is None else 100 * number for number in points)
    smallest, margin = (100 * float(row[name]) for name in ("smallest_margin", "margin"))
    differs = row["conclusion"].startswith(("distinguishable", "different"))
    words = conclude(differs, gap, smallest, margin)
    depends = finding.get("answer", "").startswith("depends")
    if depends:
        words = finding["answer"]
    _, _, notes = finding.get("conclusion", "").partition("; ")
    judges = format_with_noun(float(row["n_judges"]), "judge")
    counted = f"{float(row['n']):,.0f} verdicts on machines"
    if finding.get("n_trials"):
        counted = f"{float(finding['n_trials']):,.0f} trials"
    people = parse_number(finding.get("n_people"))
    if people not in (None, float(row["n_judges"])):
        judges += f" ({people:,.0f} people)"
    return make_line(
        (gap, *ends),
        "z.0f",
        agent=row["agent"],
        name=study["agents"].get(row["agent"], "all machines"),
        who=study["cohorts"][row["task"]][row["cohort"]],
        counted=f"{judges}, {counted}",
        words=words,
        symbol=find_symbol(words),
        # What depends on the machine or on who judges does so at any margin.
        at={}
        if depends
        else {m: conclude(differs, gap, smallest, m) for m in list_margins(margin)},
        note=finding["conclusion"] if depends else notes,
        shares=None
        if study["choice"]
        else [format_percentage(row[name]) for name in ("baseline", "rate")],
        signal=describe_signal(finding),
    )


def describe_signal(row: Row) -> str:
    """Describe detectability, d' and the criterion of a finding; choices have only the first."""
    numbers = {"detectability": "detectability", "d\N{PRIME}": "d_prime", "c": "criterion"}
    known = {name: parse_number(row.get(column)) for name, column in numbers.items()}
    parts = [f"{name} {value:z.2f}" for name, value in known.items() if value is not None]
    return use_minus_signs(", ".join(parts))


def chart_strengths(strengths: list[Row], study: dict[str, Any]) -> dict[str, Any]:
    """Chart the strengths of agents, by task, group of judges and aspect; who lost or won all has none."""
    groups, ranked = [], Facts(strengths).but("value", "")
    for (task, cohort, aspect), rows in ranked.group("task", "cohort", "aspect").items():
        lines = []
        for row in rows.rows:
            rank, *ranks = (f"{float(row[name]):.0f}" for name in ("rank", "rank_low", "rank_high"))
            line = make_line(
                [parse_number(row[name]) for name in ("value", "ci_low", "ci_high")],
                "z.2f",
                name=study["agents"].get(row["agent"], row["agent"]),
                who=study["cohorts"][task][cohort],
                counted=format_with_noun(float(row["n"]), "comparison"),
                words=f"rank {rank} ({' to '.join(dict.fromkeys(ranks))})",
                note=describe_alike(row["not_told_apart"], study["agents"]),
            )
            lines.append(line)
        asked = "" if aspect == "all" else f", {aspect}"
        groups.append({"label": f"{study['tasks'][task]}{asked}", "id": task, "lines": lines})
    label = "Strength: log odds of being chosen over an average agent"
    return place_lines(groups, 0, label)


def describe_alike(names: str, agents: dict[str, str]) -> str:
    """Say from whom an agent is not told apart; `names` are separated by commas."""
    alike = [agents.get(name, name) for name in split_names(names, ", ")]
    if not alike:
        return "told apart from all others"
    few = labels.join_with_or(alike) if len(alike) <= FEW_ALIKE else f"{len(alike)} others"
    return f"not told apart from {few}"


def chart_alignments(alignment: list[Row], study: dict[str, Any]) -> dict[str, Any]:
    """Chart the rank correlations of systems with the reference of their task, the closest first."""
    groups = []
    for task, reference in study.get("references", {}).items():
        lines, shown = [], Facts(alignment).of("reading", study["reading"]).of("pairs", "all")
        for row in shown.of("task", task).but("value", "").rows:
            systems = {row["system_a"], row["system_b"]}
            if reference in systems:
                (other,) = systems - {reference}
                numbers = [parse_number(row[name]) for name in ("value", "ci_low", "ci_high")]
                against = f"with {study['agents'][reference]}"
                lines.append(make_line(numbers, "z.2f", name=study["agents"][other], who=against))
        lines.sort(key=lambda line: -line["value"])
        groups.append({"label": study["tasks"][task], "id": task, "lines": lines})
    return place_lines(groups, 0, "Rank correlation of mean ratings across pairs of items")
