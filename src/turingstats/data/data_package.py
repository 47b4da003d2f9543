"""The description of a folder of observed trials: a Frictionless Data Package.

`datapackage.json` lists the tables of the folder with their columns and allowed values, and the public files
from which they were made.
"""

from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from turingstats.config.raw_files import RawFile
from turingstats.core.errors import InputError, SourceError
from turingstats.core.strict_json import read_json

PACKAGE = "datapackage.json"
FORMAT = "observed_table"
"""Name of the adapter (`turingstats.data.adapters.observed_table`)."""


class Part(BaseModel):
    """A part of the description; what is not read may be anything."""

    model_config = ConfigDict(strict=True)


class Origin(Part):
    """A public file that a table was made from."""

    path: str


class Column(Part):
    """A column and the values it may have."""

    name: str
    type: str
    constraints: dict[str, Any]


class Columns(Part):
    """The columns of a table."""

    fields: list[Column]
    primaryKey: list[str] | str | None = None


class Table(Part):
    """A table."""

    path: Annotated[str, Field(pattern=r"^[^/\\]+\.csv$")]
    task: str
    kind: Literal["trials", "judges", "stimuli", "responses", "left_out"]
    rows: int
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

    resources: list[Table]
    missing: list[Missing] = []


def load_package(folder):
    """Read the description of a folder of observed tables.

    Raises
    ------
    SourceError
        It is missing or cannot be read.
    """
    path = Path(folder) / PACKAGE
    try:
        content = read_json(path)
        Package.model_validate(content)
    except (InputError, ValidationError) as error:
        raise SourceError(
            f"{path} cannot be read ({error}).\n"
            f"Restore the observed trials with `git checkout -- {folder}`."
        ) from None
    return content


def list_files(folder, tasks):
    """List the tables of the given tasks as raw files.

    Parameters
    ----------
    folder : path-like
    tasks : collection of str

    Returns
    -------
    list of RawFile

    Raises
    ------
    SourceError
        The description lacks a table of the folder, or the trials or judges of a task.
    """
    described = {table["path"] for table in load_package(folder)["resources"]}
    needed = {f"{task}_{kind}.csv" for task in tasks for kind in ("trials", "judges")}
    lacking = (needed | {path.name for path in Path(folder).glob("*.csv")}) - described
    if lacking:
        raise SourceError(
            f"{Path(folder) / PACKAGE} does not describe {', '.join(sorted(lacking))}.\n"
            f"Restore the observed trials with `git checkout -- {folder}`."
        )
    return [
        RawFile(
            path=described["path"], format=FORMAT, key=described["kind"], task=described["task"]
        )
        for described in load_package(folder)["resources"]
        if described["task"] in tasks
    ]


def list_public_paths(folder):
    """List the paths of the public files from which the tables were made."""
    return {path for held in list_held_files(folder).values() for path in held}


def list_held_files(folder):
    """List the paths of the public files from which each table was made.

    Returns
    -------
    dict of str to list of str
        Paths by file name of the table.
    """
    resources = load_package(folder)["resources"]
    return {table["path"]: [source["path"] for source in table["sources"]] for table in resources}
