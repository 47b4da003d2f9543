"""Titles of figures are findings, and each is true of the numbers that the figure shows."""

import pandas as pd
import pytest
from project import GOLDEN

from turingstats.core.files import read_frame
from turingstats.report.finding_titles import find_title


def table(*rows, **shared):
    return pd.DataFrame(rows).assign(level=0.95, correction="holm", task_label="Words", **shared)


def outcome(kind, p, value):
    return {"kind": kind, "p_adjusted": p, "value": value, "quantity": "r"}


def rate(quantity, value, agent, judge_kind="human"):
    names = {"quantity": quantity, "agent": agent, "judge_kind": judge_kind, "group": None}
    return {"kind": "matrix", "value": value} | names


def judged(conclusion, against="people"):
    return {"conclusion": conclusion, "against": against, "margin": 0.1}


CHANCE = [
    outcome("bars", 0.01, 0.6), outcome("bars", 0.03, 0.7), outcome("intervals", 0.2, 0.6),
    outcome("bars", 0.04, 0.4),
]  # fmt: skip
RATES = [rate("p_HH", 0.7, "human"), rate("p_HM", 0.41, "a"), rate("p_HM", 0.1, "b", "svm")]
RANKED = [
    {"agent": name, "agent_label": name.upper(), "rank": rank, "group": group}
    for name, rank, group in (("b", 2, "bc"), ("a", 1, "a"), ("c", 3, "c"))
]
LISTED = [
    {"kind": "listed", "quantity": "Share", "agent_label": name, "value": value}
    for name, value in (("x", 0.3), ("y", 0.2), ("z", 0.9))
]
TITLES = [
    ("fig", CHANCE, "Judges detect machines above chance in 2 of 4 corrected tests, below it in 1"),
    (
        "fig",
        [*CHANCE, outcome("group test", 0.06, None)],
        "No difference in detection between groups of judges is shown by 1 corrected test",
    ),
    (
        "fig",
        [outcome("group test", 0.06, None), outcome("group test", 0.04, None)],
        "Groups of judges differ in detection in 1 of 2 corrected tests",
    ),
    ("fig", RATES, "People were judged human in 70% of verdicts, machines in 41%"),
    ("fig", LISTED, "Share: highest 0.90 (z)"),
    (
        "fig",
        [outcome("correlation", 0.01, 0.9), outcome("correlation", 0.06, 0.8)],
        "Detection correlates with 1 of 2 scores of the literature",
    ),
    ("fig", [outcome("correlation", 0.06, 0.8)], "plain"),
    ("fig", [{"kind": "pie", "value": 0.5, "quantity": "share"}], "plain"),
    (
        "equivalence",
        [judged("distinguishable"), judged("equivalent"), judged("undecided", "chance")],
        "Machines differ from people in 1 of 2 comparisons; 1 equivalent within 0.1, 0 undecided",
    ),
    ("ranking", RANKED, "A ranks first of 3, told apart from all others"),
    (
        "ranking",
        [*RANKED[:1], RANKED[1] | {"group": "ab"}],
        "A ranks first of 2, not told apart from one other",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("name", "rows", "title"), TITLES)
def test_a_title_is_true_of_the_numbers(name, rows, title):
    assert find_title(name, table(*rows), "plain") == title


def test_a_difference_without_correction_is_no_finding():
    assert find_title("fig", table(*CHANCE).assign(correction="none"), "plain") == "plain"


def test_every_accepted_figure_has_a_title():
    """Also figures of other designs, whose tables have other columns."""
    for path in sorted(GOLDEN.glob("*/figures/*.csv")):
        if path.stem != "inventory":
            assert find_title(path.stem, read_frame(path), "plain")
    alignment = read_frame(GOLDEN / "turingrsa/figures/alignment.csv")
    whole = alignment[(alignment["kind"] == "alignment") & (alignment["quantity"] == "all")]
    best = f"(ρ = {whole['value'].max():.2f})"
    assert best in find_title("alignment", alignment, "plain")
