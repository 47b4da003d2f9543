"""YAML files that people write: read strictly, with errors that name file, line and key.

PyYAML with its C loader and a check for repeated keys, not ruamel.yaml, which has that check: it takes 0.9 s
for the bundled studies and sources in place of 0.1 s, at every start.
"""

from collections.abc import Hashable
from pathlib import Path
from typing import Any

import yaml

from turingstats.core.errors import ConfigError

FAST_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class StrictLoader(FAST_LOADER):
    """A loader that refuses repeated keys, of which YAML would use the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Hashable, Any]:
        """Make a dict, unless a key is repeated."""
        lines: dict[Any, int] = {}
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value in lines:
                raise yaml.MarkedYAMLError(
                    problem=f"the key {key.value} occurs twice, first in line {lines[key.value]}",
                    problem_mark=key.start_mark,
                )
            lines[key.value if isinstance(key, yaml.ScalarNode) else id(key)] = (
                key.start_mark.line + 1
            )
        made: dict[Hashable, Any] = super().construct_mapping(node, deep)
        return made


def read_mapping(path: Path | str) -> dict[str, Any]:
    """Read the keys and values of a YAML file; an empty file has none."""
    path = Path(path)
    try:
        values = yaml.load(path.read_bytes().decode("utf-8-sig"), Loader=StrictLoader)
    except FileNotFoundError:
        options = sorted(file.stem for file in path.parent.glob("*.yaml"))
        raise ConfigError(f"There is no {path}; known: {', '.join(options) or 'none'}") from None
    except OSError as error:
        raise make_error(path, f"cannot be read ({error.strerror})", "replace the file") from None
    except UnicodeDecodeError as error:
        raise make_error(path, f"not UTF-8 text (byte {error.start})", "save it in UTF-8") from None
    except yaml.YAMLError as error:
        mark, problem = getattr(error, "problem_mark", None), getattr(error, "problem", None)
        where = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        problem = problem or "characters that YAML does not allow"
        if "cannot start any token" in problem:
            problem = "a tab, or another character that cannot start a value"
        problem = f"not valid YAML: {problem}"
        raise make_error(f"{path}{where}", problem, "correct the line") from None
    except ValueError as error:
        problem = f"a value that YAML cannot read ({error})"
        raise make_error(path, problem, "put it in quotes") from None
    if not isinstance(values, dict | None):
        raise make_error(path, "there are no keys at the top", "write keys with values")
    return values or {}


def make_error(where: Path | str, problem: str, fix: str) -> ConfigError:
    """Make the error for a file that cannot be used."""
    return ConfigError(f"{where}: {problem}\n  fix:     {fix}")
