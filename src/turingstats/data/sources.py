"""Which raw files or tables of a study a run reads, and which are missing."""

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from turingstats.config.raw_files import AbsentFile, RawFile, list_matching_files, list_paths
from turingstats.core import files
from turingstats.core.errors import SourceError
from turingstats.data import data_package, package_reader, provenance, repository
from turingstats.data.absence import NOT_HERE, NOT_PUBLIC

MISSING = ["task", "cohort", "path", "would_supply", "why"]


def list_sources(raw: Mapping[str, Any]) -> dict[str, pd.DataFrame]:
    """List the raw files or tables of a run, with their commit, and those that are missing."""
    wanted = [RawFile(**file) for file in raw["files"]]
    absent = [AbsentFile(**row) for row in raw["not_public"]]
    commit, folder = raw["commit"], raw["folder"]
    if raw["source"] == "public" and not raw["is_package"]:
        fix = (
            "use data.source: demo, or the path of a folder with the files listed in data/sources/"
        )
        raise SourceError("The raw files of this study are not public", fix=fix)
    if raw["is_package"]:
        commit = data_package.load_package(folder).version
        present, missing = list_package(folder, raw["cohorts"], absent)
    else:
        if commit != "generated":
            commit = repository.verify_checkout(folder, [commit], list_paths(wanted))
        present, missing = list_raw_files(
            folder, wanted, absent, raw["allow_missing"], raw["origin"]
        )
    origin = raw["source"] if Path(raw["origin"]).is_absolute() else raw["origin"]
    print(
        f"{len(present)} raw files from {provenance.drop_folder(origin)}, commit {commit}; "
        f"{len(missing)} missing"
    )
    return {"sources": present.assign(commit=commit), "missing": missing}


def list_raw_files(
    folder: str | Path,
    files: Sequence[RawFile],
    not_public: Sequence[AbsentFile],
    allow_missing: bool,
    origin: str,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """List the raw files that are in a folder, and those that are not."""
    matching = {file.path: list_matching_files(Path(folder) / file.path) for file in files}
    lacking = [file for file in files if not any(path.is_file() for path in matching[file.path])]
    missing = [describe_absence(file, NOT_HERE) for file in lacking]
    if missing and not allow_missing:
        refuse_missing(missing, len(files), origin)
    present = [
        {name: getattr(file, name) for name in ("task", "cohort", "path", "format")}
        | {"path": path.relative_to(folder).as_posix()}
        | describe_content(path)
        for file in files
        if file not in lacking
        for name in list_paths([file])
        for path in list_matching_files(Path(folder) / name)
    ]
    if not present:
        raise SourceError(f"{origin} holds none of the {len(files)} raw files of this study.")
    missing += [describe_absence(row, NOT_PUBLIC) for row in not_public]
    return pd.DataFrame(present), pd.DataFrame(missing, columns=MISSING)


def refuse_missing(lacking: Sequence[Mapping[str, Any]], number: int, origin: str | Path) -> None:
    """Refuse a source that lacks some of a number of files; `lacking` are rows as in missing.csv."""
    listed = dict.fromkeys(f"  {row['path']} ({row['would_supply']})" for row in lacking)
    raise SourceError(
        "\n".join([f"{len(lacking)} of {number} raw files are missing in {origin}:", *listed]),
        fix="check that it is the right repository and commit, or set data.allow_missing: true to "
        "continue without them (results that need them then say 'no data')",
    )


def list_package(
    folder: str | Path, cohorts: Mapping[str, Collection[str]], not_public: Sequence[AbsentFile]
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """List the tables of a data package, and the raw files that it lacks, for some cohorts by task."""
    present = [
        {"task": table.task, "path": table.path, "kind": table.kind}
        | describe_content(Path(folder) / table.path)
        | {
            "trials": package_reader.count_trials(folder, table, cohorts[table.task]),
            "public_files": "; ".join(source.path for source in table.sources),
        }
        for table in data_package.list_tables(folder, cohorts)
    ]
    missing = [
        row.model_dump()
        for row in data_package.load_package(folder).missing
        if row.task in cohorts and row.cohort in {None, *cohorts[row.task]}
    ]
    missing += [describe_absence(row, NOT_PUBLIC) for row in not_public]
    return pd.DataFrame(present), pd.DataFrame(missing, columns=MISSING)


def describe_content(path: Path) -> dict[str, Any]:
    """Describe the content of a file by size and checksum."""
    try:
        return {"bytes": path.stat().st_size, "sha256": files.digest_file(path)}
    except OSError as error:
        problem = f"{path} cannot be read ({error.strerror})"
        raise SourceError(problem, fix="change its permissions, or replace it") from None


def describe_absence(file: Any, why: str) -> dict[str, str | None]:
    """Describe a raw file that is not read as a row of missing.csv."""
    supplies = f"cohort {file.cohort}" if file.cohort else "responses"
    return {
        "task": file.task,
        "cohort": file.cohort,
        "path": file.path,
        "would_supply": getattr(file, "would_supply", None) or supplies,
        "why": why,
    }
