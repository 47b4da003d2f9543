"""Converters of papers' raw files to data packages, one folder per paper.

Nothing in `turingstats` imports a converter, which may import `turingstats`.
"""

import importlib
from types import ModuleType

from turingstats.core.errors import ConfigError


def load_converter(name: str) -> ModuleType:
    """Load the converter of a paper, which has functions `convert` and `compare`."""
    try:
        return importlib.import_module(f"converters.{name}.conversion")
    except ModuleNotFoundError as error:
        if not f"converters.{name}.conversion".startswith(error.name or "?"):
            raise
        allowed = "folders of converters/, such as zhang2025"
        raise ConfigError(f"data/sources: unknown converter {name!r}", allowed=allowed) from None
