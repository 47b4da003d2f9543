"""Every message about a table is used, and every use has a message whose blanks it fills."""

import ast
import string

from project import ROOT

from turingstats.data.adapters.messages import MESSAGES

PLACES = {"make_error": 1, "make_source_error": 1, "refuse": 2}
"""Which argument of a function names the message."""
PARTS = {"row", "column", "value", "allowed", "name"}
"""What every error has, or `refuse` adds."""


def list_uses():
    """List the names of messages in calls, each with the blanks that are filled; None where not known."""
    for folder in ("data/adapters", "rankings", "ratings"):
        for path in sorted((ROOT / "src/turingstats" / folder).glob("*.py")):
            for node in ast.walk(ast.parse(path.read_text())):
                if not isinstance(node, ast.Call):
                    continue
                called = getattr(node.func, "attr", getattr(node.func, "id", ""))
                place = PLACES.get(called, len(node.args))
                named = node.args[place] if place < len(node.args) else None
                if isinstance(named, ast.Constant) and isinstance(named.value, str):
                    filled = {keyword.arg for keyword in node.keywords}
                    yield named.value, None if None in filled else filled


def test_messages_and_their_uses_agree():
    uses = list(list_uses())
    assert {name for name, _ in uses} == set(MESSAGES)
    for name, filled in uses:
        problem, fix = MESSAGES[name]
        blanks = {blank for _, blank, _, _ in string.Formatter().parse(problem + fix) if blank}
        assert filled is None or blanks <= filled | PARTS, name
