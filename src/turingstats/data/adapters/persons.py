"""Who judged: worker ids are replaced by person numbers that are the same in all files of a study.

Ids can be compared within one register, such as those of one platform. Whether people of different
registers are the same person is not known.
"""

from collections.abc import Mapping
from typing import Any

import pandas as pd

from turingstats.core.yaml_models import make_list
from turingstats.data import schema

NUMBERED = r"[A-Za-z0-9_-]+\.p\d{3,}"
"""Regular expression of a person number that a file already has."""
PRIVATE = ("judge", "responder", "person", "witness", "witness_a", "witness_b")
"""Names whose values may identify people."""


class Persons:
    """Numbers of the people of a study, by register, in order of first appearance."""

    def __init__(self) -> None:
        self.numbers = {}

    def assign_person_numbers(self, judges: pd.DataFrame, register: str) -> pd.DataFrame:
        """Replace worker ids by person numbers."""
        if schema.WORKER not in judges:
            return judges
        person = [
            given if isinstance(given, str) else self.assign_number(worker, register)
            for given, worker in zip(judges["person"], judges[schema.WORKER], strict=True)
        ]
        return judges.drop(columns=schema.WORKER).assign(person=person)

    def assign_number(self, worker: Any, register: str) -> str | None:
        """Return the number of a person, such as `mturk.p001`; None for an empty id."""
        name = worker.strip().casefold() if isinstance(worker, str) else ""
        if not name:
            return None
        assigned = self.numbers.setdefault(register, {})
        return f"{register}.p{assigned.setdefault(name, len(assigned) + 1):03d}"


def list_private_columns(columns: Mapping[str, Any]) -> set[str]:
    """List the columns of a table that may name people, from `columns` of the sources file."""
    return {part for name in PRIVATE if name in columns for part in make_list(columns[name])}
