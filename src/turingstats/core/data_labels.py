"""Labels of the data behind a number (column `data`), and the rule that a panel never mixes two.

A value is one of the labels below, for some followed by a comma and what was made of them.
"""

from typing import TYPE_CHECKING

from turingstats.core.errors import ConfigError

if TYPE_CHECKING:
    import pandas as pd

GENERATED = "generated data"
"""Trials or ratings of a simulation."""
PUBLIC = "public data"
OBSERVED = "observed data"
PRINTED_COUNTS = "published counts"
"""Computed from the counts that a paper prints."""
PRINTED_TABLE = "published table"
"""Copied from a table of a paper."""

KINDS = {
    GENERATED: "generated",
    PUBLIC: "public",
    PRINTED_COUNTS: "printed",
    PRINTED_TABLE: "printed",
}
UNLABELED = "data without a name"


def find_data_kind(data: str) -> str:
    """Return the kind of data behind a number, from its label: generated, public, printed or observed."""
    return next((kind for label, kind in KINDS.items() if data.startswith(label)), "observed")


def is_generated(data: str) -> bool:
    """Tell whether numbers with this label come from a simulation."""
    return find_data_kind(data) == "generated"


def check_panels(table: "pd.DataFrame", name: str) -> None:
    """Refuse a figure with a panel (all rows, without a column `panel`) whose rows rest on different data."""
    labels_given = table["data"].fillna(UNLABELED)
    panels = table["panel"] if "panel" in table else labels_given.map(lambda _: "")
    for panel, labels in labels_given.groupby(panels, sort=False):
        kinds = list(dict.fromkeys(labels))
        if len(kinds) > 1 or kinds == [UNLABELED]:
            place = f"figures.{name}.panels.{panel}" if panel else f"figures.{name}"
            raise ConfigError(
                f"{place} rests on {' and '.join(kinds)}: a panel shows one kind of data, and says which",
                fix="give each kind a panel of its own, as by `where: {source: ...}` of listed rows",
            )
