"""How the package is laid out: names that are there, packages that are declared, one user of the network."""

import ast
import importlib
import importlib.util
import re
import sys
import tomllib

import pytest
from project import ROOT

PROJECT = ("turingstats", "demo", "tools")
NETWORK = set("aiohttp ftplib http httpx httpx2 openai requests smtplib socket ssl urllib3".split())
# Packages that others bring, by those that the project names.
BROUGHT = {
    "PIL": "pillow",
    "fontTools": "matplotlib",
    "fontpkg_fira_sans": "fontpkg-fira-sans",
    "httpx2": "openai",
    "markupsafe": "jinja2",
    "pydantic_core": "pydantic",
    "sklearn": "scikit-learn",
    "yaml": "pyyaml",
}
# Read as data, and used by snakemake --report.
UNIMPORTED = {"symspellpy", "pygments"}


def read_pyproject():
    return tomllib.loads((ROOT / "pyproject.toml").read_text())


@pytest.fixture(scope="module")
def imported():
    """What files of Python import: path from the top, module, and name if it is one of a module."""
    found = []
    for folder in ("scripts", "src", "demo", "tools"):
        for path in sorted((ROOT / folder).rglob("*.py")):
            file = path.relative_to(ROOT)
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.ImportFrom):
                    found += [(file, node.module, alias.name) for alias in node.names]
                elif isinstance(node, ast.Import):
                    found += [(file, alias.name, None) for alias in node.names]
    return found


def test_imported_names_are_there(imported):
    """Scripts of jobs are imported by no test, so that a moved function would break a run only."""
    own = {found[1:]: found[0] for found in imported if found[2] and found[1].startswith(PROJECT)}
    for (module, name), file in own.items():
        there = hasattr(importlib.import_module(module), name)
        assert there or importlib.util.find_spec(f"{module}.{name}"), (file, name)


def test_generators_use_nothing_that_reads_their_files(imported):
    allowed = ("turingstats.core", "turingstats.stats", "turingstats.data.package_writer")
    of_demo = {f"{found[1]}.{found[2]}" for found in imported if found[0].parts[0] == "demo"}
    used = {name for name in of_demo if name.startswith("turingstats")}
    assert {name for name in used if not name.startswith(allowed)} == set()


def test_nothing_but_the_endpoint_uses_the_network(imported):
    users = {
        str(file)
        for file, module, name in imported
        if module.split(".")[0] in NETWORK or f"{module}.{name}".startswith("urllib.request")
        if file.parts[0] != "demo"
    }
    assert users == {"src/turingstats/judges/llm/endpoint.py"}


def test_the_package_names_all_that_it_imports(imported):
    project = read_pyproject()
    entries = project["project"]["dependencies"] + project["dependency-groups"]["judges"]
    named = {re.match(r"[\w-]+", entry)[0] for entry in entries}
    top = {module.partition(".")[0] for file, module, _ in imported if file.parts[0] == "src"}
    others = top - set(sys.stdlib_module_names) - {"turingstats"}
    assert {BROUGHT.get(name, name) for name in others} == named - UNIMPORTED


def test_the_package_holds_everything():
    wheel = read_pyproject()["tool"]["hatch"]["build"]["targets"]["wheel"]
    assert wheel["packages"] == ["src/turingstats"]
    assert all((ROOT / path).exists() for path in wheel["force-include"])
    folders = {path.parent for path in (ROOT / "src/turingstats").rglob("*.py")}
    assert all((folder / "__init__.py").exists() for folder in folders)
