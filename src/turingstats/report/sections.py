"""Sections of the report: tables, exclusions, claims, panels drawn, tests, findings and judges."""

from collections import Counter
from itertools import compress
from pathlib import Path
from typing import Any

import pandas as pd

from turingstats.claims.inventory import STAND_IN
from turingstats.claims.ledger_page import describe_difference
from turingstats.core.claim_statuses import CHECKED, HOLD, STATUSES
from turingstats.core.data_labels import is_generated
from turingstats.core.labels import separate_thousands, use_minus_signs, write_powers
from turingstats.data.absence import ABSENT
from turingstats.figures.notes import Facts
from turingstats.report.at_a_glance import count_checked_claims, read_rows
from turingstats.report.cells import make_label, make_link, shorten_number

LONG = 40
"""Maximum rows of a table that the page shows; a longer one has a page of its own."""
OFF = {
    "last digit": "by one unit of the last digit",
    "changes significance": "in being significant",
    "different value": "by more",
    "setting of this software": "as settings of this software",
}
"""Words for how far a printed number is off."""


def describe_table(
    name: str, files: dict[str, Path], title: str, note: str, here: Path
) -> dict[str, Any]:
    """Describe a table for the page: the cells of its CSV file, with numbers shortened."""
    rows = read_rows(files["csv"])
    named = {column: Facts(rows).values(column) for column in ("reading", "data")}
    values = {column: list(filter(None, named[column])) for column in named}
    # A column with a single value is described in the caption.
    header = rows[0] if rows else {}
    kept = [c for c in header if c not in values or len(values[c]) > 1]
    return {
        "id": name,
        "label": make_label(name),
        "title": title,
        "note": note,
        "links": {format: make_link(path, here) for format, path in files.items()},
        "header": kept,
        "rows": [[write_powers(shorten_number(row[column])) for column in kept] for row in rows],
        "number": len(rows),
        "reading": "; ".join(values["reading"]),
        "data": "; ".join(values["data"]),
        "long": len(rows) > LONG and "html" in files,
    }


def list_exclusions(
    rows: list[dict[str, str]],
    tasks: dict[str, str],
    cohorts: dict[str, dict[str, str]],
) -> tuple[list[str], list[list[str]]]:
    """List how many trials each cohort has, how many were excluded and why: header and lines."""
    whole = Facts(rows).of("judge", "all")
    readings, steps = whole.values("reading"), whole.group("task", "cohort")
    order = [(task, cohort) for task in tasks for cohort in cohorts.get(task, ())]
    lines = []
    for task, cohort in sorted(steps, key=[*order, *steps].index):
        analyzed, excluded = {}, {}
        for row in steps[task, cohort].rows:
            if row["step"] == "analyzed":
                analyzed[row["reading"]] = f"{int(float(row['rows_out'])):,}"
            if row["reason"] and float(row["excluded"]) > 0:
                by_reading = excluded.setdefault(row["reason"], {})
                by_reading[row["reading"]] = int(float(row["excluded"]))
        reasons = []
        for why, numbers in excluded.items():
            words = [f"{number:,} ({reading})" for reading, number in numbers.items()]
            # Readings that agree are one number.
            if len(set(numbers.values())) == 1 and len(numbers) == len(readings):
                words = [f"{number:,}" for number in {*numbers.values()}]
            reasons.append(f"{why}: {', '.join(words)}")
        lines.append(
            [
                tasks.get(task, task),
                cohorts.get(task, {}).get(cohort, cohort.capitalize()),
                f"{max(int(float(row['rows_in'])) for row in steps[task, cohort].rows):,}",
                *(analyzed.get(reading, "") for reading in readings),
                "; ".join(reasons),
            ]
        )
    header = ["Task", "Judges", "Trials in the source"]
    return [*header, *(f"Analyzed, {reading}" for reading in readings), "Left out"], lines


def sum_up_claims(rows: list[dict[str, str]], labels: dict[str, str]) -> dict[str, Any] | None:
    """Count claims by status: in total, by task, and by the data that they are based on."""
    if not rows:
        return None
    table = pd.DataFrame(rows).astype({"n": int})
    by_task, by_data = (
        table.pivot_table("n", by, "status", aggfunc="sum", fill_value=0, sort=False)
        .reindex(columns=STATUSES, fill_value=0)
        .to_dict("index")
        for by in ("task", "data")
    )
    named = {**labels, "all": "Several tasks"}
    order = dict.fromkeys([*(name for name in named if name in by_task), *by_task])
    return {
        "papers": Facts(rows).values("paper"),
        "total": int(table["n"].sum()),
        "counts": {s: int(table.loc[table["status"] == s, "n"].sum()) for s in STATUSES},
        "tasks": [(named.get(name, name), by_task[name], {"task": name}) for name in order],
        "data": [
            (name, by_data[name], {"data": name})
            for name in sorted(by_data, key=is_generated)
            if len(by_data) > 1
        ],
        "tally": count_checked_claims(rows),
    }


def count_holding(rows: list[dict[str, str]]) -> dict[str, Any] | None:
    """Count the printed numbers that hold, by what they are about, and how far the others are off."""
    checked = [row for row in rows if row["status"] in CHECKED]
    if not checked:
        return None
    hold = [row for row in checked if row["status"] in HOLD]
    off = Counter(describe_difference(row) for row in checked if row["table"] != "settings")
    of_settings = sum(row["table"] == "settings" for row in checked if row not in hold)
    off |= Counter({"setting of this software": of_settings})
    by_subject = {
        "judges and trials": [row["table"] != "texts" for row in checked],
        "counts of words in texts": [row["table"] == "texts" for row in checked],
    }
    return {
        "checked": len(checked),
        "hold": len(hold),
        "subjects": [
            (subject, sum(row["status"] in HOLD for row in compress(checked, about)), sum(about))
            for subject, about in by_subject.items()
            if any(about)
        ],
        "off": [(kind, words, off[kind]) for kind, words in OFF.items() if off[kind]],
    }


def list_printed(claims: list[dict[str, str]], table: str) -> list[list[str]]:
    """List what the paper prints in a table beside the recomputed numbers; of many, what differs."""
    rows = [row for row in claims if table and row["location"] == table]
    if len(rows) > LONG:
        rows = [row for row in rows if row["status"] not in (*HOLD, "no data")]
    columns = ("says", "published", "recomputed", "status")
    return [
        [use_minus_signs(separate_thousands(row[column])) or "\N{EN DASH}" for column in columns]
        for row in rows
    ]


def count_panels(rows: list[dict[str, str]]) -> dict[str, int] | None:
    """Count the panels with data, those that are drawn, and those drawn with a judge trained here."""
    drawn = Counter(row["drawn"] for row in rows)
    of = len(rows) - drawn["not data-driven"] - drawn["skipped"]
    return {"of": of, "drawn": drawn["yes"], "trained": drawn[STAND_IN]} if rows else None


def count_judges(sizes: list[dict[str, str]], reading: str) -> dict[str, int] | None:
    """Count the human judges of a study, those whose identity is known, and the people among these."""
    names = {"n_judges": "judges", "n_judges_known": "known", "n_people": "people"}
    numbers = {
        names[row["quantity"]]: round(float(row["value"]))
        for row in sizes
        # A study of ratings has no column `reading` there.
        if (row["size_id"], row.get("reading")) == (f"all.all.all.{row['quantity']}", reading)
    }
    return {"known": 0, "people": 0} | numbers if numbers.get("judges") else None


def group_missing_files(rows: list[dict[str, str]], study: dict[str, Any]) -> list[dict[str, Any]]:
    """Group the raw files that were not read by the reason, with what each would supply."""
    groups = {}
    for row in rows:
        supplies = row["would_supply"]
        if supplies == f"cohort {row['cohort']}":
            label = study["cohorts"].get(row["task"], {}).get(row["cohort"], row["cohort"])
            supplies = f"judgments of {label}"
        elif supplies == "responses":
            supplies = "responses of people and models"
        key = (study["tasks"].get(row["task"], row["task"]), row["path"])
        groups.setdefault(row["why"], {}).setdefault(key, []).append(supplies)
    return [
        {
            "reason": why,
            "meaning": ABSENT[why],
            "rows": [
                (task, path, "; ".join(dict.fromkeys(supplies)))
                for (task, path), supplies in groups[why].items()
            ],
        }
        for why in ABSENT
        if why in groups
    ]
