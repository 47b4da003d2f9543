"""Words by which columns and values of a table of verdicts are recognized, and reserved names."""

import functools
import math
import re
from collections.abc import Collection, Iterable
from typing import Any

import yaml

from turingstats.config.study.tests import TRIAL_COLUMNS
from turingstats.core.templating import PAGES
from turingstats.core.yaml_models import make_list, make_slug, read_mapping
from turingstats.data.cells import YES_NO
from turingstats.data.schema import normalize_spelling

LONG = 30
"""Mean number of letters above which answers are free text."""
MAX_AGENTS = 60
"""Maximum number of words that may be names of agents in a column whose name does not say so."""
MOSTLY = 0.95
"""Share of rows from which on a rule is taken to hold, and the others for slips."""
SHOWN = 8
"""Maximum number of words that a message lists."""
KNOWN = read_mapping(PAGES / "words.yaml")
NAMES: dict[str, str] = KNOWN["columns"]
"""Names of columns by what they hold; the first match is used."""
ASKED = ("gender", "age", "education", "native")
WORDS = {word: meaning for meaning, words in KNOWN["meanings"].items() for word in words.split()}
"""Meanings of words: human, machine or unsure."""
PATTERNS = {what: re.compile(pattern) for what, pattern in KNOWN["patterns"].items()}
OF_MODELS = re.compile(KNOWN["machines"])
NO_NAMES = {*KNOWN["no_names"].split()}
YES, NO = ([word for word in YES_NO if YES_NO[word] == meaning] for meaning in ("yes", "no"))
# How sure an answer is does not matter for what it says: definitely AI, probably a human.
PREFIXED = re.compile(
    r"(?:definitely|certainly|surely|probably|likely|possibly|maybe|by|an?|the)*"
    rf"({'|'.join(WORDS)})"
)
ALWAYS = {"sample_id", "eval_id", "id", "epoch", "input", "target"}
"""Columns of every evaluation log of Inspect, as its function `samples_df` tabulates it."""
BESIDE = ("_answer", "_explanation", "_metadata")
"""Endings of the columns beside the value of a score."""
# Names that mean something else in the study files or the data contract.
RESERVED = {*TRIAL_COLUMNS, "study", "defect", "reading", "person", "worker"}


def strip_signs(text: str) -> str:
    """Reduce the name of a column to lower-case letters and digits, for comparison."""
    return re.sub(r"[\W_]", "", str(text).lower())


def is_called(column: str, what: str) -> bool:
    """Tell whether the name of a column says what it is."""
    return PATTERNS[what].fullmatch(strip_signs(column)) is not None


@functools.lru_cache(maxsize=2**16)
def normalize_value(text: str) -> str:
    """Remove what separates the letters of a word, as in "don't know", A.I., not_sure.

    All other characters distinguish values: -1 is not 1, and "human?" is not human.
    """
    letter = r"[^\W\d_]"
    return re.sub(rf"(?<={letter})([\s_.'\u2019-]+(?={letter})|\.$)", "", normalize_spelling(text))


@functools.lru_cache(maxsize=2**16)
def interpret_value(value: str) -> str | None:
    """Interpret a word as human, machine or unsure, if it is known."""
    match = PREFIXED.fullmatch(normalize_value(value))
    return WORDS[match[1]] if match else None


def interpret_values(column: str, values: list[str], other: str = "") -> dict[str, Any]:
    """Interpret the values of a column as human, machine or unsure, where they are known.

    What yes means follows from the name of the column, or from that of the `other` one with the same words.
    """
    words = {value: normalize_value(value) for value in values}
    answers = {value: word for value, word in words.items() if word in (*YES, *NO)}
    for name in (column, other) if answers else ():
        for yes, no in (("human", "machine"), ("machine", "human")):
            if is_called(name, f"yes_means_{yes}"):
                return {value: yes if word in YES else no for value, word in answers.items()}
    meanings = {value: interpret_value(value) for value in values}
    return {value: meaning for value, meaning in meanings.items() if meaning}


def choose_unused_name(name: str, used: set[str]) -> str:
    """Return the name, with a number appended if it is already in use."""
    numbered = (f"{name}_{number}" for number in range(2, len(used) + 3))
    return next(candidate for candidate in (name, *numbered) if candidate not in used)


def make_identifier(text: str, prefix: str) -> str:
    """Make a slug that is never read as a number, a missing value, or yes or no."""
    name = make_slug(text) or "x"
    return name if name[0].isalpha() and name not in NO_NAMES else f"{prefix}_{name}"


def name_all(levels: Iterable[str], kind: str, used: Collection[str] = ()) -> dict[str, str]:
    """Name levels for a study file, of names that are in use neither among them nor elsewhere.

    A name is never what the table calls another level, nor a word that YAML or a table of results would read
    as a number or a missing value.
    """
    names: dict[str, str] = {}
    spelled = {level: normalize_spelling(level) for level in levels}
    for level, spelling in spelled.items():
        others = {*spelled.values()} - {spelling}
        used_names = {"all", *used, *names, *others}
        names[choose_unused_name(make_identifier(level, kind), used_names)] = level
    return names


def is_people(word: str) -> bool:
    """Tell whether a word means people."""
    return WORDS.get(normalize_value(word)) == "human"


def format_flow(said: Any) -> str:
    """Format what the user said for YAML on a command line, in single quotes where it needs them."""
    text = yaml.safe_dump(
        said, default_flow_style=True, width=math.inf, allow_unicode=True, sort_keys=False
    )
    return text.removesuffix("\n...\n").strip()


def find_columns(
    header: Iterable[str], columns: dict[str, str | None], spellings: dict[str, str]
) -> dict[str, str]:
    """Find the columns of a table by their names, where they are not given; None leaves one out."""
    free = {strip_signs(name): name for name in reversed([*header])}
    for what, words in spellings.items():
        column = next((free[word] for word in words.split() if word in free), None)
        if what not in columns and column is not None and column not in columns.values():
            columns[what] = column
    return {what: column for what, column in columns.items() if column}


def name_sample_columns(header: list[str], named: dict[str, Any]) -> dict[str, Any]:
    """Name the columns of an evaluation log: the model judges, and its only score says whether it was right.

    What the user has `named` is left to them; empty for any other table.
    """
    if not set(header) >= ALWAYS:
        return {}
    scores = [name for name in header if name.startswith("score_")]
    answers = [name for name in scores if name.endswith("_answer")]
    values = [name for name in scores if not answers and not name.endswith(BESIDE)]
    of_agents = {f"metadata{name}" for name in NAMES["agent"].split()}
    authors = [name for name in header if strip_signs(name) in of_agents]
    guessed = {"detector": ["model"], "stimulus": ["id"], "agent": authors, "verdict": answers}
    # Several verdicts of one judge are no condition of them.
    guessed |= {"right": values, "trial": ["epoch"]}
    same = {"detector": {"judge"}, "verdict": {"right", "chosen"}, "right": {"verdict", "chosen"}}
    used = {column for part in named.values() if part is not None for column in make_list(part)}
    return {
        what: columns[0]
        for what, columns in guessed.items()
        if len(columns) == 1
        and columns[0] in set(header) - used
        and not ({what} | same.get(what, set())) & set(named)
    }
