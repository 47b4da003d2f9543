"""The description of a folder of observed trials: a Frictionless Data Package.

`datapackage.json` lists the tables of the folder with their columns and allowed values, and the public files
that they were made from.
"""

import json
from pathlib import Path

from turingstats.config.raw_files import RawFile
from turingstats.core.errors import SourceError

PACKAGE = "datapackage.json"
FORMAT = "observed_table"
"""Name of the adapter (`turingstats.data.adapters.observed_table`)."""


def load_package(folder):
    """Read the description of a folder of observed tables.

    Raises
    ------
    SourceError
        It is not there, or not readable.
    """
    path = Path(folder) / PACKAGE
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise SourceError(
            f"{path} cannot be read ({error}).\n"
            f"Restore the observed trials with `git checkout -- {folder}`."
        ) from None


def list_files(folder, tasks):
    """List the tables of the given tasks as raw files.

    Parameters
    ----------
    folder : path-like
    tasks : collection of str

    Returns
    -------
    list of RawFile
    """
    return [
        RawFile(
            path=described["path"], format=FORMAT, key=described["kind"], task=described["task"]
        )
        for described in load_package(folder)["resources"]
        if described["task"] in tasks
    ]


def list_public_paths(folder):
    """Paths of the public files whose facts the tables hold."""
    return {path for held in list_held_files(folder).values() for path in held}


def list_held_files(folder):
    """Paths of the public files whose facts each table holds.

    Returns
    -------
    dict of str to list of str
        By name of the table's file.
    """
    resources = load_package(folder)["resources"]
    return {own["path"]: [source["path"] for source in own["sources"]] for own in resources}
