"""From raw files to a data package, and back to the question whether both hold the same.

    PYTHONPATH=src python -m converters.zhang2025.conversion /path/to/TuringTest

makes the tables of observed trials in data/observed/zhang2025/ from a checkout of the public repository; its
README says how the present tables were made.
"""

import argparse
import importlib
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import cast

import pandas as pd

from converters.zhang2025 import bundling, raw_files
from converters.zhang2025.raw_files import RawFile
from turingstats.config.study import Study
from turingstats.config.subset import load_study
from turingstats.core.errors import SourceError
from turingstats.data import adapters, data_package, package_reader, package_writer, repository
from turingstats.data.adapters.identifiers import Persons

ROOT = Path(__file__).parents[2]
OBSERVED = ROOT / "data/observed/zhang2025"
HEADER = ("profile", "name", "title", "version", "homepage", "licenses", "sources")
"""Properties of the bundled package that do not follow from its tables."""


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
    if not present:
        raise SourceError(f"{folder} holds none of the {len(listed)} raw files of this study.")
    header = {
        "profile": "tabular-data-package",
        "name": "zhang2025-public-trials",
        "title": "Trials of the raw files of Zhang et al. (2025)",
        "version": commit,
        "missing": raw_files.list_missing(listed, present, bundled=False),
    }
    tables = bundling.make_tables(read_files(present, folder, study), study)
    return package_writer.format_package(tables, header, bundling.list_paths(present))


def list_inputs(folder: str | Path) -> list[str]:
    """List the files of a checkout that are converted."""
    present = raw_files.list_present(raw_files.list_files(), folder)
    return list(dict.fromkeys(f"{folder}/{file.path}" for file in present))


def bring_files(
    files: Sequence[RawFile],
    folder: str | Path,
    commits: Mapping[str, str],
    address: str | None,
) -> str:
    """Fetch files from a repository, if its address is given, or check those of a folder; name the commit."""
    paths = [file.path for file in files]
    if not address:
        return repository.verify_checkout(folder, commits.values(), paths)
    repository.fetch_files(address, commits, paths, folder)
    others = [f"{name} at {commit}" for name, commit in commits.items() if name]
    return "; ".join([commits[""], *others])


def read_files(
    files: Sequence[RawFile], folder: str | Path, study: Study
) -> dict[str, pd.DataFrame]:
    """Read raw files to tables of the data contract, before they complete each other.

    The same worker id in another register is another person.
    """
    persons = Persons()

    def read(file: RawFile, folder: str | Path, study: Study) -> dict[str, pd.DataFrame]:
        tables = read_file(file, folder, study)
        if "judges" in tables:
            register = file.workers or study.study
            tables["judges"] = persons.assign_person_numbers(tables["judges"], register)
        return tables

    of_study = [file for file in files if file.task in study.tasks]
    tables = adapters.collect_tables(of_study, folder, study, read)
    return tables | {"responses": fill_tags(tables["responses"])}


def read_file(file: RawFile, folder: str | Path, study: Study) -> dict[str, pd.DataFrame]:
    """Read a raw file with the function of its format."""
    if file.format in raw_files.WITHOUT_MODULE:
        return {}
    module, _, function = file.format.partition(".")
    found = importlib.import_module(f"converters.zhang2025.{module}")
    return getattr(found, function or "read")(file, folder, study)


def fill_tags(responses: pd.DataFrame) -> pd.DataFrame:
    """Fill in the parts of speech of responses that the bundled tables hold with the same text.

    The public files have no tags, and those of a text are always the same.
    """
    paths = [table["path"] for table in data_package.load_package(OBSERVED)["resources"]]
    tables = (package_reader.load_table(OBSERVED, path) for path in paths)
    tagged = [table.dropna(subset="tags") for table in tables if "tags" in table]
    if not tagged:
        return responses
    tags = pd.concat(tagged).drop_duplicates("response").set_index("response")["tags"]
    return responses.assign(tags=responses["tags"].fillna(responses["response"].map(tags)))


def compare(
    folder: str | Path, study: Study, commits: Mapping[str, str], address: str | None
) -> tuple[pd.DataFrame, str]:
    """List differences of the bundled tables from the public files they were made from, and sum them up."""
    bundled = data_package.list_public_paths(OBSERVED)
    listed = [file for file in raw_files.list_files() if file.path in bundled]
    commit = bring_files(listed, folder, commits, address)
    present = raw_files.list_present(listed, folder)
    lacking = sorted(bundled - {file.path for file in present})
    if lacking:
        raise SourceError(
            f"{len(lacking)} files whose facts come with the project are not in {folder}:\n"
            + "\n".join(f"  {path}" for path in lacking)
        )
    made = bundling.make_tables(read_files(present, folder, study), study)
    public = {name: package_writer.format_cells(table) for name, table in made.items()}
    ours = {
        described["name"]: package_reader.load_table(OBSERVED, described["path"]).fillna("")
        for described in data_package.load_package(OBSERVED)["resources"]
        if described["task"] in study.tasks
    }
    differences = bundling.compare_tables(ours, public)
    rows = sum(len(table) for name, table in ours.items() if name.endswith("_trials"))
    return (
        differences,
        f"{rows:,} trials compared with commit {commit}: {len(differences)} differences",
    )


def main() -> None:
    """Make the bundled tables from a checkout; files that it lacks are left out."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("checkout", type=Path, help="folder with the files listed in files/")
    parser.add_argument(
        "--persons",
        type=Path,
        help="CSV (judge, person) of who the judges are, for files without real worker ids",
    )
    asked = parser.parse_args()
    study = cast(Study, load_study(ROOT / "config/studies/zhang2025.yaml"))
    listed = raw_files.list_files()
    present = raw_files.list_present(listed, asked.checkout)
    read = read_files(present, asked.checkout, study)
    if asked.persons:
        persons = pd.read_csv(asked.persons).set_index("judge")["person"]
        read["judges"]["person"] = read["judges"]["judge"].map(persons)
    package = json.loads((OBSERVED / data_package.PACKAGE).read_text(encoding="utf-8"))
    header = {key: package[key] for key in HEADER}
    header["missing"] = raw_files.list_missing(listed, present, bundled=True)
    tables = bundling.make_tables(read, study)
    contents = package_writer.format_package(tables, header, bundling.list_paths(present))
    package_writer.save_package(contents, OBSERVED)
    for name, table in tables.items():
        print(f"{len(table):>6} {name}")


if __name__ == "__main__":
    main()
