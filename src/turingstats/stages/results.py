"""What figures and tables are made from: the statistics of a study, and how it names things."""

from collections.abc import Collection
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pandas as pd

from turingstats.claims import inventory
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.yaml_models import Reading
from turingstats.tables import writer

TABLE_FORMATS = ("csv", "tex", "html")


@dataclass(frozen=True)
class Results:
    """The results of a study so far, read when they are needed."""

    study: Study
    folder: Path
    # Folder of what the paper prints.
    published: Path
    # Results that this run has or makes, as paths in the folder without endings, such as statistics/codes.
    # Others may be left from an earlier run.
    made: Collection[str]
    reading: Reading
    level: float
    data: str
    kept: dict[str, Any] = field(default_factory=dict)

    def read(self, name: str) -> pd.DataFrame:
        """Read a table by its path in the folder of results, once."""
        if name not in self.kept:
            self.kept[name] = files.read_frame(self.folder / name)
        return self.kept[name]

    def read_statistics(self, name: str) -> pd.DataFrame:
        """Read a table of statistics/."""
        return self.read(f"statistics/{name}.csv")

    def read_if_made(self, name: str) -> pd.DataFrame | None:
        """Read a table that not every study has."""
        return self.read(f"{name}.csv") if name in self.made else None

    def read_published(self, name: str) -> pd.DataFrame | None:
        """Read a table that the paper prints, if there is one."""
        path = self.published / f"{name}.csv"
        return files.read_frame(path) if path.exists() else None

    def write_table(
        self, name: str, table: pd.DataFrame, title: str, reading: str = "", data: str = ""
    ) -> None:
        """Write a table of the paper as CSV, LaTeX and HTML."""
        paths = {ending: self.folder / f"tables/{name}.{ending}" for ending in TABLE_FORMATS}
        writer.write_table(table, title, reading or self.reading, data or self.data, **paths)
        print(f"table {name}: {len(table)} rows")

    def write_statistics(self, name: str, table: pd.DataFrame) -> None:
        """Write a table of statistics/."""
        files.write_frame(table, self.folder / f"statistics/{name}.csv")
        print(f"{name}: {len(table)} rows")

    def write_inventory(self, notes: dict[str, Any]) -> None:
        """Write which figures of the paper or study are drawn; with the `notes` of its plan."""
        table = inventory.list_panels(
            self.read_published("figures"),
            {name: self.read(f"figures/{name}.csv") for name in self.study.figures},
            self.study.tables,
            self.read("data/missing.csv"),
            notes,
        )
        files.write_frame(table.assign(data=self.data), self.folder / "figures/inventory.csv")
        print(table["drawn"].value_counts().to_string())
