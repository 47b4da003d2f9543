"""List the raw files of a run, and those that are not available."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pandas as pd

from turingstats.config.raw_files import AbsentFile, RawFile
from turingstats.core.errors import SourceError
from turingstats.data import data_package, provenance, sources


def list_raw_files(raw: Mapping[str, Any]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """List the raw files that are there, with their commit, and those that are missing."""
    wanted = [RawFile(**file) for file in raw["files"]]
    absent = [AbsentFile(**row) for row in raw["not_public"]]
    commit, folder = raw["commit"], raw["folder"]
    if raw["source"] == "public" and not raw["repository"]:
        raise SourceError(
            "The raw files of this study are not public. Use data.source: demo, or the path of a "
            "folder with the files listed in data/sources/."
        )
    if raw["is_package"]:
        commit = data_package.load_package(folder).get("version", "any")
        present, missing = sources.list_package(folder, raw["cohorts"], absent)
    else:
        if commit != "generated":
            commit = sources.verify_checkout(folder, commit, [file.path for file in wanted])
        present, missing = sources.list_raw_files(
            folder, wanted, absent, raw["allow_missing"], raw["origin"]
        )
    origin = raw["source"] if Path(raw["origin"]).is_absolute() else raw["origin"]
    print(
        f"{len(present)} raw files from {provenance.drop_folder(origin)}, commit {commit}; "
        f"{len(missing)} missing"
    )
    return present.assign(commit=commit), missing
