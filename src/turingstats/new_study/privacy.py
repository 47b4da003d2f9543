"""Columns that could identify a person, by their names and by their values."""

import re

import pandas as pd

from turingstats.new_study.vocabulary import NAMES, strip_signs

PRIVATE_NAMES = re.compile(
    r"(^|_)(ip|ips|email|e_mail|mail|phone|(?<!exp_)name|first_?name|last_?name|surname|username|nick|address|"
    r"browser|user_?agent|device|latitude|longitude|lat|lon|zip|postcode|birth\w*|dob|session\w*|cookie|"
    r"referr?er|url|\w*token|\w*password|\w*_?pid|worker\w*|assignment\w*|hit_?id|mturk\w*|prolific\w*|"
    r"comments?|feedback|country|city|uuid)(_|$)"
)
PRIVATE_VALUES = {
    "an address of a computer": r"(\d{1,3}\.){3}\d{1,3}(:\d+)?",
    "a browser string": r"mozilla/.*|.*applewebkit.*|.*gecko/.*",
    "an identifier": r"[0-9a-f]{16,}|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|a[0-9a-z]{12,14}",
    "a web address": r"https?://.*",
    "a date": r"\d{4}-\d\d-\d\d.*|\d\d?[./]\d\d?[./]\d{2,4}.*",
}
# Anchored at the @: with any number of letters before it, the time is quadratic in the length of a cell.
EMAIL = r"[^@\s]@[^@\s]+\.[a-z]"


def explain_privacy(name: str, values: pd.Series) -> str | None:
    """Say why a column, whose cells are given as text without empty ones, is private; None if nothing is."""
    words = re.sub(r"([a-z])([A-Z])", r"\1_\2", name).lower()
    words = re.sub(r"[^a-z0-9]+", "_", words)
    values = values.str.lower()
    if values.str.contains(EMAIL).any():
        return "holds e-mail addresses"
    known = f"{NAMES['agent']} {NAMES['session']}".split()
    if PRIVATE_NAMES.search(words) and strip_signs(name) not in known:
        return "its name is that of something personal"
    for what, pattern in PRIVATE_VALUES.items():
        if len(values) and values.str.fullmatch(pattern).mean() > 0.5:
            return f"looks like {what}"
    return None
