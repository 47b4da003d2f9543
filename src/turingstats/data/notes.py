"""Notes and warnings for readers of the results: rows of data/record_checks.csv."""

from typing import Any

import pandas as pd

NOTE_COLUMNS = "level check study task cohort number of examples done".split()
SHOWN = 5
"""Maximum number of examples."""
KEPT = "nothing: every verdict counts"


def describe(level: str, check: str, places: Any, of: int, done: str = KEPT) -> dict[str, Any]:
    """Describe a finding: its places are counted, and the first ones are examples.

    Places are names, or rows of a table whose columns say in words where they are.
    """
    first = places[:SHOWN]
    if isinstance(first, pd.DataFrame):
        first = first.astype(str).agg(", ".join, axis=1)
    return {
        "level": level,
        "check": check,
        "number": len(places),
        "of": of,
        "examples": "; ".join(map(str, first)),
        "done": done,
    }
