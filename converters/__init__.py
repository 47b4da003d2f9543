"""Converters of papers' raw files to data packages, one folder per paper.

Nothing in `turingstats` imports a converter, which may import `turingstats`.
"""

from types import ModuleType

from turingstats.core.code_dependencies import load_module


def load_converter(name: str) -> ModuleType:
    """Load the converter of a paper, which has functions `convert` and `compare`."""
    allowed = "folders of converters/, such as zhang2025"
    return load_module(f"converters.{name}.conversion", f"converter {name!r}", allowed)
