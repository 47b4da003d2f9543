"""The section of the overview page that puts all studies on one scale."""

from pathlib import Path
from statistics import median
from typing import Any

from turingstats.core.labels import format_with_noun, join_with_and
from turingstats.report.at_a_glance import read_rows
from turingstats.report.cells import make_link, parse_number

TITLE = "How human machines look across all studies"
CAPTION = (
    "How often is each machine called human, compared with people in the same task and study? Each row is a "
    "machine; the mark is the odds that its response is called human divided by the odds of a person's, with "
    "an interval, and at the dashed line machines and people are called human equally often. Diamonds are "
    "averages, and thin lines show where a new machine in a new task is expected. Tasks, judges and people "
    "differ between studies, so that machines of different tasks are not compared directly."
)
NOTHING = "No study has observed or printed verdicts of people on both people and machines."


def describe_synthesis(folder: Path, here: Path) -> dict[str, Any]:
    """Describe the synthesis of all studies for the overview page, which is in the folder `here`."""
    folder = Path(folder)
    effects, averages, left_out = (
        read_rows(folder / f"statistics/{name}.csv") for name in ("effects", "averages", "left_out")
    )
    drawn = {end: folder / f"figures/forest.{end}" for end in ("svg", "png", "pdf", "csv")}
    made = {end: make_link(path, here) for end, path in drawn.items() if path.exists()}
    tables = ("effects", "averages", "covariances", "left_out")
    paths = [folder / f"statistics/{name}.csv" for name in tables]
    return {
        "title": TITLE,
        "caption": CAPTION,
        "sentence": write_sentence(effects, averages),
        "spread": write_spread(averages),
        "year": write_year(averages),
        "groups": [
            describe_average(row) for row in averages if row["by"] in ("all", "kind", "task")
        ],
        "check": [describe_average(row) for row in averages if row["by"] == "check"],
        "left_out": left_out,
        "picture": made.get("svg") or made.get("png") if effects else None,
        "figure_files": made if effects else {},
        "tables": {path.name: make_link(path, here) for path in paths if path.exists()},
        "designs": sorted({row["design"] for row in effects}),
        "independent": describe_independent(effects),
        "over": next((row["method"] for row in averages if row["by"] == "all"), ""),
        "n_studies": len({row["study"] for row in effects}),
        "n_effects": len(effects),
    }


def write_sentence(effects: list[dict[str, str]], averages: list[dict[str, str]]) -> str:
    """Write how human machines look on average, in one sentence."""
    overall = next((row for row in averages if row["by"] == "all"), None)
    if overall is None:
        return NOTHING
    ratio, low, high = (parse_number(overall[name]) for name in ("odds_ratio", "ci_low", "ci_high"))
    machines, tasks, studies = (
        format_with_noun(int(overall[f"n_{what}"]), noun, what if noun == "study" else None)
        for what, noun in (("agents", "machine"), ("tasks", "task"), ("studies", "study"))
    )
    sentence = (
        f"Over {machines} in {tasks} of {studies}, a machine's odds of being called human are "
        f"{ratio:.2f} times a person's"
    )
    level = f"{float(overall['level']):.0%}"
    interval = "too few for an interval"
    if low is not None:
        interval = f"{level} interval {low:.2f} to {high:.2f}"
    sentence += f" ({interval})"
    people = find_usual_share(effects)
    if people is not None:
        odds = ratio * people / (1 - people)
        sentence += (
            f": where people are called human in {people:.0%} of verdicts, machines are in "
            f"{odds / (1 + odds):.0%}"
        )
    return f"{sentence}."


def find_usual_share(effects: list[dict[str, str]]) -> float | None:
    """Find the median over tasks of the share of people called human; None if all verdicts are choices."""
    shares = {
        (row["study"], row["task"]): float(row["k_people"]) / float(row["n_people"])
        for row in effects
        if row["k_people"]
    }
    share = median(shares.values()) if shares else 0
    return share if 0 < share < 1 else None


def write_spread(averages: list[dict[str, str]]) -> str:
    """Write how much machines and tasks differ, in one sentence; empty if it is not known."""
    overall = next((row for row in averages if row["by"] == "all"), None)
    if overall is None or not overall["prediction_low"]:
        return ""
    low, high = (parse_number(overall[f"prediction_{end}"]) for end in ("low", "high"))
    level = f"{float(overall['level']):.0%}"
    sentence = (
        "Machines and tasks differ: for a new machine in a new task the odds ratio is expected between "
        f"{low:.2f} and {high:.2f} ({level})"
    )
    if low < 1 < high:
        sentence += ", so that some may look more human than people"
    share = parse_number(overall["i_squared"])
    return f"{sentence}; {share:.0%} of the differences seen are not chance (I²)."


def write_year(averages: list[dict[str, str]]) -> str:
    """Write whether newer machines look more human; empty if years are not known."""
    row = next((row for row in averages if row["by"] == "year"), None)
    if row is None:
        return ""
    ratio, low, high = (parse_number(row[name]) for name in ("odds_ratio", "ci_low", "ci_high"))
    if low is None:
        return f"The years of publication of {row['n_agents']} machines are too alike for a trend."
    direction = "more" if low > 1 else "less" if high < 1 else ""
    sentence = "Whether newer machines look more human cannot be told"
    if direction:
        sentence = f"Newer machines look {direction} human"
    return (
        f"{sentence}: per {row['label'].removeprefix('per ')}, odds change by a factor of {ratio:.2f} "
        f"({float(row['level']):.0%} interval {low:.2f} to {high:.2f}; {row['n_agents']} machines whose year "
        "is known, of different tasks)."
    )


def describe_average(row: dict[str, str]) -> dict[str, str]:
    """Describe an average for the table of the page."""
    numbers = {name: parse_number(row[name]) for name in ("odds_ratio", "ci_low", "ci_high")}
    new = [parse_number(row[f"prediction_{end}"]) for end in ("low", "high")]
    interval = "too few"
    if numbers["ci_low"] is not None:
        interval = f"{numbers['ci_low']:.2f} to {numbers['ci_high']:.2f}"
    share = parse_number(row["i_squared"])
    return {
        "by": row["by"],
        "label": row["label"][:1].upper() + row["label"][1:],
        "machines": row["n_agents"],
        "tasks": row["n_tasks"],
        "studies": row["n_studies"],
        "ratio": f"{numbers['odds_ratio']:.2f}",
        "interval": interval,
        "new": "" if new[0] is None else f"{new[0]:.2f} to {new[1]:.2f}",
        "share": "" if share is None else f"{share:.0%}",
    }


def describe_independent(effects: list[dict[str, str]]) -> str:
    """Name the studies whose errors take verdicts as independent; empty if none do."""
    names = [row["reference"] for row in effects if row["error_over"].startswith("verdicts")]
    return join_with_and(dict.fromkeys(names)) if names else ""
