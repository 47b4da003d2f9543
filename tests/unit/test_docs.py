"""The README and docs show the accepted numbers, not older ones."""

import hashlib
import json
import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_docs_are_as_new_as_the_numbers_they_show():
    seen = json.loads((ROOT / "docs/made_from.json").read_text())
    for name, checksum in seen.items():
        accepted = ROOT / f"tests/golden/observed/{name}.csv"
        found = hashlib.sha256(accepted.read_bytes()).hexdigest()
        assert found == checksum, f"{accepted.name} has changed: make results docs"


def test_every_picture_of_the_readme_is_there_and_described():
    for alt, path in re.findall(
        r"!\[(.*?)\]\((.*?)\)", (ROOT / "README.md").read_text(), re.DOTALL
    ):
        assert len(alt) > 20
        assert (ROOT / path).exists(), path
