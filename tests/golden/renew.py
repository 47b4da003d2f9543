"""Renew the golden tables from a default run with fewer draws: python tests/golden/renew.py

Look at the new figures first: what is written here is what the tests then hold to be right.
"""

import io
import sys
import tempfile
from pathlib import Path

import pandas as pd

GOLDEN = Path(__file__).parent
STUDY = "zhang2025"


def select(results):
    """Pick what is held fixed: the numbers of all figures, all tests, the estimates of whole cohorts.

    Parameters
    ----------
    results : dict of str to bytes
        Results of a default run by path.

    Returns
    -------
    dict of str to pandas.DataFrame
        Tables by their file name in this folder.
    """
    names = [name for name in results if name.startswith("figures/") and name.endswith(".csv")]
    names += ["statistics/estimates.csv", "statistics/tests.csv", "statistics/texts.csv"]
    tables = {Path(name).name: pd.read_csv(io.BytesIO(results[name])) for name in names}
    estimates = tables["estimates.csv"]
    # The groups of judges fill most of this table, and the figures show the estimates that matter.
    tables["estimates.csv"] = estimates[estimates["group_by"] == "all"].reset_index(drop=True)
    return tables


def main():
    """Run the project in a temporary folder and write the tables."""
    sys.path.insert(0, str(GOLDEN.parent / "workflow"))
    from project import Project

    with tempfile.TemporaryDirectory() as folder:
        project = Project(folder).resample_less()
        project.make()
        tables = select(project.results(f"results/{STUDY}"))
    for old in GOLDEN.glob("*.csv"):
        old.unlink()
    for name, table in tables.items():
        table.to_csv(GOLDEN / name, index=False, lineterminator="\n")
        print(f"{name}: {len(table)} rows")


if __name__ == "__main__":
    main()
