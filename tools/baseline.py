"""Accepted results, and how a run differs from them.

A baseline is a folder of CSV files, one per table at the path that it has in the results, and `baseline.yaml`
with the settings of the run. Cells are compared as they are written; with a declared tolerance two nearly
equal numbers count as the same, as when another processor computed them.
"""

import hashlib
import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import yaml

from turingstats.config.raw_files import NAMED_SOURCES
from turingstats.config.settings import Config
from turingstats.core import files
from turingstats.core.errors import ConfigError

Tables = dict[str, pd.DataFrame]

SETTINGS = "baseline.yaml"
DEFAULTS = {
    "relative_tolerance": 0.0,
    "picture_tolerance": 0.0,
    "compact": False,
    "settings": None,
}
"""Its keys: up to which difference numbers, and pictures, are equal; whether tables are shortened."""
# Results of a study that are held fixed; for the ledger, everything except explanations.
TABLES = ("statistics/*.csv", "figures/*.csv", "tables/*.csv")
ANSWER = ["paper", "claim_id", "status", "reading", "recomputed", "recommended", "data"]
LEDGER = {
    "claims/claims.csv": ANSWER,
    "claims/notebooks.csv": ANSWER,
    "claims/consistency.csv": ["paper", "check_id", "result", "data"],
}
# Columns that name a row, in a table without an id.
NAMES = (
    *("figure", "panel", "task", "Task", "cohort", "judge", "judge_kind", "group_by", "group"),
    *("agent", "quantity", "step", "reason", "reading"),
)
# Settings that determine where results go, how pictures look and what is planned, but no numbers of a run.
FREE: dict[str, Any] = {"pathvars": True, "plan": True, "figures": {"formats", "dpi"}}
SHOWN = 15


@dataclass(frozen=True)
class Difference:
    """One deviation from the accepted results."""

    file: str
    row: str = ""
    column: str = ""
    accepted: str = ""
    found: str = ""

    def __str__(self) -> str:
        if not self.column:
            return f"{self.row}: {self.found}" if self.row else self.found
        return f"{self.row}: {self.column} {self.accepted or 'empty'} -> {self.found or 'empty'}"


# Tables with one row per judge, stimulus, rater, code or pair: a compact baseline summarizes them.
LONG = re.compile(
    "statistics/(random_effects|stimuli|codes|alignment|agreement|individuals|map).csv"
    "|figures/judge_spread.csv"
)
LONG_FIGURE = 500
"""Source data of a figure with more rows than this are also summarized."""
SUMMARY = "long_tables.csv"
UNANSWERED = ("no data", "not computed")
"""Statuses of claims without a number, which a compact baseline leaves out."""


def read_results(results: Path, compact: bool = False) -> Tables:
    """Read the tables of a study that are held fixed, as text by path such as "statistics/tests.csv"."""
    results = Path(results)
    tables = {}
    for pattern in TABLES:
        for path in sorted(results.glob(pattern)):
            tables[f"{path.parent.name}/{path.name}"] = read_table(path)
    for name, columns in LEDGER.items():
        path = results / name
        if path.exists():
            tables[name] = read_table(path)[columns]
    return shorten_tables(tables) if compact else tables


def shorten_tables(tables: Tables) -> Tables:
    """Reduce tables to those of a compact baseline.

    Groups of judges, which are most of the rows of estimates and sizes, and claims without an answer are
    left out, and long tables summarized in one.
    """
    kept, summaries = {}, []
    for name, table in tables.items():
        if name in ("statistics/estimates.csv", "statistics/sizes.csv") and "group_by" in table:
            table = table[table["group_by"] == "all"].reset_index(drop=True)
        if name in LEDGER and "status" in table:
            table = table[~table["status"].isin(UNANSWERED)].reset_index(drop=True)
        if LONG.fullmatch(name) or (name.startswith("figures/") and len(table) > LONG_FIGURE):
            summaries.append(sum_up_table(name, table))
        else:
            kept[name] = table
    return kept | ({SUMMARY: pd.concat(summaries, ignore_index=True)} if summaries else {})


def sum_up_table(name: str, table: pd.DataFrame) -> pd.DataFrame:
    """Summarize a long table of text in one row per column, so that a changed cell shows.

    Every column has its number of rows and of filled cells. Text has a digest. Numbers have how many are
    negative and their root mean square, plain and weighted by the position of the row: unlike a mean, both
    are far from zero if the numbers are, so that a relative tolerance makes sense.
    """
    rows = []
    for column in table.columns:
        cells = table[column][table[column] != ""]
        row = {"column": f"{name} {column}", "rows": len(table), "filled": len(cells)}
        numbers = pd.to_numeric(cells, errors="coerce")
        if numbers.isna().any():
            digest = hashlib.sha256("\n".join(table[column]).encode()).hexdigest()
            row["digest"] = digest[:16]
        elif len(cells):
            squares = (numbers**2).to_numpy()
            places = cells.index.to_numpy() + 1
            row["negative"] = int((numbers < 0).sum())
            row["rms"] = math.sqrt(math.fsum(squares) / len(squares))
            row["rms_by_place"] = math.sqrt(math.fsum(squares * places) / places.sum())
        rows.append(row)
    columns = ["column", "rows", "filled", "digest", "negative", "rms", "rms_by_place"]
    return pd.DataFrame(rows, columns=columns, dtype=object).fillna("").astype(str)


def read_table(path: Path) -> pd.DataFrame:
    """Read a CSV as text, so that its numbers are kept exactly as written."""
    return pd.read_csv(path, dtype=str, keep_default_na=False)


def read_settings(results: Path) -> dict[str, Any]:
    """Read the settings of a run that determine its numbers, where they are not the defaults.

    A path of raw data is named "checkout", because it differs from computer to computer.
    """
    config = json.loads((Path(results) / "data/provenance.json").read_text())["config"]
    settings = Config(**config).model_dump(mode="json", exclude=FREE, exclude_defaults=True)
    data = settings.get("data", {})
    if data.get("source", NAMED_SOURCES[0]) not in NAMED_SOURCES:
        data["source"] = "checkout"
    return {key: value for key, value in settings.items() if value != {}}


def write_baseline(folder: Path, tables: Tables, settings: dict[str, Any]) -> None:
    """Write a baseline; tables of an earlier one that this run lacks are removed, options are kept."""
    folder = Path(folder)
    options = read_options(folder) | {"settings": settings}
    for path in folder.rglob("*.csv"):
        path.unlink()
    for name, table in tables.items():
        files.write_frame(table, folder / name)
    text = yaml.safe_dump(options, sort_keys=False, default_flow_style=None, allow_unicode=True)
    files.write_text(
        "# Written by `make accept`; see docs/checking.md.\n" + text, folder / SETTINGS
    )


def read_options(folder: Path) -> dict[str, Any]:
    """Read tolerances, extent and settings of a baseline; the defaults if there is none."""
    path = Path(folder) / SETTINGS
    options = yaml.safe_load(path.read_text()) if path.exists() else {}
    return DEFAULTS | options


def check_results(folder: Path, tables: Tables, settings: dict[str, Any]) -> list[Difference]:
    """List the differences of a run from a baseline."""
    folder = Path(folder)
    known = read_options(folder)
    if known["settings"] is None:
        raise ConfigError(
            f"There is no accepted baseline in {folder}. Look at the results, then accept them: make accept"
        )
    other = list(find_changed_settings(known["settings"], settings))
    if other:
        raise ConfigError(
            f"The baseline in {folder} was made with other settings, so that numbers cannot be compared:\n"
            + "\n".join(f"  {key}: {old} -> {new}" for key, old, new in other)
            + "\nRun with the settings of the baseline, or accept new results: make accept"
        )
    accepted = {
        str(path.relative_to(folder)): read_table(path) for path in sorted(folder.rglob("*.csv"))
    }
    return compare_table_sets(accepted, tables, known["relative_tolerance"])


def find_changed_settings(
    one: dict[str, Any], other: dict[str, Any]
) -> Iterator[tuple[str, Any, Any]]:
    """List keys whose values differ between two nested mappings, with both values."""
    old, new = (pd.json_normalize(settings).to_dict("records")[0] for settings in (one, other))
    for key in {**old, **new}:
        before, after = (part.get(key, "the default") for part in (old, new))
        if before != after:
            yield key, before, after


def compare_table_sets(accepted: Tables, found: Tables, tolerance: float = 0.0) -> list[Difference]:
    """List the differences between two sets of tables."""
    differences = []
    for name, table in accepted.items():
        if name in found:
            differences += compare_tables(name, table, found[name], tolerance)
        else:
            differences.append(Difference(name, found="accepted, but not made by this run"))
    new = [name for name in found if name not in accepted]
    return differences + [
        Difference(name, found="made by this run, but not accepted") for name in new
    ]


def compare_tables(
    name: str, accepted: pd.DataFrame, found: pd.DataFrame, tolerance: float
) -> Iterator[Difference]:
    """List the differences between two tables of the same name."""
    old, new = (table.set_axis(list(label_rows(table))) for table in (accepted, found))
    for prefix, one, other in (
        ("column ", old.columns, new.columns),
        ("", old.index, new.index),
    ):
        for label in one.difference(other, sort=False):
            yield Difference(name, f"{prefix}{label}", found="gone")
        for label in other.difference(one, sort=False):
            yield Difference(name, f"{prefix}{label}", found="new")
    columns = old.columns.intersection(new.columns)
    rows = old.index.intersection(new.index)
    before, after = (table.loc[rows, columns] for table in (old, new))
    for i, j in np.argwhere((before != after).to_numpy()):
        cells = before.iat[i, j], after.iat[i, j]
        if not is_near(*cells, tolerance):
            yield Difference(name, rows[i], columns[j], *cells)


def label_rows(table: pd.DataFrame) -> Iterator[str]:
    """Name each row: by its id and reading, or by the columns that identify it; repeats are numbered."""
    ids = [column for column in table.columns if column.endswith("_id")]
    names = [*ids[:1], *(["reading"] if "reading" in table and "claim_id" not in table else [])]
    if not ids:
        names = [column for column in NAMES if column in table] or list(table.columns[:1])
    seen = {}
    for row in table[names].to_numpy():
        label = ", ".join(cell for cell in row if cell)
        seen[label] = seen.get(label, 0) + 1
        yield label if seen[label] == 1 else f"{label} ({seen[label]})"


def is_near(one: str, other: str, tolerance: float) -> bool:
    """Tell whether two cells hold numbers that are equal within a relative tolerance."""
    if not tolerance:
        return False
    try:
        # Differences of equal numbers leave a remainder of about 1e-16.
        return math.isclose(float(one), float(other), rel_tol=tolerance, abs_tol=1e-15)
    except ValueError:
        return False


def format_differences(differences: list[Difference]) -> str:
    """Format differences as text, by file, the first few of each."""
    lines = []
    for name, group in groupby(differences, key=lambda difference: difference.file):
        own = list(group)
        if not own[0].row:
            lines.append(f"{name}: {own[0]}")
            continue
        lines.append(f"{name}: {len(own)} difference{'s' * (len(own) > 1)}")
        lines += [f"  {difference}" for difference in own[:SHOWN]]
        lines += [f"  and {len(own) - SHOWN} more"] * (len(own) > SHOWN)
    return "\n".join(lines)
