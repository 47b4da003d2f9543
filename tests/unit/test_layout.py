"""How the package is laid out: one order of imports, modules that say what they are for."""

import subprocess
import sys
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
