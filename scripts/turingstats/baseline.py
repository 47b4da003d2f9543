"""Accepted results, and how a run differs from them.

A baseline is a folder of CSV files, one a table, and `baseline.yaml` with the settings of the run. Cells
are compared as they are written; with a declared tolerance two numbers that are nearly equal are the
same, as on another computer's processor.
"""

import json
import math
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

import pandas as pd
import yaml

from turingstats.config.raw_files import NAMED_SOURCES
from turingstats.config.settings import Config
from turingstats.core import files
from turingstats.core.errors import ConfigError

SETTINGS = "baseline.yaml"
# What is held fixed of a study's results; of the ledger only what is no explanation.
TABLES = ("statistics/*.csv", "figures/*.csv", "tables/*.csv")
LEDGER = {
    "claims/claims.csv": "paper claim_id status reading recomputed recommended data".split(),
    "claims/notebooks.csv": "paper claim_id status reading recomputed recommended data".split(),
    "claims/consistency.csv": "paper check_id verdict data".split(),
}
# Columns that name a row, in a table without an id.
NAMES = (
    "figure panel task Task cohort judge judge_kind group_by group agent quantity step reason reading"
).split()
# Settings that say where results go and how pictures look, not what the numbers are.
FREE = {"pathvars": True, "figures": {"formats", "dpi", "colormap"}}
SHOWN = 15


@dataclass(frozen=True)
class Difference:
    """One thing that is not as accepted."""

    file: str
    row: str
    column: str
    accepted: str
    found: str

    def __str__(self):
        if not self.column:
            return f"{self.row}: {self.found or 'gone'}" if self.row else self.found
        return f"{self.row}: {self.column} {self.accepted or 'empty'} -> {self.found or 'empty'}"


# A row a judge, person or stimulus.
SINGLE = ("random_effects.csv", "signal_detection.csv", "judgeSpread.csv", "acrossTasks.csv")


def take(results, compact=False):
    """Read what is held fixed of a study's results.

    Parameters
    ----------
    results : path-like
        Folder of the results of one study.
    compact : bool
        Leave the groups of judges out of the estimates and sizes, which they fill, and tables with a
        row a judge or stimulus; the figures show those that matter.

    Returns
    -------
    dict of str to pandas.DataFrame
        Tables of text by file name.
    """
    results = Path(results)
    tables = {}
    for pattern in TABLES:
        for path in sorted(results.glob(pattern)):
            tables[path.name] = read(path)
    for name, columns in LEDGER.items():
        path = results / name
        if path.exists():
            tables[path.name] = read(path)[columns]
    if compact:
        tables = {name: table for name, table in tables.items() if name not in SINGLE}
        for name in {"estimates.csv", "sizes.csv"} & set(tables):
            table = tables[name]
            tables[name] = table[table["group_by"] == "all"].reset_index(drop=True)
    return tables


def read(path):
    """Read a CSV as text, so that nothing is lost of how its numbers are written."""

    return pd.read_csv(path, dtype=str, keep_default_na=False)


def settings_of(results):
    """The settings of a run that its numbers follow from.

    Parameters
    ----------
    results : path-like
        Folder of the results of one study; its provenance holds the configuration.

    Returns
    -------
    dict
        As in the configuration file; a path of raw data is named "checkout", because it differs from
        computer to computer.
    """

    config = json.loads((Path(results) / "data/provenance.json").read_text())["config"]
    settings = Config(**config).model_dump(mode="json", exclude=FREE)
    if settings["data"]["source"] not in NAMED_SOURCES:
        settings["data"]["source"] = "checkout"
    return settings


def accept(folder, tables, settings, tolerance=None, compact=None):
    """Write a baseline; what an earlier one had and this run has not is removed.

    Parameters
    ----------
    folder : path-like
    tables : dict of str to pandas.DataFrame
    settings : dict
    tolerance, compact : optional
        None keeps those of the earlier baseline (0 and False without one).
    """

    folder = Path(folder)
    earlier = options(folder)
    for path in folder.glob("*.csv"):
        if path.name not in tables:
            path.unlink()
    for name, table in tables.items():
        files.write(table, folder / name)
    kept = {
        "relative_tolerance": earlier["relative_tolerance"] if tolerance is None else tolerance,
        "compact": earlier["compact"] if compact is None else compact,
        "settings": settings,
    }
    text = yaml.safe_dump(kept, sort_keys=False, default_flow_style=None, allow_unicode=True)
    files.write_text(
        "# Written by `make accept`; see docs/checking.md.\n" + text, folder / SETTINGS
    )


def options(folder):
    """Tolerance, extent and settings of a baseline; the defaults where there is none."""

    path = Path(folder) / SETTINGS
    found = yaml.safe_load(path.read_text()) if path.exists() else {}
    return {"relative_tolerance": 0.0, "compact": False, "settings": None} | found


def check(folder, tables, settings):
    """Differences of a run from a baseline.

    Parameters
    ----------
    folder : path-like
    tables : dict of str to pandas.DataFrame
        From `take`.
    settings : dict
        From `settings_of`.

    Returns
    -------
    list of Difference

    Raises
    ------
    ConfigError
        There is no baseline, or it was made with other settings.
    """
    folder = Path(folder)
    known = options(folder)
    if known["settings"] is None:
        raise ConfigError(
            f"There is no accepted baseline in {folder}. Look at the results, then accept them: make accept"
        )
    other = list(changed(known["settings"], settings))
    if other:
        raise ConfigError(
            f"The baseline in {folder} was made with other settings, so that numbers cannot be compared:\n"
            + "\n".join(f"  {key}: {old!r} -> {new!r}" for key, old, new in other)
            + "\nRun with the settings of the baseline, or accept new results: make accept"
        )
    accepted = {path.name: read(path) for path in sorted(folder.glob("*.csv"))}
    return compare(accepted, tables, known["relative_tolerance"])


def changed(one, other, place=""):
    """Keys whose values differ between two nested mappings, with both values."""
    for key in {**one, **other}:
        old, new = one.get(key), other.get(key)
        if isinstance(old, dict) and isinstance(new, dict):
            yield from changed(old, new, f"{place}{key}.")
        elif old != new:
            yield f"{place}{key}", old, new


def compare(accepted, found, tolerance=0.0):
    """Differences between two sets of tables.

    Parameters
    ----------
    accepted, found : dict of str to pandas.DataFrame
        Tables of text by file name.
    tolerance : float
        Relative tolerance of numbers; 0 compares the text of cells.

    Returns
    -------
    list of Difference
        In the order of the accepted files, rows and columns; new files at the end.
    """
    differences = []
    for name, table in accepted.items():
        if name not in found:
            differences.append(Difference(name, "", "", "", "accepted, but not made by this run"))
        else:
            differences += compare_tables(name, table, found[name], tolerance)
    for name in found:
        if name not in accepted:
            differences.append(Difference(name, "", "", "", "made by this run, but not accepted"))
    return differences


def compare_tables(name, accepted, found, tolerance):
    """Differences between two tables of one name."""
    differences = []
    for column in accepted.columns:
        if column not in found:
            differences.append(Difference(name, f"column {column}", "", "", "gone"))
    for column in found.columns:
        if column not in accepted:
            differences.append(Difference(name, f"column {column}", "", "", "new"))
    columns = [column for column in accepted.columns if column in found]
    rows, others = (
        dict(zip(labels(t), t[columns].to_numpy(), strict=True)) for t in (accepted, found)
    )
    for label, old in rows.items():
        if label not in others:
            differences.append(Difference(name, label, "", "", "gone"))
            continue
        new = others[label]
        if (old == new).all():
            continue
        for column, before, after in zip(columns, old, new, strict=True):
            if before != after and not near(before, after, tolerance):
                differences.append(Difference(name, label, column, before, after))
    differences += [
        Difference(name, label, "", "", "new row") for label in others if label not in rows
    ]
    return differences


def labels(table):
    """What to call each row: its id and reading, or the columns that name it; repeats are numbered."""
    ids = [column for column in table.columns if column.endswith("_id")]
    names = [*ids[:1], *(["reading"] if "reading" in table and "claim_id" not in table else [])]
    if not ids:
        names = [column for column in NAMES if column in table] or list(table.columns[:1])
    seen = {}
    for row in table[names].to_numpy():
        label = ", ".join(cell for cell in row if cell)
        seen[label] = seen.get(label, 0) + 1
        yield label if seen[label] == 1 else f"{label} ({seen[label]})"


def near(one, other, tolerance):
    """Whether two cells hold numbers that are equal within a relative tolerance."""
    if not tolerance:
        return False
    try:
        # Differences of equal numbers leave a rest of about 1e-16.
        return math.isclose(float(one), float(other), rel_tol=tolerance, abs_tol=1e-15)
    except ValueError:
        return False


def report(differences):
    """Differences as text, by file, the first of each.

    Returns
    -------
    str
    """
    lines = []
    for name, group in groupby(differences, key=lambda difference: difference.file):
        own = list(group)
        if not own[0].row:
            lines.append(f"{name}: {own[0]}")
            continue
        lines.append(f"{name}: {len(own)} difference{'s' if len(own) > 1 else ''}")
        lines += [f"  {difference}" for difference in own[:SHOWN]]
        if len(own) > SHOWN:
            lines.append(f"  and {len(own) - SHOWN} more")
    return "\n".join(lines)
