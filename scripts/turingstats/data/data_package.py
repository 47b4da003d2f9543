"""The description of a folder of observed trials: a Frictionless Data Package.

`datapackage.json` lists the tables of the folder with their columns and allowed values, and the public files
from which they were made.
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
        It is missing or cannot be read.
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
