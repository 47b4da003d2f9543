"""The map of the modules, in the package's docstring."""

import re
from collections import Counter
from pathlib import Path

import turingstats


def test_every_module_is_named_once_and_says_what_it_is_for():
    folder = Path(turingstats.__file__).parent
    modules = {path.stem for path in folder.glob("*.py")} - {"__init__"}
    packages = {path.parent.name for path in folder.glob("*/__init__.py")}
    named = Counter(re.findall(r"`(\w+)`", turingstats.__doc__))
    assert named == Counter(modules | packages)
    for path in folder.rglob("*.py"):
        text = path.read_text()
        # Packages of a study's figures are empty.
        assert text.startswith('"""') or not text, path
