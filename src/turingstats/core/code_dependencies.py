"""Which Python files a job depends on: its script and all library modules that it imports, even indirectly.

These files are inputs of the rules, so that an edited module reruns the jobs that import it, and no others.
"""

import ast
import functools
import re
from pathlib import Path

LIBRARY, GENERATORS = "turingstats", "demo"
"""Packages: the library in src/, the generators of raw files at the top of the project."""
# A line that starts like an import, to the closing parenthesis of its list of names.
LIKE_AN_IMPORT = re.compile(
    rf"^[ \t]*((?:from[ \t]+\.|(?:from|import)[ \t][^\n(]*(?:{LIBRARY}|{GENERATORS}))"
    r"[^\n(]*(?:\([^)]*\))?)",
    re.M,
)


def parse_imports(file: Path) -> ast.Module:
    """Parse the import statements of a file that may refer to the library.

    Parsing whole files would take a second at every start, so only lines that start like an import are
    extracted; if these are not valid Python (words of a docstring), the whole file is parsed.
    """
    text = file.read_text(encoding="utf-8")
    try:
        return ast.parse("\n".join(LIKE_AN_IMPORT.findall(text)))
    except SyntaxError:
        return ast.parse(text, filename=str(file))


@functools.cache
def index_modules(root: Path) -> dict[str, Path]:
    """Index the files of the library and of the generators by dotted name; a package is its ``__init__.py``.

    Looking names up here, instead of asking the file system, saves half a second at every start.
    """
    return {
        ".".join(path.relative_to(top.parent).with_suffix("").parts).removesuffix(".__init__"): path
        for top in (root / "src" / LIBRARY, root / GENERATORS)
        for path in top.rglob("*.py")
    }


@functools.cache
def find_imports(file: Path, root: Path) -> frozenset[Path]:
    """List the files of the library and of the generators that a Python file imports, anywhere in it.

    With modules, the ``__init__.py`` of the packages that they are in, which importing them runs, are listed.
    """
    modules: set[Path] = set()
    known = index_modules(root)
    for node in ast.walk(parse_imports(file)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            package = node.module or ""
            if node.level:
                top = root / "src" if root / "src" in file.parents else root
                above = file.relative_to(top).parts[: -node.level]
                package = ".".join([*above, *package.split(".")]).rstrip(".")
            # A name that is imported may be a module of the package.
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
    folder = root / GENERATORS if top == GENERATORS else root / "src" / top
    return sorted(folder.joinpath(*parts).rglob("*.py"))
