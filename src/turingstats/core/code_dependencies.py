"""Which Python files a job depends on: its script and all library modules that it imports, even indirectly.

These files are inputs of the rules, so that an edited module reruns the jobs that import it, and no others.
"""

import ast
import functools
import importlib
import re
from pathlib import Path
from types import ModuleType

LIBRARY, GENERATORS = "turingstats", "demo"
"""Packages: the library in src/, the generators of raw files at the top of the project."""
# A line that starts like an import, to the closing parenthesis of its list of names.
LIKE_AN_IMPORT = re.compile(
    rf"^[ \t]*((?:from|import)[ \t][^\n(]*(?:{LIBRARY}|{GENERATORS})[^\n(]*(?:\([^)]*\))?)",
    re.M,
)

COLLECTS = re.compile(r"(?<!def )import_modules\(")
"""Pattern of a file that imports all modules of its folder."""


def parse_imports(text: str) -> ast.Module:
    """Parse the import statements, in the text of a file, that may refer to the library.

    Parsing whole files would take a second at every start, so only lines that start like an import are
    extracted; if these are not valid Python (words of a docstring), the whole file is parsed.
    """
    try:
        return ast.parse("\n".join(LIKE_AN_IMPORT.findall(text)))
    except SyntaxError:
        return ast.parse(text)


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
    """List the files that a Python file imports, anywhere in it, with ``__init__.py`` of their packages."""
    text = file.read_text(encoding="utf-8")
    modules = set(file.parent.glob("*.py")) if COLLECTS.search(text) else set()
    known = index_modules(root)
    for node in ast.walk(parse_imports(text)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            # No import is relative (ruff: TID252). A name that is imported may be a module of the package.
            package = str(node.module)
            names = [package, *(f"{package}.{alias.name}" for alias in node.names)]
        else:
            continue
        for name in names:
            parts = name.split(".")
            whole = [".".join(parts[:depth]) for depth in range(1, len(parts) + 1)]
            modules |= {known[part] for part in whole if part in known}
    return frozenset(modules)


@functools.cache
def find_code(names: tuple[str, ...], root: Path) -> tuple[Path, ...]:
    """List the Python files that scripts or modules (paths in `root`) depend on, with themselves."""
    files: set[Path] = set()
    new = {root / name for name in names}
    while new:
        files |= new
        new = {file for known in new for file in find_imports(known, root)} - files
    return tuple(sorted(files))


def list_modules(package: str, root: Path) -> list[Path]:
    """List the modules of a package and its subpackages, for jobs that choose one by name at run time."""
    top, *parts = package.split(".")
    folder = locate_library(root) if top == LIBRARY else root / top
    return sorted(folder.joinpath(*parts).rglob("*.py"))


def import_modules(package: str) -> list[ModuleType]:
    """Import all modules of a package, by name: whatever is in its folder belongs to it."""
    folder = Path(str(importlib.import_module(package).__file__)).parent
    names = sorted(path.stem for path in folder.glob("[!_]*.py"))
    return [importlib.import_module(f"{package}.{name}") for name in names]


def search_modules(package: str, pattern: str) -> list[str]:
    """Find what a pattern matches in the modules of a folder of the library, by name of the module.

    For names that study files may contain: importing these modules takes a second, for scipy or matplotlib.
    """
    folder = Path(__file__).parents[1] / package
    texts = (path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py")))
    return [name for text in texts for name in re.findall(pattern, text, re.M)]
