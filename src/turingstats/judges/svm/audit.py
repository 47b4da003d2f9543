"""Find properties of the responses that would make a judge's task trivial, before it is trained.

A judge may discriminate people from machines for trivial reasons: one agent's responses may be another's
under a second name, people's may be filler, a response may be on both sides of a split, its length alone
or the grid of its coordinates may give it away, or a few responses may have what only machines, or only
people, do: tokens such as [ unused0 ], phrases in a loop, stray spaces, words that the others do not use.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

import numpy as np
import pandas as pd
from scipy import stats
from sklearn.metrics import balanced_accuracy_score
from sklearn.tree import DecisionTreeClassifier

from turingstats.core import scan_paths
from turingstats.core.names import join_names
from turingstats.judges.svm.classifier import Setup, assign_folds, split_folds
from turingstats.judges.svm.features import Kind, draw_balanced_items
from turingstats.stats.multiplicity import adjust_p_values

MIN_SAME_SHARE = 0.9
"""Minimum share of identical responses to flag two agents as the same, or people's responses as filler."""
MIN_TRIVIAL_ACCURACY = 0.7
"""Minimum accuracy to flag a single feature as giving the agent away."""
MAX_RARE_SHARE = 0.1
"""Maximum share of responses with a sign: a feature that most responses lack."""
TELLING = "gives the agent away"
MIN_SIGNS = 10
"""Minimum number of responses with a sign to flag it."""
ALPHA = 0.05
"""Level of the test of words of one side."""
MAX_LISTED = 5
"""Maximum number of words of one side to list."""
TOKEN = re.compile(r"\[ ?\w+ ?\]|<\w+>|##\w")
"""A token that a language model should not write, such as [ unused0 ], <unk> or ##0."""


class Finding(NamedTuple):
    """A number that shows whether a judge's task is trivial; where it does, it is flagged, with a note."""

    check: str
    agents: str
    what: str
    value: float
    n: int
    flagged: bool
    note: str


def audit_items(items: pd.DataFrame, kind: Kind, setup: Setup) -> pd.DataFrame:
    """Find what would make the task of the judge of `setup` trivial: one row per `Finding`."""
    rng = setup.make_generator("audit")
    positions = draw_balanced_items(items, setup.options.max_responses, rng)
    drawn, simple = items.iloc[positions], compute_simple_features(items["response"], kind)
    rows = [*find_duplicates(items), *find_filler(items)]
    for grouped in (False, True):
        rows += measure_fold_leakage(drawn, setup.options.folds, grouped, int(rng.integers(2**31)))
    simple_of_drawn = {name: values[positions] for name, values in simple.items()}
    seed = int(rng.integers(2**31))
    rows += find_telling_features(drawn, simple_of_drawn, setup.options.folds, seed)
    rows += find_signs(items, simple)
    if kind != "scan path":
        rows += find_one_sided_words(items)
    findings = pd.DataFrame(rows, columns=Finding._fields).astype({"flagged": bool})
    return findings.assign(note=findings["note"].where(findings["flagged"], ""))


def find_duplicates(items: pd.DataFrame) -> Iterator[Finding]:
    """Find the share of stimuli to which two agents (or anyone, for people) gave the same response."""
    # Turns of different conversations do not correspond; any identical response counts.
    spoken = (items["block"] == "").all()
    unit = items["response"] if spoken else items["stimulus"]
    pairs = items.assign(unit=unit)[["agent", "unit", "response"]].drop_duplicates()
    given = {agent: own for agent, own in pairs.groupby("agent", sort=False)}
    for one, other in combinations(given, 2):
        same = given[one].merge(given[other], on=["unit", "response"])["unit"].nunique()
        units = [set(given[agent]["unit"]) for agent in (one, other)]
        n = min(map(len, units)) if spoken else len(units[0] & units[1])
        share = same / n if n else np.nan
        what, why = "share of the stimuli of both", "one agent's responses under two names?"
        is_copy = "human" not in (one, other) and share >= MIN_SAME_SHARE
        agents = join_names((one, other), ", ")
        yield Finding("same response by two agents", agents, what, share, n, is_copy, why)


def find_filler(items: pd.DataFrame) -> Iterator[Finding]:
    """Find the share of stimuli to which all people, two or more, gave the same response."""
    people = items[items["machine"] == 0]
    if (people["block"] == "").all():
        return
    by = people.groupby("stimulus")["response"].agg(["size", "nunique"])
    by = by[by["size"] > 1]
    if len(by):
        share = (by["nunique"] == 1).mean()
        what = "share of the stimuli with two people's responses or more"
        numbers = share, len(by), share >= MIN_SAME_SHARE
        why = "filler in place of people's responses?"
        yield Finding("people of one response", "human", what, *numbers, why)


def measure_fold_leakage(
    drawn: pd.DataFrame, number: int, grouped: bool, seed: int
) -> Iterator[Finding]:
    """Measure the share of responses whose stimulus, text or person was also in the training set."""
    folds = list(split_folds(drawn, number, grouped, seed))
    reading = "recommended" if grouped else "published"
    for what, keys in (
        ("stimulus", ["stimulus"]),
        ("response, same label", ["response", "machine"]),
        ("stimulus and response", ["stimulus", "response"]),
        ("person", ["person"]),
    ):
        has_keys = (drawn[keys] != -1).all(axis=1).to_numpy()
        if not has_keys.any():
            continue
        codes, seen = drawn.groupby(keys).ngroup().to_numpy(), np.zeros(len(drawn), dtype=bool)
        for train, test in folds:
            seen[test] = np.isin(codes[test], codes[train])
        seen = seen[has_keys]
        numbers = seen.mean(), len(seen), what != "response, same label" and seen.any()
        check = f"shared between folds, {reading} reading"
        words = f"share of responses with the {what} in training too"
        yield Finding(check, "all", words, *numbers, "the judge may remember instead of judging")


def count_repeated_phrases(text: str) -> int:
    """Count the sequences of three words that occurred before in a text."""
    words = text.split()
    phrases = list(zip(words, words[1:], words[2:], strict=False))
    return len(phrases) - len(set(phrases))


OF_TEXTS: dict[str, Callable[[str], int]] = {
    "number of letters": len,
    "number of words": lambda text: len(text.split()),
    "capital letters": lambda text: sum(map(str.isupper, text)),
    # Anything but letters, digits and whitespace.
    "punctuation marks": lambda text: len(re.findall(r"[^\w\s]|_", text)),
    "stray spaces": lambda text: len(text) - len(text.strip()),
    "repeated phrases": count_repeated_phrases,
    "stray tokens": lambda text: len(TOKEN.findall(text)),
}
OF_PATHS: dict[str, Callable[[np.ndarray], int]] = {
    "number of fixations": len,
    "fixations off the picture": lambda path: (
        ((path < 0) | (path > scan_paths.SCREEN)).any(axis=1).sum()
    ),
    "repeated last fixation": lambda path: (path == path[-1:]).all(axis=1).sum(),
    # A model that works on a smaller copy of the picture returns multiples of the scale.
    "odd coordinates": lambda path: (path % 2 != 0).sum(),
}
"""Features that are unrelated to the content of a response."""


def compute_simple_features(responses: Sequence[str], kind: Kind) -> dict[str, np.ndarray]:
    """Compute features that are unrelated to the content of a response."""
    if kind == "scan path":
        paths = [np.array(scan_paths.parse_scan_path(text)) for text in responses]
        return {name: np.array([*map(count, paths)]) for name, count in OF_PATHS.items()}
    return {name: np.array([*map(count, responses)]) for name, count in OF_TEXTS.items()}


def find_telling_features(
    drawn: pd.DataFrame, simple: dict[str, np.ndarray], number: int, seed: int
) -> Iterator[Finding]:
    """Find the accuracy of a rule on one simple feature: up to three cuts, fitted to the other folds."""
    fold = assign_folds(drawn, number, True, seed)
    truth = drawn["machine"].to_numpy()
    for name, values in simple.items():
        judged, values = np.empty(len(drawn), dtype=int), values.astype(np.float32)[:, None]
        for part in np.unique(fold):
            train, test = fold != part, fold == part
            # Exactly equal weights, or the guess for a constant feature would depend on rounding.
            weights = np.bincount(truth[train], minlength=2)[1 - truth[train]]
            rule = DecisionTreeClassifier(max_leaf_nodes=4, random_state=0)
            rule.fit(values[train], truth[train], weights, check_input=False)
            judged[test] = rule.predict(values[test], check_input=False)
        accuracy = balanced_accuracy_score(truth, judged)
        telling = accuracy >= MIN_TRIVIAL_ACCURACY
        yield Finding("one feature alone", "all", name, accuracy, len(drawn), telling, TELLING)


def find_signs(items: pd.DataFrame, simple: dict[str, np.ndarray]) -> Iterator[Finding]:
    """Find simple features that most responses lack, and that are nearly all people's or all machines'."""
    machine = items["machine"].to_numpy() == 1
    for name, values in simple.items():
        has = values > 0
        if not 0 < has.mean() <= MAX_RARE_SHARE:
            continue
        shares = has[machine].mean(), has[~machine].mean()
        share, number = shares[0] / sum(shares), int(has.sum())
        telling = number >= MIN_SIGNS and max(share, 1 - share) >= MIN_SAME_SHARE
        what = f"{name}: machines' share of them, at equal numbers of responses"
        why = f"gives {number} responses away"
        yield Finding("feature of few responses", "all", what, share, number, telling, why)


def find_one_sided_words(items: pd.DataFrame) -> Iterator[Finding]:
    """Find the share of a side's responses with a word that nearly only this side uses.

    Such a word is in at least `MIN_SIGNS` responses, `MIN_SAME_SHARE` of them this side's at equal numbers of
    responses, and used more by this side in a binomial test at 5% (Holm, over these words).
    """
    words = items["response"].str.lower().str.findall(r"\w+").explode().rename("word")
    used = items[["machine"]].join(words).reset_index().drop_duplicates().dropna()
    counts = used.groupby("word")["machine"].agg(["sum", "size"])
    counts = counts[counts["size"] >= MIN_SIGNS]
    total = items["machine"].mean()
    for side, label in ((1, "machines"), (0, "people")):
        by_side = counts["sum"] if side else counts["size"] - counts["sum"]
        expected = total if side else 1 - total
        rates = by_side / expected, (counts["size"] - by_side) / (1 - expected)
        p = adjust_p_values(stats.binom.sf(by_side - 1, counts["size"], expected), "holm")
        telling = counts[(rates[0] / sum(rates) >= MIN_SAME_SHARE) & (p < ALPHA)].index
        if telling.empty:
            continue
        has = used[(used["machine"] == side) & used["word"].isin(telling)]
        number = has["index"].nunique()
        common = has["word"].value_counts().sort_index().sort_values(ascending=False, kind="stable")
        listed = [*common.index[:MAX_LISTED], *["and more"] * (len(common) > MAX_LISTED)]
        share = number / (items["machine"] == side).sum()
        what = f"{label}: {', '.join(listed)}"
        why = f"gives {number} responses away"
        yield Finding("words of one side", "all", what, share, number, True, why)
