"""What is said to users about their table (`templates/init_sentences.yaml`): notes on guesses, and errors."""

from pathlib import Path
from typing import Any

from turingstats.core.errors import InputError, word_error
from turingstats.core.templating import PAGES
from turingstats.core.yaml_models import read_mapping

SENTENCES = read_mapping(PAGES / "init_sentences.yaml")


def write_note(name: str, /, **facts: Any) -> str:
    """Write a note on something that was guessed."""
    return SENTENCES["notes"][name].format(**facts)


def make_error(path: Path, name: str, /, **facts: Any) -> InputError:
    """Make an error about a table; row, column, value and allowed are its parts, all else is in its words."""
    return word_error(SENTENCES["errors"][name], path, **facts)
