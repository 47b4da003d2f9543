"""Errors about a table, and about what data/sources/ says of it, in the words of `messages.yaml`."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

from turingstats.config.raw_files import RawFile
from turingstats.core.errors import ConfigError, InputError, word_error
from turingstats.core.yaml_models import read_mapping

MESSAGES = read_mapping(Path(__file__).with_suffix(".yaml"))


def make_error(path: str | Path, name: str, /, **facts: Any) -> InputError:
    """Make an error about a table."""
    return word_error(MESSAGES[name], path, **facts)


def make_source_error(
    file: RawFile, name: str, /, allowed: Collection[str] = (), **facts: Any
) -> ConfigError:
    """Make an error about what data/sources/ says of a table."""
    problem, fix = (part.format(**facts) for part in MESSAGES[name])
    problem = f"data/sources: {file.path}: {problem}"
    return ConfigError(problem, allowed=", ".join(allowed), fix=fix)
