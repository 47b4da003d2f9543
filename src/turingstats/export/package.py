"""A folder with all that a study was computed from, and all that was computed, for others to check."""

import filecmp
import platform
import shutil
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import yaml
from snakemake.utils import update_config

import turingstats
from turingstats.config.raw_files import load_sources
from turingstats.config.subset import load_study
from turingstats.core import files
from turingstats.core.errors import ConfigError
from turingstats.core.templating import PAGES, make_environment
from turingstats.core.yaml_models import read_mapping
from turingstats.export.tables import write_tables

SUMS = "SHA256SUMS"
NOT_EXPORTED = ("logs", "benchmarks")
"""What a run keeps for itself."""
NUMBERS = ("statistics", "tables", "figures")
"""Folders of results with the numbers of a study."""


def write_inputs(
    name: str, settings: dict[str, Any], root: Path, target: Path, project: Path
) -> None:
    """Write data, study and configuration of a study into a new folder."""
    sources = load_sources(root / f"data/sources/{name}.yaml")
    if sources.observed is None and sources.folder is None:
        raise ConfigError(
            f"{name} has no data of its own: its trials are generated, and the project "
            "that generates them is all that others need"
        )
    target.mkdir(parents=True)
    if sources.observed is None:
        written = write_tables(
            sources,
            load_study(root / f"config/studies/{name}.yaml"),
            root / (sources.folder or ""),
            target,
        )
        write_yaml(written, target / f"data/sources/{name}.yaml")
    parts = [f"config/studies/{name}.yaml", f"config/studies/{name}", "config/config.yaml"]
    parts += [f"data/published/{name}"]
    if sources.observed:
        parts += ["data/sources", "data/published", sources.observed]
    for part in parts:
        copy_part(root / part, target / part)
    for part in ("envs/requirements.lock", "CITATION.cff"):
        copy_part(project / part, target / part)
    if settings:
        # So that a rerun has the settings of the command line.
        path = target / "config/config.yaml"
        config = read_mapping(path) if path.exists() else {}
        update_config(config, settings)
        write_yaml(config, path)
    python = "Python " + ".".join(platform.python_version_tuple()[:2])
    template = make_environment(PAGES, escape=False).get_template("package.md")
    text = template.render(name=name, version=turingstats.__version__, python=python) + "\n"
    (target / "README.md").write_text(text, encoding="utf-8")


def write_yaml(content: dict[str, Any], path: Path) -> None:
    """Write a YAML file into a folder that may not be there yet."""
    files.write_text(yaml.safe_dump(content, sort_keys=False, allow_unicode=True), path)


def copy_part(source: Path, target: Path) -> None:
    """Copy a file or folder, if there is one."""
    target.parent.mkdir(parents=True, exist_ok=True)
    if source.is_dir():
        shutil.copytree(source, target, dirs_exist_ok=True)
    elif source.exists():
        shutil.copy(source, target)


def tidy_results(folder: Path) -> None:
    """Remove what a run keeps for itself, such as logs, which name folders of this machine."""
    places = (*(folder / name for name in NOT_EXPORTED), folder.parent / ".cache")
    for place in (*places, folder.parents[1] / ".snakemake"):
        shutil.rmtree(place, ignore_errors=True)


def list_files(folder: Path) -> list[Path]:
    """List the files of a package but its checksums, relative to it."""
    files = (path.relative_to(folder) for path in folder.rglob("*") if path.is_file())
    return sorted(path for path in files if path.name != SUMS and path.parts[0] != ".snakemake")


def write_sums(folder: Path) -> None:
    """Write the checksums of all files of a package."""
    lines = [
        f"{files.digest_file(folder / path)}  {path.as_posix()}" for path in list_files(folder)
    ]
    (folder / SUMS).write_text("\n".join(lines) + "\n", encoding="utf-8")


def compare_results(
    made: Path, earlier: Path, parts: Iterable[str] = NUMBERS, pattern: str = "*.csv"
) -> list[str]:
    """List the files in which two results of a study differ, or that only one of them has."""
    names = {
        path.relative_to(folder).as_posix()
        for folder in (made, earlier)
        for part in parts
        for path in (folder / part).rglob(pattern)
    }
    _, different, missing = filecmp.cmpfiles(made, earlier, sorted(names), shallow=False)
    return sorted(different + missing)
