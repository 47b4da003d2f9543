"""Statistics, figures and checked claims of Turing-like tests.

The folders follow the data, and imports go one way only, from a later folder to an earlier one:

- `core`, `stats`: what every module may use, and statistics of arrays
- `config`: what a run is told
- `data`: from raw files to the tables of the data contract, and to counts
- `analysis`, `ratings`, `judges`: tables of statistics, studies of similarity ratings, and machine judges
- `figures`, `tables`: read those tables and show them
- `claims`, `report`: published numbers next to recomputed ones, and pages that put the results together
- `new_model`, `new_study`, `planning`: a model or a study of one's own, and a planned study
- `stages`, `workflow`: jobs, and the list of everything that a run makes, from which its rules follow

Only `cli` and `export` call Snakemake, and its rules call the rest.

In notebooks, `turingstats.counts`, `turingstats.estimate` and `turingstats.compare` take verdicts as a data
frame and return tables, and `turingstats.plan` the power of planned studies (`docs/notebook.ipynb`). They are
loaded when they are first used, so that importing the package takes no time.
"""

from importlib import import_module
from typing import Any

__version__ = "1.0.0"

FUNCTIONS = ("counts", "estimate", "compare", "plan")
"""Functions for notebooks, of the module `turingstats.notebook`."""


def __getattr__(name: str) -> Any:
    if name not in FUNCTIONS:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.notebook"), name)


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name.startswith("__")), *FUNCTIONS})
