"""How the package is laid out: names that are there, packages that are declared, one user of the network."""

import ast
import re
import sys
import tomllib

import pytest
from project import ROOT

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


def test_nothing_but_the_endpoint_uses_the_network(imported):
    users = {
        str(file)
        for file, module, name in imported
        if module.split(".")[0] in NETWORK or f"{module}.{name}".startswith("urllib.request")
        if file.parts[0] != "demo"
    }
    assert users == {"src/turingstats/judges/llm/endpoint.py"}


def test_the_package_names_all_that_it_imports(imported):
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    entries = project["project"]["dependencies"] + project["dependency-groups"]["judges"]
    named = {re.match(r"[\w-]+", entry)[0] for entry in entries}
    top = {module.partition(".")[0] for file, module, _ in imported if file.parts[0] == "src"}
    others = top - set(sys.stdlib_module_names) - {"turingstats"}
    assert {BROUGHT.get(name, name) for name in others} == named - UNIMPORTED
