"""Write a data package: tables as CSV, and `datapackage.json`, which describes them.

`turingstats.data.package_reader` explains the tables and reads them.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from turingstats.core import files
from turingstats.data import schema
from turingstats.data.data_package import PACKAGE, PUBLISHED_AGENT, WHOLE, YES_NO

IMPLIED = ("study", "task", "judge_kind", "truth")
"""Columns of the data contract that follow from the file and cohort of a row, and from its agent."""
KEYS = {
    "trials": ["cohort", "judge", "trial"],
    "judges": ["cohort", "judge"],
    "stimuli": ["stimulus"],
    "responses": None,
    "left_out": ["cohort", "reason"],
}
"""Columns that identify a row of each table."""
FREE = ("judge", "stimulus", "response", "responder", "tags", "person", "file", "reason")
"""Text without a list of allowed values."""


def format_package(
    tables: Mapping[str, pd.DataFrame],
    header: Mapping[str, Any],
    made_of: Mapping[str, Sequence[str]],
) -> dict[str, str]:
    """Format the files of a data package, by name."""
    contents, resources = {}, []
    for name, table in tables.items():
        table = format_cells(table)
        task, kind = split_table_name(name)
        text = table.to_csv(index=False, lineterminator="\n")
        contents[f"{name}.csv"] = text
        resources.append(describe_table(name, task, kind, table, text.encode(), made_of[task]))
    package = {**header, "resources": resources}
    return contents | {PACKAGE: format_description(package)}


def format_description(content: Mapping[str, Any]) -> str:
    """Format the description of a package as JSON."""
    return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def save_package(contents: Mapping[str, str], folder: str | Path) -> None:
    """Write the files of a data package, by name, into a folder; the description comes last."""
    folder = Path(folder)
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in contents.items():
        (folder / name).write_text(text, encoding="utf-8")


def format_cells(table: pd.DataFrame) -> pd.DataFrame:
    """Format a table as text, without the columns that are implied or empty."""
    kept = [name for name in table if name not in IMPLIED and table[name].notna().any()]
    return table[kept].reset_index(drop=True).apply(write_cells)


def write_cells(cells: pd.Series) -> pd.Series:
    """Format the cells of a column as they are written to a file."""
    if cells.name in YES_NO:
        return cells.map({True: "yes", False: "no"}).fillna("").astype(str)
    if cells.name in WHOLE:
        return cells.astype("Int64").astype(str).where(cells.notna(), "")
    return cells.astype(object).where(cells.notna(), "").astype(str)


def split_table_name(name: str) -> tuple[str, str]:
    """Split the name of a table into task and kind."""
    (kind,) = (kind for kind in KEYS if name.endswith(f"_{kind}"))
    return name.removesuffix(f"_{kind}"), kind


def describe_table(
    name: str, task: str, kind: str, table: pd.DataFrame, content: bytes, made_of: Sequence[str]
) -> dict[str, Any]:
    """Describe one table as a resource of the data package."""
    key = {"primaryKey": KEYS[kind]} if KEYS[kind] else {}
    return {
        "name": name,
        "path": f"{name}.csv",
        "profile": "tabular-data-resource",
        "task": task,
        "kind": kind,
        "rows": len(table),
        "bytes": len(content),
        "hash": files.digest_bytes(content),
        "schema": {"fields": [describe_column(table[column]) for column in table]} | key,
        "sources": [{"title": path, "path": path} for path in made_of],
    }


def describe_column(cells: pd.Series) -> dict[str, Any]:
    """Describe one column: type, meaning, allowed values."""
    name = str(cells.name)
    base = name.removesuffix("_a").removesuffix("_b")
    meanings = {PUBLISHED_AGENT: "the agent in the published analysis, where it is another one"}
    for kind in reversed(schema.READ):
        meanings |= schema.CONTRACT[kind]
    meaning = meanings.get(base, "condition or answer that the study names")
    meaning += f", speaker {name[-1].upper()}" if base != name else ""
    limits: dict[str, Any] = {"required": True} if (cells != "").all() else {}
    kind = "integer" if name in WHOLE else "string"
    if name in WHOLE:
        limits["minimum"] = 0
    elif name not in FREE:
        limits["enum"] = sorted(set(cells) - {""})
    return {"name": name, "type": kind, "description": meaning, "constraints": limits}
