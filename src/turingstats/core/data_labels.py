"""Labels of the data behind a number (column `data`), and the rule that a panel never mixes two.

A value is one of the labels below, followed by a comma and the selection made from them, such as
"observed data, judges of gender female only".
"""

from turingstats.core.errors import ConfigError

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


def find_data_kind(data):
    """Return the kind of data behind a number: generated, public, printed or observed.

    Parameters
    ----------
    data : str
        A value of the column `data`.
    """
    return next((kind for label, kind in KINDS.items() if data.startswith(label)), "observed")


def is_generated(data):
    """Tell whether numbers with this label come from a simulation."""
    return find_data_kind(data) == "generated"


def check_panels(table, name):
    """Refuse a figure with a panel whose rows are based on different data.

    Observed and generated data must never be shown side by side in one panel, where a reader would
    compare them. Other panels of the figure may be based on other data.

    Parameters
    ----------
    table : pandas.DataFrame
        Source data with the column `data`; without a column `panel` it is a single panel.
    name : str
        Id of the figure.

    Raises
    ------
    ConfigError
        Names the panel and the kinds of data it mixes.
    """
    said = table["data"].fillna(UNLABELED)
    panels = table["panel"] if "panel" in table else said.map(lambda _: "")
    for panel, labels in said.groupby(panels, sort=False):
        found = list(dict.fromkeys(labels))
        if len(found) > 1 or found == [UNLABELED]:
            raise ConfigError(
                f"figures.{name}{f'.panels.{panel}' if panel else ''} rests on {' and '.join(found)}: "
                "a panel shows one kind of data, and says which\n"
                "  fix: give each kind a panel of its own, as by `where: {source: ...}` of listed rows"
            )
