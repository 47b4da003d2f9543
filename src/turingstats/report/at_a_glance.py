"""What the results of a study are based on: observed, printed or generated data.

Reports state it in their first line, the overview page and the terminal in one row per study.
Numbers come only from result files.
"""

import os
from collections import Counter
from pathlib import Path
from typing import Any

from turingstats.core import files
from turingstats.core.claim_statuses import (
    CHECKED,
    HOLD,
    IMPOSSIBLE,
    NOT_RECOVERED,
    RECOVERED,
    count_in_words,
)
from turingstats.core.data_labels import find_data_kind
from turingstats.report.cells import write_sentence

PRINTED = {"success_rates": "counts", "printed_rates": "pass rates"}
"""Tables of statistics/ that are computed from printed numbers, and what the paper prints for them."""


def read_rows(path: Path | None) -> list[dict[str, str]]:
    """Read the rows of a CSV file as dictionaries of text; none if the file is missing or None."""
    if path is None or not Path(path).exists():
        return []
    header, *rows = files.read_text_rows(path) or [[]]
    return [dict(zip(header, row, strict=False)) for row in rows]


def describe_basis(study: dict[str, Any], folder: Path | str) -> dict[str, Any]:
    """Describe what the results of a study are based on."""
    folder = Path(folder)
    kind = find_data_kind(study["data"])
    printed = Counter(
        what
        for table, what in PRINTED.items()
        for row in read_rows(folder / "statistics" / f"{table}.csv")
        if find_data_kind(row["data"]) == "printed"
    )
    basis: dict[str, Any] = dict.fromkeys(("trials", "judges", "machines")) | {
        "kind": kind,
        "called": study["called"],
        "printed": printed,
        "generated": study["called"] if kind == "generated" else "",
    }
    if kind == "generated" and printed:
        basis["kind"] = "mixed"
    elif kind != "generated":
        basis |= count_observed_trials(study, folder)
    return basis | {"sentence": write_sentence("basis", basis)}


def count_observed_trials(study: dict[str, Any], folder: Path) -> dict[str, int | None]:
    """Count the trials that were read, and their judges; None if the results do not say."""
    if study.get("design") == "ratings":
        return count_rated_trials(read_rows(folder / "data/exclusions.csv"))
    sizes: dict[str, dict[tuple[str, str], int]] = {}
    for row in read_rows(folder / "statistics/sizes.csv"):
        place = row["task"], row["cohort"]
        if row.get("group_by") == "all" and place[1] in study["read_cohorts"].get(place[0], ()):
            # One reading may leave judges out, but both read the same files.
            numbers = sizes.setdefault(row["quantity"], {})
            numbers[place] = max(numbers.get(place, 0), int(float(row["value"])))
    people = sizes.get("n_judges_in_source", {})
    judges = sizes.get("n_judges", {}).items()
    held = [row["trials"] for row in read_rows(folder / "data/sources.csv") if row.get("trials")]
    trials = sum(int(float(n)) for n in held) or sum(sizes.get("n_in_source", {}).values())
    return {
        "trials": trials or None,
        "judges": sum(people.values()) or None,
        "machines": sum(number for place, number in judges if place not in people) or None,
    }


def count_rated_trials(account: list[dict[str, str]]) -> dict[str, int | None]:
    """Count the trials of a study of similarity ratings, the people who rated, and the systems that did."""
    people = sum(int(row["raters"]) for row in account if row["kind"] == "human")
    return {
        "trials": sum(int(row["trials"]) for row in account) or None,
        "judges": people or None,
        "machines": sum(row["kind"] != "human" for row in account) or None,
    }


def count_checked_claims(rows: list[dict[str, str]]) -> dict[str, int]:
    """Count the claims that were checked, separately for real and for generated data."""
    counted = {
        "checked": CHECKED,
        "hold": HOLD,
        "tried": (RECOVERED, NOT_RECOVERED),
        "recovered": (RECOVERED,),
        "impossible": (IMPOSSIBLE,),
    }
    return {
        name: sum(int(row["n"]) for row in rows if row["status"] in statuses)
        for name, statuses in counted.items()
    }


def make_row(study: dict[str, Any], folder: Path | str, here: Path | str) -> dict[str, str]:
    """Make the row of a study in the table of all studies, with links relative to `here`."""
    basis = describe_basis(study, folder)
    counts = count_checked_claims(read_rows(Path(folder) / "claims/summary.csv"))
    real = []
    if basis["trials"]:
        judges = f" of {basis['judges']:,} human judges" if basis["judges"] else ""
        real.append(f"{basis['kind']} {basis['called']}: {basis['trials']:,}{judges}")
    elif basis["kind"] in ("observed", "public"):
        real.append(f"{basis['kind']} {basis['called']}")
    real += [f"printed {what}: {number:,}" for what, number in basis["printed"].items()]
    holding = format_share(counts["hold"], counts["checked"], "hold")
    if counts["impossible"]:
        holding += f"; {count_in_words(counts['impossible'], IMPOSSIBLE)}"
    return {
        "Study": study["study"],
        "Real": "; ".join(real) or "nothing",
        "Generated": f"all {basis['generated']}" if basis["generated"] else "nothing",
        "Claims on real data": holding,
        "Recovery of generated data": format_share(
            counts["recovered"], counts["tried"], "recovered"
        ),
        "Report": find_page(folder, here),
    }


def find_page(folder: Path | str, here: Path | str) -> str:
    """Find the report of a study in its folder of results, from another folder."""
    return os.path.relpath(Path(folder) / "report/index.html", here)


def format_share(number: int, of: int, what: str) -> str:
    """Write a share in words, such as "7 of 10 hold"."""
    return f"{number} of {of} {what}" if of else "none"


def summarize_study(study: dict[str, Any], folder: Path | str, here: Path | str) -> str:
    """Summarize a study in three lines at most: its data, its claims by status, and the page to open."""
    lines = [f"{study['study']}: {describe_basis(study, folder)['sentence']}."]
    counts: Counter[str] = Counter()
    for row in read_rows(Path(folder) / "claims/summary.csv"):
        counts[row["status"]] += int(row["n"])
    if statuses := ", ".join(count_in_words(n, status) for status, n in counts.items() if n):
        lines.append(f"Claims: {statuses}.")
    return "\n".join([*lines, f"Open {find_page(folder, here)}"])
