"""YAML files that people write: read strictly, in bounded time, with errors that name file, line and key."""

import re
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

from turingstats.core.errors import ConfigError

LARGEST = 2_000_000
"""Maximum number of bytes of a file; the longest study file has 35,000."""
MOST_ENTRIES = 100_000
"""Maximum number of values, with those that aliases repeat."""
DEEPEST = 40
"""Maximum depth of nesting."""
BLOCKS = re.compile(r"^[ ?-]*", re.MULTILINE)
SHALLOW = 1000
"""Brackets and columns of indentation that cannot be nested too deeply for the composer."""
LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The C loader if available: study files are long and read at every start."""


def read_mapping(path: str | Path) -> dict[str, Any]:
    """Read the keys and values of a YAML file; an empty file has none.

    Errors: the file does not exist, is no YAML with keys at the top, repeats a key, or is too large or
    deep.
    """
    path = Path(path)
    text = read_text(path)
    try:
        check_depth(text, path)
        loader = LOADER(text)
        try:
            node = loader.get_single_node()
            if node is None:
                return {}
            check_node(node, path)
            if not isinstance(node, yaml.MappingNode):
                raise make_error(
                    path, "there are no keys at the top", "write keys with values", node
                )
            values: dict[str, Any] = loader.construct_document(node)
            return values
        finally:
            loader.dispose()
    except yaml.YAMLError as error:
        raise make_error(path, f"not valid YAML: {describe(error)}", "correct the line") from None
    except (ValueError, RecursionError, OverflowError, TypeError) as error:
        raise make_error(
            path, f"a value that YAML cannot read ({error})", "put it in quotes"
        ) from None


def read_text(path: Path) -> str:
    """Read a file as text."""
    try:
        status = path.stat()
    except FileNotFoundError:
        options = sorted(file.stem for file in path.parent.glob("*.yaml"))
        raise ConfigError(f"There is no {path}; known: {', '.join(options) or 'none'}") from None
    except OSError as error:
        raise make_error(path, f"cannot be read ({error.strerror})", "replace the file") from None
    if not stat.S_ISREG(status.st_mode):
        raise make_error(path, "not a file", "give a YAML file this name, or remove it")
    if status.st_size > LARGEST:
        raise make_error(
            path,
            f"too large: {status.st_size:,} of at most {LARGEST:,} bytes",
            "data belong in tables, which data/sources/ names",
        )
    try:
        text = path.read_bytes().decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise make_error(path, f"not UTF-8 text (byte {error.start})", "save it in UTF-8") from None
    except OSError as error:
        raise make_error(
            path, f"cannot be read ({error.strerror})", "change its permissions"
        ) from None
    return text


def check_depth(text: str, path: Path) -> None:
    """Check how deep the values are, before the composer calls itself for each level."""
    if text.count("[") + text.count("{") + max(map(len, BLOCKS.findall(text))) < SHALLOW:
        return
    depth = 0
    for event in yaml.parse(text, Loader=LOADER):
        if isinstance(event, yaml.CollectionStartEvent):
            depth += 1
        elif isinstance(event, yaml.CollectionEndEvent):
            depth -= 1
        if depth > DEEPEST:
            line = text.count("\n", 0, event.start_mark.index) + 1 if event.start_mark else 1
            raise ConfigError(
                f"{path}, line {line}: nested too deeply\n  fix:     use at most {DEEPEST} levels"
            )


def check_node(top: yaml.Node, path: Path) -> None:
    """Check that no key is repeated, and how deep and how long the values are, with all aliases."""
    sizes: dict[int, int] = {}

    def measure(node: yaml.Node, depth: int) -> int:
        """Measure a node; each one is visited once, however often aliases name it."""
        if id(node) in sizes:
            if not sizes[id(node)]:
                raise make_error(path, "an alias that contains itself", "write the value out", node)
            return sizes[id(node)]
        if depth > DEEPEST:
            raise make_error(path, "nested too deeply", f"use at most {DEEPEST} levels", node)
        sizes[id(node)] = 0
        if isinstance(node, yaml.MappingNode):
            refuse_repeated_keys(node, path)
        size = 1 + sum(measure(part, depth + 1) for part in list_parts(node))
        if size > MOST_ENTRIES:
            raise make_error(
                path, f"more than {MOST_ENTRIES:,} values, with all aliases", "shorten it", node
            )
        sizes[id(node)] = size
        return size

    measure(top, 0)


def list_parts(node: yaml.Node) -> Iterator[yaml.Node]:
    """List the nodes directly inside a node."""
    if isinstance(node, yaml.MappingNode):
        for pair in node.value:
            yield from pair
    elif isinstance(node, yaml.SequenceNode):
        yield from node.value


def refuse_repeated_keys(node: yaml.MappingNode, path: Path) -> None:
    """Refuse a key that occurs twice: YAML would use the last one."""
    lines: dict[Any, int] = {}
    for key, _ in node.value:
        line = key.start_mark.line + 1
        if not isinstance(key, yaml.ScalarNode):
            raise make_error(path, "a key that is a list or has keys itself", "use a word", key)
        if key.value in lines:
            raise make_error(
                path,
                f"the key {key.value} occurs twice, first in line {lines[key.value]}",
                "keep one of the two",
                key,
            )
        lines[key.value] = line


def describe(error: yaml.YAMLError) -> str:
    """Describe what the parser did not understand, without the text around it."""
    mark = getattr(error, "problem_mark", None)
    problem = getattr(error, "problem", None) or "characters that YAML does not allow"
    if "cannot start any token" in problem:
        problem = "a tab, or another character that cannot start a value"
    return f"{problem} (line {mark.line + 1}, column {mark.column + 1})" if mark else problem


def make_error(path: Path, problem: str, fix: str, node: yaml.Node | None = None) -> ConfigError:
    """Make the error for a file that cannot be used."""
    place = f", line {node.start_mark.line + 1}" if node is not None else ""
    return ConfigError(f"{path}{place}: {problem}\n  fix:     {fix}")
