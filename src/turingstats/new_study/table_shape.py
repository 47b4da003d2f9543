"""The shape of a table of verdicts, as the user describes it, and its rows in that shape."""

from pathlib import Path
from typing import Any

import pandas as pd

from turingstats.config.raw_files import RawFile
from turingstats.core.errors import ConfigError
from turingstats.core.yaml_models import build_model
from turingstats.data.adapters import shapes
from turingstats.new_study.study_files import TASK

SHAPE = ("sheet", "wide", "join", "missing", "where", "rating", "score")
"""Keys of a file in data/sources/ that say what shape a table has, and what its numbers mean."""


def describe_shape(path: Path, shape: dict[str, Any]) -> RawFile:
    """Describe the table as a file of data/sources/."""
    unknown = [key for key in shape if key not in SHAPE]
    if unknown:
        raise ConfigError(
            f"table: unknown key {', '.join(unknown)}; known here: {', '.join(SHAPE)}\n"
            "  fix:     give the others in the two files that are written"
        )
    file = {"path": path.name, "format": "verdict_table", "task": TASK}
    return build_model(RawFile, file | shape, "table")


def read_table(file: RawFile, path: Path) -> pd.DataFrame:
    """Read all columns of a table in its final shape, and the rows that are wanted."""
    columns = shapes.list_columns(file, path.parent)
    wanted = [name for name, number in columns.items() if number != shapes.AMBIGUOUS]
    shaped = shapes.read_shaped_table(file, path.parent, [*wanted, *file.where])
    kept = ~shaped.not_shown
    for column, values in file.where.items():
        kept &= shaped.table[column].isin(values)
    shaped = shaped.select_rows(kept.index[kept])
    # Who judges is not known yet.
    shapes.require_matches(file, path.parent, shaped, list(shaped.table))
    return shaped.table.astype(str)
