"""Simulate the studies that the command line names, store the tables, and write the pages."""

import argparse

import pandas as pd

from tools import ROOT
from tools.simulations import list_arguments, pages, simulate_case
from turingstats.core import files
from turingstats.core.parallel import call_in_parallel

COVERAGE = tuple("judges unequal machines selected games pairs ratings rates models".split())
"""Modules in the order of the page."""


def main() -> None:
    """Simulate the named modules, by default those of coverage; both pages show all stored tables."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("modules", nargs="*", metavar="module", default=COVERAGE)
    parser.add_argument("--studies", type=int, help="studies of each case")
    asked = parser.parse_args()
    arguments = list_arguments(asked.modules, asked.studies)
    found = call_in_parallel(simulate_case, arguments, workers=2)
    for name in asked.modules:
        parts = zip(arguments, found, strict=True)
        rows = [row for (own, *_), part in parts if own == name for row in part]
        table = pd.DataFrame(rows).assign(data="simulation")
        files.write_frame(table, ROOT / f"docs/simulations/{name}.csv")
    pages.write_pages()


if __name__ == "__main__":
    main()
