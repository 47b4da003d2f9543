"""Simulate the studies that the command line names, store the tables, and write the pages."""

import argparse
from itertools import chain

import pandas as pd

from tools import ROOT
from tools.simulations import DECLARED, list_cases, pages, simulate_case
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
    for name in asked.modules:
        studies = asked.studies or DECLARED[name]["studies"]
        arguments = [(name, place, studies) for place in range(len(list_cases(name)))]
        found = call_in_parallel(simulate_case, arguments, workers=2)
        table = pd.DataFrame(chain.from_iterable(found)).assign(data="simulation")
        files.write_frame(table, ROOT / f"docs/simulations/{name}.csv")
    pages.write_pages()


if __name__ == "__main__":
    main()
