"""Read the raw files of a study into the tables of the data contract."""

import fnmatch
from collections.abc import Mapping
from typing import Any

import pandas as pd

from turingstats.config.raw_files import RawFile, escape_pattern
from turingstats.config.study import Study
from turingstats.data import adapters, package_reader


def list_files(sources: pd.DataFrame, raw: Mapping[str, Any]) -> list[RawFile]:
    """List the wanted files that are at hand."""
    listed = [RawFile(**file) for file in raw["files"]]
    return [file for file in listed if fnmatch.filter(sources["path"], escape_pattern(file.path))]


def read_verdicts(
    listed: list[RawFile], folder: str, study: Study, raw: Mapping[str, Any]
) -> dict[str, pd.DataFrame]:
    """Read the data package or the listed files of a study of verdicts."""
    if raw["is_package"]:
        tables = package_reader.read_package(folder, study)
    else:
        tables = adapters.read_with_left_out(listed, folder, study)
    names = ("raw_judgments", "judges", "responses", "left_out", "reading_notes")
    return dict(zip(names, tables, strict=True))
