"""What a job depends on besides its data: its script, all library modules that it imports, even indirectly,
and versions of packages.

The checksum of the files and the versions are a parameter of the rules, so that an edited module or another
version reruns the jobs that import it, and no others. As inputs, the files would take seconds of a run, since
Snakemake reads all inputs of a job again for each of its outputs.
"""

import functools
import importlib.metadata
import re
import sys
from pathlib import Path
from types import ModuleType

from turingstats.core import files
from turingstats.core.errors import ConfigError

LIBRARY, GENERATORS = "turingstats", "demo"
"""Packages: the library in src/, the generators of raw files at the top of the project."""
# An import: its package, if there is one, and what is imported, also in parentheses over several lines.
IMPORT = re.compile(r"^[ \t]*(?:from[ \t]+(\S+)[ \t]+)?import[ \t]+(\([^)]*\)|[^\n]*)", re.M)
DISTRIBUTIONS = {"PIL": "pillow", "sklearn": "scikit-learn", "yaml": "PyYAML"}
"""Names under which packages are installed, if they are imported under another."""

digest_module = functools.cache(files.digest_file)
COLLECTS = re.compile(r"(?<!def )import_modules\(")
"""Pattern of a file that imports all modules of its folder."""


@functools.cache
def list_imports(file: Path) -> frozenset[str]:
    """List the modules that a Python file imports, and their names; words of docstrings may be among them.

    Parsing whole files would take a second at every start. No import is relative (ruff: TID252).
    """
    names = set()
    for package, imported in IMPORT.findall(file.read_text(encoding="utf-8")):
        # Neither remarks nor other names for what is imported.
        parts = re.findall(r"[\w.]+", re.sub(r"#.*|\bas\s+\w+", "", imported))
        names |= {package, *(f"{package}.{part}" for part in parts)} if package else set(parts)
    return frozenset(names)


def locate_library(root: Path) -> Path:
    """Return the folder of the library: in the project's src/, or where it is installed."""
    folder = root / "src" / LIBRARY
    return folder if folder.is_dir() else Path(__file__).parents[1]


@functools.cache
def index_modules(root: Path) -> dict[str, Path]:
    """Index the files of library and generators by dotted name: faster than asking the file system."""
    return {
        ".".join(path.relative_to(top.parent).with_suffix("").parts).removesuffix(".__init__"): path
        for top in (locate_library(root), root / GENERATORS)
        for path in top.rglob("*.py")
    }


@functools.cache
def find_imports(file: Path, root: Path) -> frozenset[Path]:
    """List the files that a Python file imports, anywhere in it, with ``__init__.py`` of their packages.

    What a module declares in YAML stands beside it, under its name.
    """
    text = file.read_text(encoding="utf-8")
    modules = {path for path in (file.with_suffix(".yaml"),) if path.exists()}
    if COLLECTS.search(text):
        modules |= set(file.parent.glob("*.py"))
    known = index_modules(root)
    for name in list_imports(file):
        parts = name.split(".")
        whole = [".".join(parts[:depth]) for depth in range(1, len(parts) + 1)]
        # What is imported may be a module of the package, or a name in it.
        modules |= {known[part] for part in whole if part in known}
    return frozenset(modules)


@functools.cache
def find_code(names: tuple[str, ...], root: Path) -> tuple[Path, ...]:
    """List the Python files that scripts or modules (paths in `root`) depend on, with themselves.

    A name such as "analysis.sample:describe_sample" is a function of the library.
    """
    code: set[Path] = set()
    modules = index_modules(root)
    new = {
        modules[f"{LIBRARY}.{name.partition(':')[0]}"] if ":" in str(name) else root / name
        for name in names
    }
    while new:
        code |= new
        new = {file for known in new for file in find_imports(known, root)} - code
    return tuple(sorted(code))


@functools.cache
def find_version(package: str) -> str | None:
    """Find the installed version of a package; None if there is no such package."""
    try:
        return importlib.metadata.version(package)
    except importlib.metadata.PackageNotFoundError:
        return None


def find_versions(names: tuple[str, ...], root: Path) -> dict[str, str]:
    """Find the versions of the packages that scripts or modules import, even indirectly."""
    imported = {name for file in find_code(names, root) for name in list_imports(file)}
    tops = {name.partition(".")[0] for name in imported} - sys.stdlib_module_names
    packages = {DISTRIBUTIONS.get(name, name) for name in tops}
    versions = {name: find_version(name) for name in sorted(packages, key=str.lower)}
    return {name: version for name, version in versions.items() if version}


def describe_code(names: tuple[str, ...], root: Path) -> dict[str, str]:
    """Describe what scripts or modules depend on: the checksum of their code, and versions of packages."""
    digests = "".join(map(digest_module, find_code(names, root)))
    return {"code": files.digest_bytes(digests.encode()), **find_versions(names, root)}


def list_modules(package: str, root: Path) -> list[Path]:
    """List the modules of a package and its subpackages, for jobs that choose one by name at run time."""
    top, *parts = package.split(".")
    folder = locate_library(root) if top == LIBRARY else root / top
    return sorted(folder.joinpath(*parts).rglob("*.py"))


def load_module(name: str, what: str, allowed: str) -> ModuleType:
    """Load a module that data/sources/ names; an unknown one is an error."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        if not name.startswith(error.name or "?"):
            raise
        raise ConfigError(f"data/sources: unknown {what}", allowed=allowed) from None


def import_modules(package: str) -> list[ModuleType]:
    """Import all modules of a package, by name: whatever is in its folder belongs to it."""
    folder = Path(str(importlib.import_module(package).__file__)).parent
    names = sorted(path.stem for path in folder.glob("[!_]*.py"))
    return [importlib.import_module(f"{package}.{name}") for name in names]
