"""Data with known truth, generated for tests, benchmarks and runs with `data.source: demo`.

One folder per paper: a data package, or tables like those of the paper. What is printed is taken from
`data/published/<study>/`, everything else is made up. A generator uses nothing of what reads its files, so
that an error in either shows; nothing in `turingstats` uses a generator.
"""

import csv
import importlib
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from turingstats.core.errors import ConfigError


def write_study(
    generator: str, published: Iterable[str | Path], out_dir: str | Path, seed: int
) -> list[Path]:
    """Write the generated raw files of a study; the same arguments give the same bytes.

    `generator` is a module of this package, such as jones2024.games, with a function `generate_files(tables,
    seed)` that returns content by path, or `write_demo(*published, out_dir, seed)`; `published` are the
    tables of data/published/ that it starts from.
    """
    try:
        module = importlib.import_module(f"demo.{generator}")
    except ModuleNotFoundError as error:
        if not f"demo.{generator}".startswith(error.name or "?"):
            raise
        raise ConfigError(
            f"data/sources: unknown generator {generator!r}\n"
            "  allowed: modules in demo/, such as jones2024.games for demo/jones2024/games.py"
        ) from None
    if hasattr(module, "write_demo"):
        return module.write_demo(*published, out_dir, seed)
    tables = {}
    for path in map(Path, published):
        with path.open(encoding="utf-8-sig", newline="") as stream:
            tables[path.stem] = list(csv.DictReader(stream))
    return [
        store_file(Path(out_dir) / p, c) for p, c in module.generate_files(tables, seed).items()
    ]


def store_file(target: Path, content: Any) -> Path:
    """Write a raw file completely or not at all."""
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(target.name + ".partial")
    text = content if isinstance(content, str) else json.dumps(content)
    partial.write_text(text, encoding="utf-8")
    partial.replace(target)
    return target
