"""Make the tables of observed trials in data/observed/ from a checkout of the public repository.

    PYTHONPATH=src python -m tools.bundle_observed zhang2025 /path/to/TuringTest

Files that the checkout lacks are left out; data/observed/<study>/README.md says how the present tables were
made.
"""

import argparse
import json
from pathlib import Path

import pandas as pd

from turingstats.config.load import load_study
from turingstats.config.raw_files import list_present, load_sources
from turingstats.data import adapters, bundling, data_package, observed, package_writer
from turingstats.data import sources as data_sources

ROOT = Path(__file__).parents[1]
HEADER = ("profile", "name", "title", "homepage", "licenses", "sources")
"""Properties of the data package that are kept unchanged."""


def main():
    """Read the public files, lay them out, write the folder."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("study", help="name of a file in config/studies/")
    parser.add_argument("checkout", type=Path, help="folder with the files listed in data/sources/")
    parser.add_argument(
        "--persons",
        type=Path,
        help="CSV (judge, person) of who the judges are, for files without real worker ids",
    )
    asked = parser.parse_args()
    study = load_study(ROOT / f"config/studies/{asked.study}.yaml")
    sources = load_sources(ROOT / f"data/sources/{asked.study}.yaml")
    files = list_present(sources.files, asked.checkout)
    read = adapters.collect_tables(files, asked.checkout, study)
    if asked.persons:
        persons = pd.read_csv(asked.persons).set_index("judge")["person"]
        read["judges"]["person"] = read["judges"]["judge"].map(persons)
    folder = ROOT / sources.observed
    read["responses"] = observed.fill_tags(read["responses"], folder)
    package = json.loads((folder / data_package.PACKAGE).read_text(encoding="utf-8"))
    tables = bundling.make_tables(read, study)
    header = {key: package[key] for key in HEADER}
    header["missing"] = data_sources.list_not_bundled(sources.files, files)
    contents = package_writer.format_package(tables, header, bundling.list_paths(files))
    package_writer.save_package(contents, folder)
    for name, table in tables.items():
        print(f"{len(table):>6} {name}")


if __name__ == "__main__":
    main()
