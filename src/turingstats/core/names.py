"""Several names in one cell, and back: what names hold never matters, not even the sign between them."""

import json
from collections.abc import Collection, Iterable

DECODER = json.JSONDecoder()
VS = " vs "
"""Sign between groups or agents that a test compares."""
SLASH = "/"
"""Sign between levels of crossed conditions, and between a cohort and one of its judges."""


def join_names(names: Iterable[str], sign: str) -> str:
    """Join names by a sign, such as ", "; a name that holds the sign, or begins with a quote, is quoted."""
    return sign.join(
        json.dumps(name, ensure_ascii=False)
        if (name + sign).index(sign) < len(name) or name.startswith('"')
        else name
        for name in names
    )


def split_names(cell: str, sign: str) -> list[str]:
    """Split what `join_names` joined; a text with no sign is one name, and an empty one none."""
    names = []
    while cell:
        if cell.startswith('"'):
            name, end = DECODER.raw_decode(cell)
        else:
            name = cell.partition(sign)[0]
            end = len(name)
        names.append(name)
        cell = cell[end + len(sign) :]
    return names


def split_group(by: str, group: str) -> list[str]:
    """Split a group into the levels of the conditions that `by` crosses, such as variant+exchanges."""
    return split_names(group, SLASH) if "+" in by else [group]


def split_level(row: str, agents: Collection[str]) -> tuple[str, str]:
    """Split what a row of a figure or test is about, `agent@level`, into the agent and the level, if any."""
    if row in agents:
        return row, ""
    agent, *level = split_names(row, "@") or [row]
    return agent, "@".join(level)
