"""How the package is laid out: one order of imports, modules that say what they are for."""

import ast
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MODULES = sorted((ROOT / "scripts/turingstats").rglob("*.py"))


def test_imports_go_one_way():
    command = [Path(sys.executable).with_name("lint-imports"), "--no-cache"]
    done = subprocess.run(
        command, cwd=ROOT, env={"PYTHONPATH": "scripts"}, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_module_says_what_it_is_for(path):
    assert path.read_text().startswith('"""')


def test_scripts_import_only_what_there_is():
    # Jobs alone run the scripts, and pytest imports none of them.
    absent = []
    for path in sorted((ROOT / "scripts").glob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and node.module.startswith("turingstats"):
                try:
                    there = find_spec(node.module) is not None
                except ModuleNotFoundError:
                    there = False
                absent += [] if there else [f"{path.name}: {node.module}"]
    assert absent == []
