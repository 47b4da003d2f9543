"""What numbers rest on, as the column `data` says it, and the rule that a panel never mixes two of them.

A value is one of the labels below, with what was chosen of them after a comma, such as "observed data,
judges of gender female only".
"""

from turingstats.core.errors import ConfigError

GENERATED = "generated data"
"""Trials or ratings of a simulation."""
PUBLIC = "public data"
OBSERVED = "observed data"
PRINTED_COUNTS = "published counts"
"""Computed from the counts that a paper prints."""
PRINTED_TABLE = "published table"
"""Taken over from a table of a paper."""

KINDS = {
    GENERATED: "generated",
    PUBLIC: "public",
    PRINTED_COUNTS: "printed",
    PRINTED_TABLE: "printed",
}
UNLABELED = "data without a name"


def find_data_kind(data):
    """What numbers rest on: generated, public, printed or observed.

    Parameters
    ----------
    data : str
        A value of the column `data`.
    """
    return next((kind for label, kind in KINDS.items() if data.startswith(label)), "observed")


def is_generated(data):
    """Whether numbers with this label come from a simulation."""
    return find_data_kind(data) == "generated"


def check_panels(table, name):
    """Refuse a figure with a panel whose rows rest on different data.

    What was observed and what was generated must never stand side by side in a panel, where a reader
    would compare them. Other panels of the figure may rest on other data.

    Parameters
    ----------
    table : pandas.DataFrame
        Source data with the column `data`; without the column `panel` it is one panel.
    name : str
        Id of the figure.

    Raises
    ------
    ConfigError
        Names the panel and what it mixes.
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
