"""Contradictions across records are found, named and, where nothing can be right, refused."""

import contextlib

import pandas as pd
import pytest
import yaml

from turingstats.config.study import Study
from turingstats.config.study.checks import list_bad_formulas
from turingstats.core import yaml_models
from turingstats.core.errors import ConfigError, InputError
from turingstats.data import record_checks, schema

# A condition may also be a column of the contract.
STUDY = """
study: own
title: T
agents: {a: {label: A}, b: {label: B}}
tasks:
  chat:
    label: C
    conditions: [words, variant]
    cohorts: {lab: {label: L}, web: {label: W}}
"""
STUDY = yaml_models.build_model(Study, yaml.safe_load(STUDY), "study")
AGENTS = ("human", "a", "human", "b", "a", "b", "human", "a")
MOST_BY_ONE = {row: f"w{max(row - 19, 0)}" for row in range(24)}
ONE_LEVEL = {row: "many" if AGENTS[row % 8] == "b" else "few" for row in range(24)}


def make_judgments(**changed):
    """Make the judgments of three people on eight stimuli; `changed` sets columns from row numbers."""
    rows = [
        {
            "study": "own", "task": "chat", "cohort": "lab", "judge_kind": "human", "judge": f"w{j}",
            "trial": i + 1, "position": i + 1, "phase": "test", "stimulus": f"s{i}", "agent": agent,
            "truth": "human" if agent == "human" else "machine",
            "verdict": ("human", "machine")[(i + (0, i // 3, i // 5)[j]) % 2], "rt_ms": 2000 + i,
            "control_ok": (i + j) % 3 > 0, "words": ("few", "many")[i % 2],
        }
        for j in range(3)
        for i, agent in enumerate(AGENTS)
    ]  # fmt: skip
    table = (
        pd.DataFrame(rows).reindex(columns=[*schema.JUDGMENTS, "words"]).astype({"side": object})
    )
    for name, values in changed.items():
        for row, value in values.items():
            table.loc[row, name] = value
    return table


def make_judges(**answers):
    judges = pd.DataFrame({"judge": ["w0", "w1", "w2"], "person": ["p1", "p1", "p2"]})
    return judges.assign(cohort="lab", **answers).reindex(columns=list(schema.JUDGES))


NOTHING = pd.DataFrame(columns=list(schema.RESPONSES))


def find(judgments, judges=None, responses=NOTHING, study=STUDY):
    judges = make_judges() if judges is None else judges
    found = record_checks.check_records(judgments, judges, responses, study)
    assert list(found) == record_checks.NOTE_COLUMNS
    return found


def test_people_are_flagged_for_what_they_did():
    times = {0: 150, 1: 199, 2: 200, 8: 100_001, 9: 100_000}
    said = dict.fromkeys(range(16, 24), "human")
    flags = record_checks.flag_careless_judges(make_judgments(rt_ms=times, verdict=said))
    assert flags[["judge", "flag", "number", "of"]].values.tolist() == [
        ["w0", "verdict under 200 ms", 2, 8],
        ["w1", "verdict after more than 100 s", 1, 8],
        ["w2", "one verdict on every trial", 8, 8],
    ]


def test_a_person_who_answers_twice_is_a_note():
    answers = [("s1", "p1"), ("s1", "p1"), ("s1", "p2"), ("s2", "p1"), ("s1", None), ("s1", None)]
    responses = pd.DataFrame(answers, columns=["stimulus", "responder"]).assign(task="chat")
    responses = responses.reindex(columns=list(schema.RESPONSES))
    row = find(make_judgments(), responses=responses).iloc[0]
    assert row[["level", "number", "of", "examples"]].tolist() == ["note", 1, 4, "s1, p1"]


@pytest.mark.parametrize(
    ("column", "value", "problem"),
    [
        ("trial", -1, "it is below 0"),
        ("verdict", "maybe", "it is none of"),
        ("judge", None, "an empty cell"),
        ("truth", "machine", "the truth of its row contradicts it"),
    ],
)
def test_what_the_data_contract_does_not_allow_stops_the_run(column, value, problem):
    assert len(schema.check_judgments(make_judgments(), "judgments", ["words"])) == 24
    with pytest.raises(InputError, match=problem):
        schema.check_judgments(make_judgments(**{column: {0: value}}), "judgments", ["words"])


def test_contradictions_stop_the_run():
    judgments = make_judgments(side=dict.fromkeys(range(24), "A"), agent={9: "b"})
    problem = "the same speaker is two agents"
    with pytest.raises(InputError, match=rf"(?s){problem}.*row: +w\d, trial \d.*fix"):
        find(judgments)


@pytest.mark.parametrize(
    ("changed", "level", "check", "number"),
    [
        ({"verdict": dict.fromkeys(range(8), "human")}, "note", "single verdict", 1),
        ({"control_ok": dict.fromkeys(range(24), False)}, "warning", "everyone failed every", 3),
        ({"control_ok": dict.fromkeys(range(8), False)}, "warning", "judges failed every", 1),
        ({"rt_ms": {2: 0, 3: 99}}, "warning", "less than 100 ms", 2),
        ({"rt_ms": {2: 3_600_001}}, "note", "more than an hour", 1),
        ({"stimulus": {4: "s1"}, "words": {4: "many"}}, "note", "by the same agent again", 1),
        ({"position": {4: 4}}, "warning", "a position in a session occurs twice", 1),
        ({"stimulus": {11: "s5", 19: "s5", 3: "s5"}}, "note", "an agent has a single stimulus", 1),
        ({"judge": MOST_BY_ONE}, "note", "5 judges.*count as 1.4", 5),
        ({"words": ONE_LEVEL}, "note", "each agent occurs at one level of words", 2),
    ],
)
def test_what_is_strange_is_listed(changed, level, check, number):
    found = find(make_judgments(**changed))
    own = found[found["check"].str.contains(check)]
    assert own[["level", "number"]].to_numpy().tolist() == [[level, number]]
    assert own[["examples", "done"]].ne("").all(axis=None)


def test_few_far_from_the_others_are_noted():
    again = make_judgments()[:8].assign(trial=lambda rows: rows["trial"] + 8, position=None)
    found = find(pd.concat([make_judgments(), again]))
    own = found[found["check"].str.contains("far more verdicts")]
    assert own[["number", "examples"]].to_numpy().tolist() == [[1, "w0: 16"]]
    for many, noted in ((1, True), (8, False)):
        answers = {row: 7 if row < many else 1 + row % 3 for row in range(24)}
        found = find(make_judgments(confidence=answers))
        assert found["check"].str.contains("far above all others").any() == noted


@pytest.mark.parametrize(("label", "noted"), [("GPT\u20114", 1), ("gpt-40", 0), ("GPT-4", 0)])
def test_agents_whose_names_look_alike_are_noted(label, noted):
    agents = {"a": {"label": "GPT-4", "aliases": ["gpt-4", "GPT\u20134"]}, "b": {"label": label}}
    described = STUDY.model_dump(exclude_unset=True) | {"agents": agents}
    found = find(make_judgments(), study=yaml_models.build_model(Study, described, "study"))
    own = found[found["check"] == "agents whose names look alike"]
    assert own["number"].tolist() == [1] * noted
    assert own["examples"].tolist() == [f"'GPT-4' and {label!r}"] * noted


@pytest.mark.parametrize(("slips", "noted"), [((), 8), ((0,), 0), (None, 0)])
def test_a_control_answer_that_is_the_same_for_all_judges_tells_nothing(slips, noted):
    """Right or wrong by stimulus, whoever judges; with slips or with all answers right, it may tell."""
    judgments = make_judgments()
    judgments["control_ok"] = [slips is None or row % 8 < 5 for row in judgments.index]
    for row in slips or ():
        judgments.loc[row, "control_ok"] = False
    found = find(judgments).set_index("check")
    labels = found[found.index.str.contains("is a label of the stimulus")]
    assert labels["number"].tolist() == [noted] * bool(noted)


def test_one_session_under_two_judges_is_found():
    judgments = make_judgments()
    judgments.loc[8:15, "verdict"] = judgments.loc[0:7, "verdict"].to_numpy()
    found = find(judgments)
    (row,) = found.to_dict("records")
    assert row["check"].startswith("sessions of different judges have the same stimuli")
    assert row["examples"] == "w0; w1"


def test_a_stimulus_of_two_agents_is_a_slip_only_where_others_have_one():
    parts = [
        make_judgments().assign(stimulus=lambda t, n=n: t["stimulus"] + f".{n}") for n in range(10)
    ]
    many = pd.concat(parts).assign(trial=range(240), position=None).reset_index(drop=True)
    assert find(many).empty
    many.loc[1, "agent"] = "b"
    found = find(many)
    assert found[["level", "examples", "of"]].to_numpy().tolist() == [["warning", "s1.0", 80]]
    # Where stimuli are items that each agent responds to, several agents are as they should be.
    several = make_judgments().assign(stimulus="item", position=None)
    assert not find(several)["check"].str.contains("several agents").any()


def test_people_who_contradict_themselves_are_found():
    found = find(make_judgments(), make_judges(education=["school", "college", "school"]))
    assert found[["level", "examples", "of"]].to_numpy().tolist() == [["warning", "p1", 1]]
    assert "education" in found["check"].iloc[0]


def declare_study(conditions=(), columns=None, formula=None):
    described = STUDY.model_dump(exclude_unset=True)
    described["tasks"]["chat"] |= {"conditions": list(conditions), "columns": columns or {}}
    if formula:
        model = {"id": "chat.m", "task": "chat", "cohorts": ["lab"], "formula": formula}
        described["models"] = [model]
    return yaml_models.build_model(Study, described, "study")


@pytest.mark.parametrize(
    ("declared", "refused"),
    [
        ({"conditions": ["was_right"]}, True),
        ({"columns": {"was_right": "word"}, "formula": "correct ~ agent + was_right"}, True),
        ({"columns": {"was_right": "word"}, "formula": "correct ~ agent"}, False),
        ({"conditions": ["words"]}, False),
    ],
)
def test_the_outcome_is_no_condition_and_no_predictor(declared, refused):
    judgments = make_judgments()
    # A slip does not make another column of it.
    right = (judgments["truth"] == judgments["verdict"]) != (judgments.index == 0)
    judgments = judgments.assign(was_right=right.map({True: "1", False: "0"}))
    told = "was_right .* follows from truth and verdict: it is the outcome"
    with pytest.raises(ConfigError, match=told) if refused else contextlib.nullcontext():
        find(judgments, study=declare_study(**declared))


@pytest.mark.parametrize(
    ("words", "wrong", "found"),
    [
        (("yes", "no"), 0, {}),
        (("yes", "no"), 3, {"was_right contradicts truth and verdict": 3}),
        (("no", "yes"), 0, {"was_right says no where the verdict is right": 1}),
    ],
)
def test_checks_of_verdicts_tell_contradictions(words, wrong, found):
    judgments = make_judgments()
    right = (judgments["truth"] == judgments["verdict"]) != (judgments.index < wrong)
    judgments = judgments.assign(was_right=right.map(dict(zip((True, False), words, strict=True))))
    table = find(judgments, study=declare_study(columns={"was_right": "check"}))
    table = table[table["check"].str.startswith("was_right")]
    assert dict(zip(table["check"].str.split(": ").str[0], table["number"], strict=True)) == found
    assert (table["level"] == "warning").all()
    study = declare_study((), {"was_right": "check"}, "correct ~ agent + was_right")
    assert "unknown name 'was_right'" in next(list_bad_formulas(study))
    with pytest.raises(ConfigError, match="correct is made from truth and verdict"):
        declare_study(conditions=["correct"])
