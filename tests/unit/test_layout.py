"""How the package is laid out: names that are there, modules that say what they are for."""

import ast
import importlib
import importlib.util

from project import ROOT

PROJECT = ("turingstats", "demo", "tools")


def find_imported():
    """Names that scripts, generators and tools import from this project, by file."""
    for folder in ("scripts", "src", "demo", "tools"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(PROJECT):
                    yield from ((path, node.module, alias.name) for alias in node.names)


def test_imported_names_are_there():
    """Scripts of jobs are imported by no test, so that a moved function would break a run only."""
    for path, module, name in find_imported():
        found = importlib.import_module(module)
        assert hasattr(found, name) or importlib.util.find_spec(f"{module}.{name}"), (path, name)
