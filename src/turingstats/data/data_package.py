"""The description of a folder of trials: a Frictionless Data Package.

`datapackage.json` lists the tables of the folder with their columns and allowed values, and the public files
from which they were made.
"""

from collections.abc import Collection
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from turingstats.core.errors import InputError, SourceError
from turingstats.core.strict_json import read_json

PACKAGE = "datapackage.json"
BY_SPEAKER = ("verdict", "perceived_gender")
"""What a judge says about each speaker of a conversation."""
PUBLISHED_AGENT = "published_agent"
"""Column of the agent that the published analysis takes a response for, where it is another one."""
WHOLE = ("trial", "position", "exchanges", "rt_ms", "turn", "rows")
YES_NO = ("control_ok",)
"""Columns of whole numbers, and of yes and no."""


class Part(BaseModel):
    """A part of the description; what is not read may be anything."""

    model_config = ConfigDict(strict=True)


class Origin(Part):
    """A public file that a table was made from."""

    path: str


class Columns(Part):
    """The columns of a table."""

    primaryKey: list[str] = []


class Table(Part):
    """A table."""

    path: Annotated[str, Field(pattern=r"^[^/\\]+\.csv$")]
    task: str
    kind: Literal["trials", "judges", "stimuli", "responses", "left_out"]
    hash: Annotated[str, Field(pattern="^sha256:[0-9a-f]{64}$")]
    sources: list[Origin]
    columns: Columns = Field(alias="schema")


class Missing(Part):
    """A raw file whose facts the tables do not hold, as a row of missing.csv."""

    task: str
    cohort: str | None
    path: str
    would_supply: str
    why: str


class Package(Part):
    """A folder of tables."""

    version: str = "any"
    """Commit of the files that the tables were made from, or generated."""
    resources: list[Table]
    missing: list[Missing] = []
    notes: list[dict[str, str | int]] = []
    """What those who made the tables noted, as rows of record_checks.csv."""


def load_package(folder: str | Path) -> Package:
    """Read the description of a folder of tables."""
    path = Path(folder) / PACKAGE
    try:
        return Package.model_validate(read_json(path))
    except (InputError, ValidationError) as error:
        fix = explain_restoring(folder)
        raise SourceError(f"{path} cannot be read ({error})", fix=fix) from None


def list_tables(folder: str | Path, tasks: Collection[str]) -> list[Table]:
    """List the tables of the given tasks; a task may have none if files of it are missing."""
    package = load_package(folder)
    tables = package.resources
    described = {*tasks} - {row.task for row in package.missing} | {one.task for one in tables}
    needed = {f"{task}_{kind}.csv" for task in described for kind in ("trials", "judges")}
    there = {path.name for path in Path(folder).glob("*.csv")}
    lacking = (needed | there) - {table.path for table in tables}
    if lacking:
        problem = f"{Path(folder) / PACKAGE} does not describe {', '.join(sorted(lacking))}"
        raise SourceError(problem, fix=explain_restoring(folder))
    return [table for table in tables if table.task in tasks]


def list_public_paths(folder: str | Path) -> set[str]:
    """List the paths of the public files from which the tables were made."""
    tables = load_package(folder).resources
    return {source.path for table in tables for source in table.sources}


def explain_restoring(path: str | Path) -> str:
    """Say how to restore a file or folder of a package."""
    return f"restore it with `git checkout -- {path}`; if it is in data/raw/, delete its folder and run again"
