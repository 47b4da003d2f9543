"""The section of the overview page that puts all studies on one scale."""

from pathlib import Path
from statistics import median
from typing import Any

from turingstats.core.labels import format_with_noun, join_with_and
from turingstats.report.at_a_glance import read_rows
from turingstats.report.cells import make_link, parse_number

TITLE = "How often machines are judged human, across all studies"
CAPTION = (
    "How often is each machine judged human, compared with people in the same task and study? Each row is a "
    "machine; the mark is the odds that its responses are judged human divided by the odds for people's, "
    "with an interval. On the dashed line, both are judged human equally often. Diamonds are averages, and "
    "thin lines show where a new machine in a new task is expected to lie. Tasks, judges and people differ "
    "between studies, so machines of different tasks cannot be compared directly."
)
MIN_STUDIES = 5
"""With fewer, no average is stated: how much studies differ cannot be estimated."""
NOTHING = "No study has observed or printed verdicts of people on both people and machines."


NUMBERS = (
    "odds_ratio", "ci_low", "ci_high", "prediction_low", "prediction_high", "i_squared", "level",
    "k_people", "n_people", "n_studies",
)  # fmt: skip


def describe_synthesis(folder: Path, here: Path) -> dict[str, Any]:
    """Describe the synthesis of all studies for the overview page, which is in the folder `here`."""
    folder = Path(folder)
    tables = {
        name: folder / f"statistics/{name}.csv"
        for name in ("effects", "averages", "covariances", "left_out")
    }
    effects, averages = read_numbers(tables["effects"]), read_numbers(tables["averages"])
    by = {row["by"]: row for row in averages[::-1]}
    drawn = {end: folder / f"figures/forest.{end}" for end in ("svg", "png", "pdf", "csv")}
    made = {end: make_link(path, here) for end, path in drawn.items() if path.exists()}
    alone = [row["reference"] for row in effects if row["error_over"].startswith("verdicts")]
    return {
        "title": TITLE,
        "caption": CAPTION,
        "sentence": write_sentence(effects, by.get("all")),
        "spread": write_spread(by.get("all")),
        "year": write_year(by.get("year")),
        "averages": [row for row in averages if row["by"] in ("all", "kind", "task", "check")],
        "left_out": read_rows(tables["left_out"]),
        "picture": made.get("svg") or made.get("png") if effects else None,
        "figure_files": made if effects else {},
        "tables": {path.name: make_link(path, here) for path in tables.values() if path.exists()},
        "designs": sorted({row["design"] for row in effects}),
        # Studies whose errors take verdicts as independent.
        "independent": join_with_and(dict.fromkeys(alone)) if alone else "",
        "over": by["all"]["method"] if "all" in by else "",
        "n_studies": len({row["study"] for row in effects}),
        "n_effects": len(effects),
    }


def read_numbers(path: Path) -> list[dict[str, Any]]:
    """Read the rows of a table, with numbers or None in columns of numbers."""
    return [
        row | {name: parse_number(row[name]) for name in NUMBERS if name in row}
        for row in read_rows(path)
    ]


def write_sentence(effects: list[dict[str, Any]], overall: dict[str, Any] | None) -> str:
    """Write how human machines look: their average, or with few studies how many differ from people."""
    if overall is None:
        return NOTHING
    machines, tasks, studies = (
        format_with_noun(int(overall[f"n_{what}"]), noun, what if noun == "study" else None)
        for what, noun in (("agents", "machine"), ("tasks", "task"), ("studies", "study"))
    )
    if overall["n_studies"] < MIN_STUDIES:
        less = sum(row["ci_high"] < 1 for row in effects)
        more = sum(row["ci_low"] > 1 for row in effects)
        return (
            f"Of {machines} in {tasks} of {studies}, {less} are judged human less often than people and "
            f"{more} more often; for the other {len(effects) - less - more}, neither is shown. With so few "
            "studies, averages generalize to tasks like these, not to other studies."
        )
    ratio = overall["odds_ratio"]
    sentence = (
        f"Over {machines} in {tasks} of {studies}, a machine's odds of being judged human are "
        f"{ratio:.2f} times a person's ({format_interval(overall)})"
    )
    shares = {
        (row["study"], row["task"]): row["k_people"] / row["n_people"]
        for row in effects
        if row["k_people"]
    }
    people = median(shares.values()) if shares else 0
    if 0 < people < 1:
        odds = ratio * people / (1 - people)
        sentence += (
            f": where people are judged human in {people:.0%} of verdicts, machines are in "
            f"{odds / (1 + odds):.0%}"
        )
    return f"{sentence}."


def format_interval(row: dict[str, Any]) -> str:
    """Format the interval of an average, with its level."""
    if row["ci_low"] is None:
        return "too few for an interval"
    return f"{row['level']:.0%} interval {row['ci_low']:.2f} to {row['ci_high']:.2f}"


def write_spread(overall: dict[str, Any] | None) -> str:
    """Write how much machines and tasks differ, in one sentence; empty if it is not known."""
    if overall is None or overall["n_studies"] < MIN_STUDIES or overall["prediction_low"] is None:
        return ""
    low, high = overall["prediction_low"], overall["prediction_high"]
    sentence = (
        "Machines and tasks differ: for a new machine in a new task, the odds ratio is expected to lie "
        f"between {low:.2f} and {high:.2f} ({overall['level']:.0%})"
    )
    if low < 1 < high:
        sentence += ", so some may be judged human more often than people"
    return f"{sentence}; {overall['i_squared']:.0%} of the observed variation is not due to chance (I²)."


def write_year(row: dict[str, Any] | None) -> str:
    """Write whether newer machines look more human; empty if years are not known."""
    if row is None:
        return ""
    if row["ci_low"] is None:
        return f"The years of publication of {row['n_agents']} machines are too similar to show a trend."
    sentence = "The data do not show whether newer machines are judged human more often"
    if direction := "more" if row["ci_low"] > 1 else "less" if row["ci_high"] < 1 else "":
        sentence = f"Newer machines are judged human {direction} often"
    return (
        f"{sentence}: per {row['label'].removeprefix('per ')}, odds change by a factor of "
        f"{row['odds_ratio']:.2f} ({format_interval(row)}; {row['n_agents']} machines whose year is known, "
        "of different tasks)."
    )
