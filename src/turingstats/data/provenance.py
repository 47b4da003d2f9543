"""What a result was computed from: configuration, data source, versions."""

import functools
import importlib.metadata
import platform
from typing import Any

import turingstats
from turingstats.config.raw_files import NAMED_SOURCES

PACKAGES = (
    "matplotlib numpy pandas pingouin pyarrow pydantic scipy seaborn snakemake statsmodels"
).split()


def describe_run(config: dict[str, Any], source: dict[str, Any]) -> dict[str, Any]:
    """Describe everything that determines the results, in a fixed order and without dates.

    Whole paths of files and folders are private and are left out; the checksums identify raw files.
    """
    data = config["data"] | {"source": drop_folder(config["data"]["source"])}
    return {
        "source": source | {"kind": drop_folder(source["kind"])},
        "config": hide_paths(config | {"data": data}),
        "turingstats": turingstats.__version__,
        "python": platform.python_version(),
        "packages": {name: find_version(name) for name in PACKAGES},
    }


find_version = functools.cache(importlib.metadata.version)


def hide_paths(value: Any) -> Any:
    """Replace all whole paths in nested values by a general phrase."""
    if isinstance(value, dict):
        return {name: hide_paths(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [hide_paths(part) for part in value]
    is_path = isinstance(value, str) and value.startswith(("/", "~", "file:"))
    return "a path outside the project" if is_path else value


def drop_folder(source: str) -> str:
    """Return a named source (observed, public, demo) unchanged, and replace a path by a general phrase."""
    return source if source in NAMED_SOURCES else "a folder of files"
