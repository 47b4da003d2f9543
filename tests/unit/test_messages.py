"""Every message about a table is used, and every use has a message whose blanks it fills."""

import ast
import string

import pytest
from project import ROOT

from turingstats.core import text_tables
from turingstats.data.adapters import messages

PLACES = {"make_error": 1, "make_source_error": 1, "refuse": 2}
"""Which argument of a function names the message."""
PARTS = {"row", "column", "value", "allowed", "name", "save"}
"""What every error has, or `refuse` and `make_error` add."""


FILES = {
    "adapters": ("data/adapters", "rankings", "ratings"),
    "text": ("core/text_tables.py",),
}
WORDS = {"adapters": messages.MESSAGES, "text": text_tables.MESSAGES}


def list_uses(places):
    """List the names of messages in calls, each with the blanks that are filled; None where not known."""
    for place in places:
        path = ROOT / "src/turingstats" / place
        for file in sorted(path.glob("*.py")) if path.is_dir() else [path]:
            for node in ast.walk(ast.parse(file.read_text())):
                if not isinstance(node, ast.Call):
                    continue
                called = getattr(node.func, "attr", getattr(node.func, "id", ""))
                at = PLACES.get(called, len(node.args))
                named = node.args[at] if at < len(node.args) else None
                if isinstance(named, ast.Constant) and isinstance(named.value, str):
                    filled = {keyword.arg for keyword in node.keywords}
                    yield named.value, None if None in filled else filled


@pytest.mark.parametrize("kind", FILES)
def test_messages_and_their_uses_agree(kind):
    uses = list(list_uses(FILES[kind]))
    assert {name for name, _ in uses} == set(WORDS[kind])
    for name, filled in uses:
        problem, fix = WORDS[kind][name]
        blanks = {blank for _, blank, _, _ in string.Formatter().parse(problem + fix) if blank}
        assert filled is None or blanks <= filled | PARTS, name
