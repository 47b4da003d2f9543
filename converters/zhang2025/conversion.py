"""From raw files to a data package, and back to the question whether both hold the same."""

import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

import pandas as pd

from converters.zhang2025 import bundling, raw_files, reading
from converters.zhang2025.printed import OBSERVED
from converters.zhang2025.raw_files import RawFile
from turingstats.config.study import Study
from turingstats.core.errors import SourceError
from turingstats.data import data_package, notes, package_reader, package_writer, repository


def convert(
    folder: str | Path,
    study: Study,
    commits: Mapping[str, str],
    address: str | None = None,
    allow_missing: bool = False,
) -> dict[str, str]:
    """Convert the raw files of a checkout, fetched from the repository if one is given, to a data package."""
    listed = raw_files.list_files()
    commit = bring_files(listed, folder, commits, address)
    # Nobody can add what a repository lacks; a folder may be the wrong one.
    if not (allow_missing or address):
        raw_files.refuse_missing(listed, folder)
    present = raw_files.list_present(listed, folder)
    if all(file.is_printed for file in present):
        raise SourceError(f"{folder} holds none of the {len(listed)} raw files of this study.")
    read = reading.read_files(present, folder, study)
    noted = read["notes"]
    for example in noted["examples"]:
        print(example, file=sys.stderr)
    unread = set(noted.loc[noted["check"] == reading.UNREAD, "path"])
    used = [file for file in present if file.path not in unread]
    header = {
        "profile": "tabular-data-package",
        "name": "zhang2025-public-trials",
        "title": "Trials of the raw files of Zhang et al. (2025)",
        "version": commit,
        "missing": raw_files.list_missing(listed, used, unread),
        "notes": noted[notes.NOTE_COLUMNS].fillna("").to_dict("records"),
    }
    tables = bundling.make_tables(read, study)
    return package_writer.format_package(tables, header, bundling.list_paths(used))


def list_inputs(folder: str | Path) -> list[str]:
    """List the files of a checkout that are converted."""
    present = raw_files.list_present(raw_files.list_files(), folder)
    return list(dict.fromkeys(f"{folder}/{file.path}" for file in present if not file.is_printed))


def bring_files(
    files: Sequence[RawFile],
    folder: str | Path,
    commits: Mapping[str, str],
    address: str | None,
) -> str:
    """Fetch files from a repository, if its address is given, or check those of a folder; name the commit."""
    paths = [file.path for file in files if not file.is_printed]
    if not address:
        return repository.verify_checkout(folder, commits.values(), paths)
    repository.fetch_files(address, commits, paths, folder)
    others = [f"{name} at {commit}" for name, commit in commits.items() if name]
    return "; ".join([commits[""], *others])


def compare(
    folder: str | Path, study: Study, commits: Mapping[str, str], address: str | None
) -> tuple[pd.DataFrame, str]:
    """List differences of the bundled tables from the public files they were made from, and sum them up."""
    bundled = data_package.list_public_paths(OBSERVED)
    every = raw_files.list_files()
    listed = [file for file in every if file.path in bundled]
    # What is fetched is what was fetched before, so that nothing of it is removed.
    commit = bring_files(every if address else listed, folder, commits, address)
    present = raw_files.list_present(listed, folder)
    lacking = sorted(bundled - {file.path for file in present})
    if lacking:
        raise SourceError(
            f"{len(lacking)} files whose facts come with the project are not in {folder}:\n"
            + "\n".join(f"  {path}" for path in lacking)
        )
    made = bundling.make_tables(reading.read_files(present, folder, study), study)
    public = {name: package_writer.format_cells(table) for name, table in made.items()}
    ours = {
        table.path.removesuffix(".csv"): package_reader.load_table(OBSERVED, table.path).fillna("")
        for table in data_package.load_package(OBSERVED).resources
        if table.task in study.tasks
    }
    differences = bundling.compare_tables(ours, public)
    rows = sum(len(table) for name, table in ours.items() if name.endswith("_trials"))
    return (
        differences,
        f"{rows:,} trials compared with commit {commit}: {len(differences)} differences",
    )
