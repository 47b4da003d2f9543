"""Titles of figures are findings, and each follows the numbers that the figure shows.

The names of the cases list every kind of title: the macro of `templates/figure_titles.txt` that makes it,
what changes in the numbers, and the title.
"""

import pytest
from project import GOLDEN

from turingstats.core.files import read_frame
from turingstats.figures import notes

SHARED = {"level": 0.95, "correction": "holm", "task_label": "Words"}


def make_rows(names, *rows, **shared):
    """Rows of source data from the names of columns and their cells."""
    return [dict(zip(names.split(), row, strict=True)) | shared for row in rows]


TESTS = make_rows(
    "kind p_adjusted value quantity",
    ("bars", 0.01, 0.6, "r"),
    ("bars", 0.03, 0.7, "r"),
    ("intervals", 0.2, 0.6, "r"),
    ("bars", 0.04, 0.4, "r"),
)
GROUPS = make_rows("kind p_adjusted quantity", ("group test", 0.06, "r"), ("group test", 0.04, "r"))
RATES = make_rows(
    "quantity value agent judge_kind",
    ("p_HH", 0.7, "human", "human"),
    ("p_HM", 0.41, "a", "human"),
    ("p_HM", 0.3, "b", "human"),
    ("p_HM", 0.1, "all", "human"),
    ("p_HM", 0.05, "b", "svm"),
    kind="matrix",
    group=None,
)
SCORES = make_rows(
    "p_adjusted value", (0.01, 0.9), (0.06, 0.8), kind="correlation", quantity="detectability"
)
ALIGNED = make_rows(
    "label value",
    ("A", 0.4),
    ("B", 0.9),
    ("C", -0.2),
    kind="alignment",
    quantity="all",
    **{"with": "people"},
)
LISTED = make_rows(
    "agent_label value", ("x", 0.3), ("y", 0.2), ("z", 0.9), kind="listed", quantity="Share"
)
JUDGED = make_rows(
    "conclusion against",
    ("distinguishable", "people"),
    ("different, but within the margin", "people"),
    ("equivalent", "people"),
    ("undecided", "people"),
    ("distinguishable", "chance"),
    margin=0.1,
)
MODELED = make_rows(
    "agent_label value source task_label",
    ("A", 0.62, "mixed model", "Words"),
    ("B", 0.51, "mixed model", "Colors"),
    ("B", 0.4, "pooled trials", "Colors"),
)
SPREAD = make_rows(
    "truth cohort value",
    *(("human", "a", value) for value in (0.4, 0.6, 0.7)),
    *(("human", "b", value) for value in (0.2, 0.3, 0.9)),
    *(("machine", "a", value) for value in (0.1, 0.2, 0.3)),
    task="words",
)
PAIRS = make_rows("accuracy_difference", (-0.2,), (0.1,), (None,))
RANKED = make_rows("agent agent_label rank group", *[("b", "B", 2, "bc"), ("a", "A", 1, "a")])
RANKED += make_rows("agent agent_label rank group", ("c", "C", 3, "c"))
CLAIMS = make_rows("status", ("reproduced",), ("taken over",), ("differs",))
PLAIN = "plain"
CASES = [
    ("group_tests", GROUPS, {}, "Groups of judges differ in detection in 1 of 2 corrected tests"),
    ("group_tests", GROUPS, {0: {"p_adjusted": 0.02}},
     "Groups of judges differ in detection in 2 of 2 corrected tests"),
    ("group_tests", GROUPS, {1: {"p_adjusted": 0.4}},
     "None of 2 corrected tests shows a difference in detection between groups of judges"),
    ("group_tests", GROUPS, {1: {"correction": "none"}},
     "Groups of judges are not shown to differ in detection"),
    ("group_tests", GROUPS, {0: {"correction": "none"}}, "Groups of judges differ in detection"),
    ("group_tests", [*TESTS, *GROUPS], {},
     "Groups of judges differ in detection in 1 of 2 corrected tests"),
    ("chance_tests", TESTS, {},
     "Judges detect machines above chance in 2 of 4 corrected tests, below it in 1"),
    ("chance_tests", TESTS, {0: {"p_adjusted": 0.05}},
     "Judges detect machines above chance in 1 of 4 corrected tests, below it in 1"),
    ("chance_tests", TESTS, {0: {"value": 0.4}},
     "Judges detect machines above chance in 1 of 4 corrected tests, below it in 2"),
    ("chance_tests", TESTS, {3: {"correction": "none"}},
     "Judges detect machines above chance in 2 of 3 corrected tests"),
    ("chance_tests", TESTS, {at: {"correction": "none"} for at in range(4)}, PLAIN),
    ("chance_tests", TESTS[:1], {}, "Judges detect machines above chance"),
    ("chance_tests", TESTS[2:3], {}, "Judges are not shown to detect machines"),
    ("chance_tests", TESTS[3:], {}, "Judges detect machines below chance"),
    ("rates", RATES, {}, "Human judges called people human in 70% of verdicts, machines in 30 to 41%"),
    ("rates", RATES, {0: {"value": 0.3}},
     "Human judges called people human in 30% of verdicts, machines in 30 to 41%"),
    ("rates", RATES, {1: {"agent": "all"}},
     "Human judges called people human in 70% of verdicts, machines in 30%"),
    ("rates", RATES, {at: {"agent": "all"} for at in (1, 2)},
     "Human judges called people human in 70% of verdicts, machines in 10 to 41%"),
    ("rates", RATES, {at: {"judge_kind": "svm"} for at in range(5)},
     "Judges called people human in 70% of verdicts, machines in 5 to 41%"),
    ("rates", RATES, {2: {"group": "part"}},
     "Human judges called people human in 70% of verdicts, machines in 41%"),
    ("rates", RATES, {0: {"quantity": "p_MH"}}, PLAIN),
    ("correlations", SCORES, {}, "Detection correlates with 1 of 2 scores of the literature"),
    ("correlations", SCORES, {1: {"p_adjusted": 0.01}},
     "Detection correlates with 2 of 2 scores of the literature"),
    ("correlations", SCORES, {0: {"p_adjusted": 0.06}}, PLAIN),
    ("correlations", SCORES[:1], {}, "Detection correlates with a score of the literature"),
    ("alignment_of_systems", ALIGNED, {},
     "B is most aligned with people (ρ = 0.90), C least (ρ = −0.20)"),
    ("alignment_of_systems", ALIGNED, {1: {"value": -0.9}},
     "A is most aligned with people (ρ = 0.40), B least (ρ = −0.90)"),
    ("alignment_of_systems", ALIGNED, {1: {"quantity": "within"}},
     "A is most aligned with people (ρ = 0.40), C least (ρ = −0.20)"),
    ("listed_numbers", LISTED, {}, "Share: highest 0.90 (z)"),
    ("listed_numbers", LISTED, {2: {"value": 0.1}}, "Share: highest 0.30 (x)"),
    ("listed_numbers", LISTED, {0: {"task_label": "Colors"}}, "Share: highest 0.90 (z in Words)"),
    ("listed_numbers", LISTED, {0: {"quantity": "d'"}}, PLAIN),
    ("equivalence", JUDGED, {},
     "Machines differ from people in 2 of 4 comparisons; 1 equivalent within 0.1, 1 undecided"),
    ("equivalence", JUDGED, {0: {"conclusion": "equivalent"}},
     "Machines differ from people in 1 of 4 comparisons; 2 equivalent within 0.1, 1 undecided"),
    ("equivalence", JUDGED, {1: {"conclusion": "undecided"}},
     "Machines differ from people in 1 of 4 comparisons; 1 equivalent within 0.1, 2 undecided"),
    ("equivalence", JUDGED[3:], {0: {"against": "chance"}},
     "Machines differ from chance in 1 of 2 comparisons; 0 equivalent within 0.1, 1 undecided"),
    ("equivalence", JUDGED[4:], {}, "Machines differ from chance"),
    ("equivalence", JUDGED[1:2], {}, "Machines differ from people, by less than 0.1"),
    ("equivalence", JUDGED[2:3], {}, "Machines are equivalent to people within 0.1"),
    ("equivalence", JUDGED[3:4], {}, "Whether machines differ from people is undecided"),
    ("forest", MODELED, {}, "Detectability ranges from 0.51 for B in Colors to 0.62 for A in Words"),
    ("forest", MODELED, {1: {"value": 0.7}}, 
     "Detectability ranges from 0.62 for A in Words to 0.70 for B in Colors"),
    ("forest", MODELED, {1: {"source": "pooled trials"}}, PLAIN),
    ("judge_spread", SPREAD, {}, "The median judge is mostly right on people's responses in 1 of 2 groups, "
     "mostly wrong on machines' responses"),
    ("judge_spread", SPREAD, {4: {"value": 0.6}}, "The median judge is mostly right on people's responses in "
     "2 of 2 groups, mostly wrong on machines' responses"),
    ("judge_spread", SPREAD, {at: {"truth": "machine"} for at in range(3)},
     "The median judge is mostly wrong on people's responses, mostly wrong on machines' responses"),
    ("judge_spread", [*SPREAD[3:], *SPREAD[6:]], {at: {"cohort": "b"} for at in (6, 7, 8)},
     "The median judge is mostly wrong on people's responses, mostly right on machines' responses in "
     "0 of 2 groups"),
    ("judge_spread", [*SPREAD, *SPREAD[6:]], {at: {"cohort": "b", "value": 0.6} for at in (9, 10, 11)},
     "The median judge is mostly right on people's responses in 1 of 2 groups, on machines' responses in "
     "1 of 2 groups"),
    ("judge_spread", SPREAD[6:], {1: {"value": 0.8}, 2: {"value": 0.8}},
     "The median judge is mostly right on machines' responses"),
    ("judge_spread", SPREAD[6:], {at: {"value": 0.5} for at in range(3)},
     "The median judge is right half of the time on machines' responses"),
    ("people_and_machines", PAIRS, {},
     "Machine judges were right more often than people in 1 of 2 comparisons"),
    ("people_and_machines", PAIRS, {1: {"accuracy_difference": -0.1}},
     "Machine judges were right more often than people in 2 of 2 comparisons"),
    ("people_and_machines", PAIRS[2:], {}, PLAIN),
    ("people_and_machines", PAIRS[:1], {}, "The machine judge was right more often than people"),
    ("people_and_machines", PAIRS[1:], {}, "People were right more often than the machine judge"),
    ("people_and_machines", PAIRS[:1], {0: {"accuracy_difference": 0}},
     "People and the machine judge were right equally often"),
    ("ranking", RANKED, {}, "A ranks first of 3, told apart from all others"),
    ("ranking", RANKED, {0: {"rank": 0.5}}, "B ranks first of 3, not told apart from one other"),
    ("ranking", RANKED, {1: {"group": "abc"}}, "A ranks first of 3, not told apart from 2 others"),
    ("ranking", RANKED, {0: {"agent": "a"}}, PLAIN),
    ("claims_overview", CLAIMS, {}, "2 of 3 exact printed numbers are reproduced"),
    ("claims_overview", CLAIMS, {2: {"status": "recovered"}},
     "3 of 3 exact printed numbers are reproduced, or recovered from generated data"),
    ("claims_overview", CLAIMS[:1], {}, "1 of 1 exact printed number is reproduced"),
    ("claims_overview", CLAIMS, {0: {"status": "differs"}}, "1 of 3 exact printed numbers are reproduced"),
    ("no finding", [{"kind": "pie", "value": 0.5, "quantity": "share"}], {}, PLAIN),
]  # fmt: skip


def name_case(case):
    macro, _, changes, title = case
    changed = [f"{name} {value}" for cells in changes.values() for name, value in cells.items()]
    return f"{macro}: {', '.join(dict.fromkeys(changed)) or 'as made'}: {title}"


@pytest.mark.parametrize(("macro", "rows", "changes", "title"), CASES, ids=map(name_case, CASES))
def test_a_title_follows_the_numbers_of_its_figure(macro, rows, changes, title):
    rows = [SHARED | row | changes.get(at, {}) for at, row in enumerate(rows)]
    name = "fig1" if macro in (*notes.FINDINGS, "no finding") else macro
    assert notes.write_title(name, notes.Facts(rows), PLAIN) == title


def test_every_kind_of_title_is_tied_to_its_numbers():
    macros = notes.load_sentences("figure_titles.txt")
    titled = {name for name in vars(macros) if hasattr(getattr(macros, name), "arguments")}
    assert titled - {"name", "ends"} == {case[0] for case in CASES} - {"no finding"}


TURNED = {"value": lambda v: 0.9 - v, "rank": lambda rank: -rank}
TURNED |= {"p_adjusted": lambda p: (p < 0.05).astype(float).where(p.notna())}
TURNED |= {"accuracy_difference": lambda gap: -gap, "status": lambda s: s + " otherwise"}
TURNED |= {"conclusion": lambda words: words + " otherwise"}
"""How the numbers of an accepted figure become others."""


def test_every_accepted_figure_has_a_title_and_another_one_for_other_numbers():
    """Also figures of other designs, whose tables have other columns."""
    for path in sorted(GOLDEN.glob("*/figures/*.csv")):
        if path.stem != "inventory":
            data = read_frame(path)
            other = data.assign(**{name: TURNED[name](data[name]) for name in {*TURNED} & {*data}})
            title, another = (
                notes.write_title(path.stem, notes.Facts(one), PLAIN) for one in (data, other)
            )
            assert title == PLAIN or title != another, path
