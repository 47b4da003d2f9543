"""Every message about a table is used, and every use has a message whose blanks it fills."""

import ast
import string

import pytest
from project import ROOT

from turingstats.core import text_tables
from turingstats.data.adapters import messages
from turingstats.new_study.sentences import SENTENCES

PLACES = {"make_error": 1, "make_source_error": 1, "refuse": 2}
"""Which argument of a function names the message."""
PARTS = {"row", "column", "value", "allowed", "name", "save"}
"""What every error has, or `refuse` and `make_error` add."""
ADAPTERS = ("data/adapters", "rankings", "ratings")
KINDS = {
    "adapters": (messages.MESSAGES, ADAPTERS, PLACES, PARTS),
    "text": (text_tables.MESSAGES, ("core/text_tables.py",), PLACES, PARTS),
    "notes": (SENTENCES["notes"], ("new_study",), {"write_note": -1}, set()),
    # Every error of a new table may name the command that reads it.
    "errors": (SENTENCES["errors"], ("new_study",), {"make_error": -1}, {"command"}),
}
"""By kind of message: the words, the modules that use them, by which functions, and what these add."""


def list_uses(modules, functions):
    """List the names of messages in calls, each with the blanks that are filled; None where not known."""
    for place in modules:
        path = ROOT / "src/turingstats" / place
        for file in sorted(path.glob("*.py")) if path.is_dir() else [path]:
            for node in ast.walk(ast.parse(file.read_text())):
                called = getattr(node, "func", None)
                at = functions.get(getattr(called, "attr", getattr(called, "id", "")))
                if at is None or at >= len(node.args):
                    continue
                filled = {keyword.arg for keyword in node.keywords}
                for named in ast.walk(node.args[at]):
                    if isinstance(named, ast.Constant) and isinstance(named.value, str):
                        yield named.value, None if None in filled else filled


@pytest.mark.parametrize("kind", KINDS)
def test_messages_and_their_uses_agree(kind):
    words, modules, functions, added = KINDS[kind]
    uses = list(list_uses(modules, functions))
    assert {name for name, _ in uses} == set(words)
    for name, filled in uses:
        text = words[name] if isinstance(words[name], str) else " ".join(words[name])
        blanks = {part.split("[")[0] for _, part, _, _ in string.Formatter().parse(text) if part}
        assert filled is None or blanks <= filled | added, name
