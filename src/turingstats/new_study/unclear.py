"""What a table does not say by itself, so that the user must."""

from pathlib import Path
from typing import Any

from turingstats.core.errors import InputError


class UnclearError(InputError):
    """Something in a table that is not understood: a role without a column, or words of a column.

    `what` is what the column holds, by a name of `turingstats.new_study.vocabulary.NAMES`; `in_column` is
    the column whose words are not understood, None if the column itself is not known; `words` are these,
    and in how many rows they are.
    """

    def __init__(
        self,
        file: Path,
        problem: str,
        *,
        what: str,
        in_column: str | None = None,
        words: dict[str, int] | None = None,
        **keys: Any,
    ) -> None:
        super().__init__(file, problem, **keys)
        self.what, self.in_column, self.words = what, in_column, words or {}
