"""Data with known truth, generated for tests, benchmarks and runs with `data.source: demo`.

A module for each paper. What is printed is taken from
`data/published/<study>/`, everything else is made up. A generator uses nothing of what reads its files, so
that an error in either shows; nothing in `turingstats` uses a generator.
"""

from collections.abc import Iterable
from pathlib import Path

import pandas as pd

from turingstats.core import files
from turingstats.core.code_dependencies import load_module

Tables = dict[str, pd.DataFrame]
"""Tables by name, as text where they are published ones."""


def write_study(
    generator: str, published: Iterable[str | Path], out_dir: str | Path, seed: int
) -> list[Path]:
    """Write the generated raw files of a study; the same arguments give the same bytes.

    `generator` is a module of this package, such as jones2024, with a function `generate_files(tables,
    seed)` that returns text or tables by path; `published` are the tables of data/published/ that it starts
    from.
    """
    allowed = "modules in demo/, such as jones2024 for demo/jones2024.py"
    module = load_module(f"demo.{generator}", f"generator {generator!r}", allowed)
    tables = {
        Path(path).stem: pd.read_csv(path, dtype=str, keep_default_na=False) for path in published
    }
    paths = []
    for name, content in module.generate_files(tables, seed).items():
        paths.append(Path(out_dir) / name)
        write = files.write_text if isinstance(content, str) else files.write_frame
        write(content, paths[-1])
    return paths
