"""Words by which columns and values of a table of verdicts are recognized, and reserved names."""

import functools
import re
from collections.abc import Collection, Iterable
from typing import Any

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
RATED_IN = "task category domain itemset itemcategory stimuluscategory"
RATED_AS_SIMILAR = "similarity similarityrating similarityscore sim howsimilar rating ratings"
RATED_AS_DIFFERENT = "dissimilarity distance difference howdifferent dissimilarityrating"
# A yes in a column with such a name means a machine, or a person.
SAID = r"(is|was|said|says|judged|guessed|thinks?|thought|true|real|really|actually)*"
OF_MACHINES = re.compile(
    SAID
    + r"(ai|bot|machine|generated|aigenerated|fake|deepfake|synthetic|artificial)(true|truth|actual)?"
)
OF_PEOPLE = re.compile(
    SAID + r"(human|person|real|authentic|genuine|humanwritten)(true|truth|actual)?"
)
# What is asked after a verdict depends on it, and what is said of witnesses follows from the design.
OF_REASONS = re.compile(r"(reason|why|expla|rationale|justif|strateg|criteri)\w*")
OF_CONFIDENCE = re.compile(r"\w*(confiden|certain|sure)\w*")
# PsychoPy and jsPsych.
OF_SOFTWARE = re.compile(
    r"\w*this(rep|trial)?n|\w*thisindex|\w*(started|stopped)|timeelapsed|internalnodeid|viewhistory|trialtype"
)
OF_WITNESSES = re.compile(r"\w*witness\w*")
YES, NO = ([word for word in YES_NO if YES_NO[word] == meaning] for meaning in ("yes", "no"))
# How sure an answer is does not matter for what it says: definitely AI, probably a human.
PREFIXED = re.compile(
    r"(?:definitely|certainly|surely|probably|likely|possibly|maybe|by|an?|the)*"
    rf"({'|'.join(WORDS)})"
)
GRADED: str = KNOWN["graded"]
"""Names of columns that may hold ratings or scores, without case and punctuation."""
OF_GRADES = re.compile(
    r"\w*(human|real|natural|authentic|machine|fake|synthetic|ai|slider|likert)\w*|p(real|human|ai|fake)|score\w*"
)
"""Names of further columns that may."""
MEANS_HUMAN = re.compile("human|real|natural|authentic|person")
"""What such a name says of ratings that are larger for people."""
OF_MODELS = re.compile(
    "gpt|claude|llama|gemini|gemma|mistral|mixtral|qwen|deepseek|bard|palm|phi-|falcon|vicuna|grok|bloom|"
    "stylegan|dall|midjourney|diffusion|sdxl|imagen|firefly|flux|eliza|bot"
)
"""Parts of names that only machines have."""
OF_RANKS = re.compile(r"\w*rank(s|ed|ing)?")
CHOSEN_FROM = ("model", "agent", "system", "response", "answer", "assistant", "bot", "llm")
"""Names of columns, without their last letter or number, with two machines that are compared."""
ALWAYS = {"sample_id", "eval_id", "id", "epoch", "input", "target"}
"""Columns of every evaluation log of Inspect, as its function `samples_df` tabulates it."""
BESIDE = ("_answer", "_explanation", "_metadata")
"""Endings of the columns beside the value of a score."""
# Names that YAML or a CSV table does not read as text.
NO_NAMES = {
    "y", "n", "yes", "no", "on", "off", "true", "false", "null", "none", "nil", "na", "nan", "n_a",
    "inf", "infinity",
}  # fmt: skip
# Names that mean something else in the study files or the data contract.
RESERVED = {*TRIAL_COLUMNS, "study", "defect", "reading", "person", "worker"}


def strip_signs(text: str) -> str:
    """Reduce the name of a column to lower-case letters and digits, for comparison."""
    return re.sub(r"[\W_]", "", str(text).lower())


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


def interpret_values(column: str, values: list[str]) -> dict[str, Any]:
    """Interpret the values of a column as human, machine or unsure, where they are known."""
    meanings = {value: interpret_value(value) for value in values}
    for pattern, yes, no in ((OF_MACHINES, "machine", "human"), (OF_PEOPLE, "human", "machine")):
        words = {value: normalize_value(value) for value in values}
        answers = {value: word for value, word in words.items() if word in (*YES, *NO)}
        if pattern.fullmatch(strip_signs(column)) and answers:
            meanings = {value: yes if word in YES else no for value, word in answers.items()}
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
    """Name levels for a study file, of names that are in use neither among them nor elsewhere."""
    names: dict[str, str] = {}
    for level in levels:
        name = choose_unused_name(make_identifier(level, kind), {*names, *used, "all"})
        names[name] = level
    return names


def is_people(word: str) -> bool:
    """Tell whether a word means people."""
    return WORDS.get(normalize_value(word)) == "human"


def format_word(word: str) -> str:
    """Format a word for YAML on a command line, in single quotes where it needs them."""
    is_plain = re.fullmatch(r"[A-Za-z]\w*", word) and word.lower() not in NO_NAMES
    return word if is_plain else "'" + word.replace("'", "''") + "'"


def format_flow(said: Any) -> str:
    """Format what the user said for YAML on a command line."""
    if isinstance(said, dict):
        return f"{{{', '.join(f'{format_flow(key)}: {format_flow(said[key])}' for key in said)}}}"
    if isinstance(said, list | tuple):
        return f"[{', '.join(map(format_flow, said))}]"
    if isinstance(said, str):
        return format_word(said)
    return "null" if said is None else str(said).lower()


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
    values = [name for name in scores if not name.endswith(BESIDE)]
    answers = [name for name in scores if name.endswith("_answer")]
    authors = [
        name
        for name in header
        if name.startswith("metadata_")
        and strip_signs(name.removeprefix("metadata_")) in NAMES["agent"].split()
    ]
    guessed = {"detector": ["model"], "stimulus": ["id"], "agent": authors, "verdict": answers}
    # Several verdicts of one judge, not a condition of them.
    guessed["trial"] = ["epoch"]
    guessed |= {} if answers else {"right": values}
    same = {"detector": {"judge"}, "verdict": {"right", "chosen"}, "right": {"verdict", "chosen"}}
    used = {column for part in named.values() if part is not None for column in make_list(part)}
    return {
        what: columns[0]
        for what, columns in guessed.items()
        if len(columns) == 1
        and columns[0] in set(header) - used
        and not ({what} | same.get(what, set())) & set(named)
    }
