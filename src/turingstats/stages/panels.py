"""The list of all figures of a paper or study, and whether each is drawn."""

from typing import Any

import pandas as pd

from turingstats.claims import inventory
from turingstats.core import files
from turingstats.stages.results import Results


def list_panels(results: Results, notes: dict[str, Any]) -> pd.DataFrame:
    """List every figure of the paper or study, and whether it is drawn; with the `notes` of its plan."""
    shown = {name: results.read(f"figures/{name}.csv") for name in results.study.figures}
    missing, skipped = results.read("data/missing.csv"), notes["skipped"]
    published = results.read_published("figures")
    if published is None:
        table = inventory.list_study_panels(shown, skipped, missing, notes["pools"])
    else:
        table = inventory.list_paper_panels(
            published,
            shown,
            list(results.study.tables),
            missing,
            notes["pools"],
            notes["not_drawn"],
            skipped,
            notes["trained"],
        )
    return table.assign(data=results.data)


def write_panels(results: Results, notes: dict[str, Any]) -> None:
    """Write the list of figures."""
    table = list_panels(results, notes)
    files.write_frame(table, results.folder / "figures/inventory.csv")
    print(table["drawn"].value_counts().to_string())
