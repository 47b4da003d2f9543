"""Rules by which judgments are left out, each on a few rows."""

import pandas as pd
import pytest
import yaml

from turingstats.config.settings import Cleaning
from turingstats.config.study import Study
from turingstats.core.errors import InputError
from turingstats.core.yaml_models import build_model
from turingstats.data import cleaning

STUDY = """
study: s
title: t
agents: {gpt: {label: GPT}}
tasks:
  a:
    label: A
    cohorts:
      caught: {label: Caught, min_catch_control: 0.75}
      counted: {label: Counted, min_control_right: 2}
    published_control: [caught]
  b:
    label: B
    cohorts: {people: {label: People, fixed_control: true}}
    control_pass: [2, 3]
    filters: [{id: run, reason: after two machines, run: 2}]
  c:
    label: C
    cohorts: {people: {label: People}}
    defects: {twice: {reason: given twice, left_out_in: [recommended]}}
"""
STUDY = build_model(Study, yaml.safe_load(STUDY), "study")
COLUMNS = "task cohort judge phase side control_ok truth verdict agent position trial reading rt_ms defect"


def make(*rows):
    """Judgments: of each row task, cohort, judge, and what differs from the usual."""
    usual = dict.fromkeys(COLUMNS.split()) | {"phase": "test", "truth": "human", "position": 1}
    usual |= {"verdict": "human", "agent": "human", "rt_ms": 900}
    table = pd.DataFrame(
        [
            usual | {"task": task, "cohort": c, "judge": judge} | rest
            for task, c, judge, rest in rows
        ]
    ).assign(trial=range(len(rows)))
    kinds = {"control_ok": "boolean", "rt_ms": "Int64", "defect": "string"}
    return table[COLUMNS.split()].astype(kinds)


def mark(table, reading="recommended", **keys):
    """Why rows are left out."""
    keys = {"exclude_failed_control": False, "min_rt_ms": 0} | keys
    return cleaning.find_exclusions(table, STUDY, Cleaning(**keys), reading).astype(str).tolist()


def catch(judge, right, asked):
    """Catch trials of a judge, and a test trial without a control question."""
    answers = [
        ("a", "caught", judge, {"phase": "catch", "control_ok": n < right}) for n in range(asked)
    ]
    return [*answers, ("a", "caught", judge, {})]


def find_out(table, reading):
    """Judges with too few right control answers."""
    rows = cleaning.find_inattentive_judges(table, STUDY, reading)
    return set(table.loc[rows, "judge"])


def test_judges_are_left_out_by_catch_trials():
    table = make(*catch("w1", 4, 4), *catch("w2", 3, 4), *catch("w3", 2, 4), *catch("w4", 0, 1))
    # Three of four are enough; each judge is asked by itself.
    assert find_out(table, "recommended") == {"w3", "w4"}
    # As published, answers add up from judge to judge: 4/4, 7/8, 9/12, 9/13.
    assert find_out(table, "published") == {"w4"}
    # Right answers on other trials do not make up for catch trials.
    extra = [("a", "caught", "w3", {"control_ok": True})] * 9
    assert find_out(make(*catch("w3", 2, 4), *extra), "recommended") == {"w3"}
    reason = "judge with too few right control answers"
    assert mark(table, exclude_failed_control=True).count(reason) == 2
    assert mark(table).count(reason) == 0


def test_judges_are_left_out_by_the_number_of_right_answers():
    right = {"control_ok": True}
    table = make(
        *[("a", "counted", "w1", right)] * 2,
        ("a", "counted", "w2", right),
        ("a", "counted", "w2", {"control_ok": False}),
        ("a", "counted", "w2", right | {"phase": "catch"}),
        # Both speakers of a conversation are one trial.
        *[("a", "counted", "w3", right | {"side": side}) for side in "AB"],
    )
    for reading in ("recommended", "published"):
        assert find_out(table, reading) == {"w2", "w3"}


def test_a_share_of_exactly_the_minimum_passes():
    ok = [True, True, False, True, False, False]
    rows = [("c", "people", f"w{n // 3}", {"control_ok": answer}) for n, answer in enumerate(ok)]
    assert cleaning.find_failed_control(make(*rows), 2, 3).tolist() == [False] * 3 + [True] * 3
    # An answer that was not asked for does not count against a judge.
    rows.append(("c", "people", "w0", {}))
    assert not cleaning.find_failed_control(make(*rows), 2, 3).iloc[-1]


def test_fixed_answers_control_nobody():
    wrong = {"control_ok": False}
    rows = [("b", "people", "w1", wrong), ("a", "caught", "w2", wrong)]
    assert mark(make(*rows), exclude_failed_control=True) == ["", cleaning.WRONG_ANSWER]
    assert mark(make(*rows), "published") == ["", cleaning.WRONG_ANSWER]
    # Who was not asked, or answered right, is kept.
    rest = [("c", "people", "w1", {}), ("c", "people", "w1", {"control_ok": True})]
    assert mark(make(*rest), exclude_failed_control=True) == ["", ""]
    # Elsewhere the published reading did not control answers.
    assert mark(make(("c", "people", "w1", {"control_ok": False})), "published") == [""]


def test_trials_after_a_run_of_machines_are_filtered():
    truths = ["machine", "machine", "human", "machine", "human", "human"]
    places = enumerate(truths, start=1)
    rows = [("b", "people", "w1", {"truth": truth, "position": place}) for place, truth in places]
    # Another judge's session begins anew, whatever the order of rows.
    rows += [("b", "people", "w2", {"truth": "human", "position": place}) for place in (2, 1)]
    table = make(*rows[::-1])
    expected = [""] * 5 + ["after two machines"] + [""] * 2
    assert mark(table) == expected
    with pytest.raises(InputError, match="without a position"):
        mark(make(("b", "people", "w1", {"position": None})))


def test_defects_are_left_out_where_the_study_says_so():
    rows = [("c", "people", "w1", {"defect": defect}) for defect in ("twice", "other", None)]
    table = make(*rows, ("b", "people", "w2", {"defect": "twice"}))
    assert mark(table) == ["given twice", "", "", ""]
    assert mark(table, "published") == [""] * 4
    # A cohort of the same name in another task is another.
    of_c = cleaning.match_cohorts(table, STUDY, lambda task, _: task is STUDY.tasks["c"])
    assert of_c.tolist() == [True] * 3 + [False]


def test_every_reason_is_its_own():
    rows = [{}, {"reading": "published"}, {"truth": None}, {"phase": "practice"}]
    rows += [{"rt_ms": 199}, {"rt_ms": 200}, {"rt_ms": None}]
    table = make(*(("c", "people", "w1", row) for row in rows))
    assert mark(table, "published", min_rt_ms=200)[4] == ""
    assert mark(table, min_rt_ms=200) == [
        *("", cleaning.OTHER, cleaning.UNKNOWN_TRUTH, "not a test trial"),
        *("verdict faster than 200 ms", "", ""),
    ]  # fmt: skip


def test_stimuli_of_judges_trained_here_are_those_of_others():
    known = pd.DataFrame({"stimulus": ["s1", "s1", "s2", "s2"], "domain": list("xxxy")})
    known = known.assign(task="a", topic=[None, "t", "t", None])
    own = pd.DataFrame({"task": list("aab"), "stimulus": ["s1", "s2", "s1"]})
    own = own.assign(domain=None, topic=None)
    filled = cleaning.fill_in_stimuli(own.astype(object), known)
    # Judgments disagree about the domain of s2, and nothing is known of task b.
    assert filled["domain"].fillna("").tolist() == ["x", "", ""]
    assert filled["topic"].fillna("").tolist() == ["t", "t", ""]
    texts = ["task", "stimulus", "domain", "topic"]
    judgments = known.assign(rt_ms=1).astype(dict.fromkeys(texts, "category"))
    assert cleaning.append_judged_here(judgments, None) is judgments
    whole = cleaning.append_judged_here(judgments, None, own.assign(more=1))
    assert whole.index.tolist() == [*range(7)] and list(whole) == list(judgments)
    assert whole["domain"].astype(object).fillna("").tolist() == [*"xxxy", "x", "", ""]
    assert whole["rt_ms"].isna().tolist() == [False] * 4 + [True] * 3
