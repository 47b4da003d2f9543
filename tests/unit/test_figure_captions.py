"""Titles and captions of the figures that are made for every study."""

from project import GOLDEN

from tools.baseline import read_table
from turingstats.core import files
from turingstats.core.templating import CAPTIONS
from turingstats.figures.notes import Facts
from turingstats.report import alt_texts, captions
from turingstats.workflow.results import DESIGNS, list_results

LISTED = [rule for name in DESIGNS for rule in list_results(name).values()]
WORDLESS = {"examples", "conversation", "no data"}


def describe_numbers(path):
    return alt_texts.describe_numbers(Facts(files.read_frame(path)))


def test_figures_of_every_study():
    listed = (result for rule in LISTED for result in rule if result.draw)
    assert {result.name for result in listed} - {"<figure>"} == set(CAPTIONS) - {"synthesis"}


def test_alternative_texts_name_the_ends_of_what_a_figure_shows():
    folder = GOLDEN / "observed/figures"
    assert describe_numbers(folder / "figS10.csv") == (
        "Attention prediction: people judged human 0.57, models judged human 0.35 (IVSN, early layer) to "
        "0.48 (IVSN)"
    )
    gap = describe_numbers(folder / "equivalence.csv")
    assert (
        "Image captioning: judged human, minus people \N{MINUS SIGN}0.27 (Microsoft API) to" in gap
    )
    # The smallest table of each set of kinds of panels stands for all.
    smallest = {}
    for path in sorted(GOLDEN.glob("*/figures/*.csv"), key=lambda path: path.stat().st_size):
        table = read_table(path)
        if path.stem != "inventory" and "value" in table:
            kinds = frozenset(table["kind"]) if "kind" in table else {path.stem}
            if not kinds <= WORDLESS:
                smallest.setdefault(frozenset(kinds), path)
    assert [path for path in smallest.values() if not describe_numbers(path)] == []


def test_alternative_texts_take_the_middle_judge_and_two_names():
    judges = {"task_label": "Texts", "cohort_label": "Lab", "truth": "human", "judge": "w"}
    assert alt_texts.describe_numbers(Facts([judges | {"value": v} for v in (0.1, 0.5, 0.6)])) == (
        "Texts: median share of right verdicts on people's responses 0.50"
    )
    names = ("agent_label", "cohort_label", "group")
    rows = [
        {"task_label": "Texts", "kind": "matrix", "quantity": "p_HM", "value": value}
        | {name: f"{name[0]}{value}" for name in names}
        for value in (0.9, 0.2, 0.4)
    ]
    assert alt_texts.describe_numbers(Facts(rows)) == (
        "Texts: models judged human 0.20 (a0.2, c0.2) to 0.90 (a0.9, c0.9)"
    )


def test_the_size_of_a_panel_is_not_that_of_its_tests():
    rows = [{"kind": "bars", "n": 8, "n_judges": 4}, {"kind": "tested", "n": 99, "n_judges": 4}]
    rows.append({"kind": "correlation", "n": 3, "n_judges": None})
    assert captions.describe_sample(Facts(rows)) == "n = 8 verdicts, n = 3 agents, 4 judges"


def test_the_size_of_a_panel_names_what_it_counts():
    of = [{"kind": "pie", "n": n, "quantity": "share of participants"} for n in (3, 5)]
    assert captions.describe_sample(Facts(of)) == "n = 3–5 participants"
    assert captions.describe_sample(Facts([{"judge": "w1", "n": 9}])) == "n = 9 verdicts per judge"
