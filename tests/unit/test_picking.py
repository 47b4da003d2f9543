"""How panels select numbers, and say why there are none."""

from types import SimpleNamespace

import pandas as pd

from turingstats.config.study import Study
from turingstats.data.absence import NOT_BUNDLED
from turingstats.figures import notes, picking
from turingstats.figures.kinds.ratings import select_ratings

COHORTS = {"lab": {"label": "Lab"}, "web": {"label": "Web"}}
COHORTS["both"] = {"label": "Both", "pools": ["lab", "web"]}
COHORTS["svm"] = {"label": "SVM", "judge_kind": "svm"}
STUDY = Study(
    **{"study": "s", "title": "t", "ordered": ["age"]},
    agents={"gpt": {"label": "GPT"}, "llama": {"label": "Llama"}},
    demographics={"age": {"young": ["1-40"], "old": ["41+"]}, "gender": {"m": ["m"], "f": ["f"]}},
    tasks={"a": {"label": "A", "agents": ["gpt", "llama"], "cohorts": COHORTS}},
)
ABSENT = [("a", cohort, NOT_BUNDLED) for cohort in (None, "lab", "web")]
MISSING = pd.DataFrame([*ABSENT, ("b", None, "x")], columns=["task", "cohort", "why"])
SIZES = pd.DataFrame({"task": ["a", "b"], "cohort": ["lab", "web"]})


def make_panel(kind="matrix", *cohorts, **keys):
    keys = {"task": "a", "labels": {}, "rows": (), "cohort": cohorts[0] if cohorts else None} | keys
    return SimpleNamespace(kind=kind, cohort_names=cohorts, **keys)


def explain(panel, **results):
    results = {"missing": MISSING, "sizes": SIZES} | results
    return picking.explain_panel_absence(panel, STUDY.tasks["a"], results)


def test_files_that_a_panel_lacks_are_those_of_its_cohorts():
    task = STUDY.tasks["a"]
    for cohorts, expected in {("lab",): ["lab"], ("both",): ["lab", "web"], ("svm",): []}.items():
        found = picking.find_absent_files(make_panel("matrix", *cohorts), task, MISSING)
        assert found["cohort"].tolist() == expected
    examples = picking.find_absent_files(make_panel("examples"), task, MISSING)
    assert examples[["task", "cohort"]].astype(object).fillna("").values.tolist() == [["a", ""]]


def test_reasons_for_absence():
    nothing = MISSING.iloc[:0]
    assert explain(make_panel("matrix", "nobody")) == "no endpoint to ask (llm.base_url)"
    assert explain(make_panel("matrix", "svm")) == "no verdicts of these judges in this run"
    lab = explain(make_panel("matrix", "lab"), missing=nothing)
    assert lab.startswith("no verdicts of this kind")
    # Verdicts of another task are none of these judges.
    web = explain(make_panel("matrix", "web"), missing=nothing)
    assert web == "no verdicts of these judges in this run"
    assert (
        explain(make_panel("examples"), missing=nothing) == "no responses of this kind in this run"
    )
    assert "not trained" not in explain(make_panel("matrix", "lab"))


def test_judges_that_were_not_trained_are_told():
    evaluation = pd.DataFrame(
        {"task": "a", "cohort": "svm", "quantity": ["not trained"], "method": ["too few, see key"]}
    )
    svm = make_panel("matrix", "svm")
    assert explain(svm, evaluation=evaluation) == "not trained: too few"
    trained = evaluation.assign(quantity="accuracy")
    assert not explain(svm, evaluation=trained).startswith("not trained")
    assert not explain(make_panel("matrix", "lab"), evaluation=evaluation).startswith("not trained")


def test_colors_follow_roles():
    panel = make_panel("bars", "lab", by="age")
    results = {"estimates": pd.DataFrame({"task": ["a"], "group_by": ["level"], "group": ["z"]})}

    def find(**row):
        return picking.find_role(row, panel, STUDY, results)

    assert find(kind="lines", agent="llama") == "agent 2"
    assert find(kind="scatter", agent="human") is None
    assert find(kind="matrix") is None
    assert find(kind="bars", group_by="cohort", cohort="web") == "cohort 2"
    assert find(kind="bars", group_by="cohort", cohort="new") == "language model"
    assert find(kind="bars", group_by="age", group="old") == "group 2 of 2"
    gender = make_panel("bars", "lab", by="gender")
    assert picking.find_group_role("f", gender, STUDY, results) == "group 2"
    level = make_panel("bars", "lab", by="level")
    elsewhere = pd.DataFrame(
        {"task": ["b", "a"], "group_by": ["level", "age"], "group": ["x", "y"]}
    )
    results["estimates"] = pd.concat([results["estimates"], elsewhere])
    assert picking.find_group_role("z", level, STUDY, results) == "level 1"
    pie = make_panel("pie", "lab", by="level")
    results["sizes"] = pd.DataFrame({"task": "a", "group_by": "level", "group": ["y", "z"]})
    row = {"kind": "pie", "group_by": "cohort", "group": "z"}
    assert picking.find_role(row, pie, STUDY, results) == "level 2"


def test_labels_of_agents_and_units_of_ratings():
    label = picking.label_agent
    assert label("all", make_panel(), STUDY) == "All models"
    assert label("gpt", make_panel(labels={"gpt": "Named"}), STUDY) == "Named"
    assert label("gpt", make_panel(), STUDY) == "GPT"
    assert label("gpt@free", make_panel(), STUDY) == "GPT in free"
    assert label("gpt@free", make_panel(rows=("gpt", "gpt@free")), STUDY) == "in free"
    named = make_panel(labels={"free": "Free viewing"})
    levels = [picking.name_level(level, named, STUDY) for level in ("gpt", "free", "other")]
    assert levels == ["GPT", "Free viewing", "other"]

    def describe(*kinds):
        rows = notes.Facts(pd.DataFrame({"judge_kind": kinds}))
        return notes.fill_in(notes.load_sentences().units, rows)

    assert describe("human", "human") == "over judges and stimuli"
    assert describe("llm") == "over stimuli"
    assert describe("human", "llm") == "over judges and stimuli (machine judges: stimuli)"


def test_ratings_of_several_cohorts_are_series():
    columns = ["task", "cohort", "judge", "reading"]
    rows = [("a", "lab", None), ("a", "lab", "gpt"), ("a", "new", None), ("b", "lab", None)]
    ratings = pd.DataFrame([(*row, "recommended") for row in rows], columns=columns)
    results = {"ratings": pd.concat([ratings, ratings.assign(reading="published")])}

    def select(*cohorts):
        panel = make_panel("ratings", *cohorts)
        found = select_ratings(results, panel, STUDY, "recommended")
        return found[["cohort_label", "series"]].values.tolist()

    # People of one cohort need no name; of several, they have that of their cohort.
    assert select("lab") == [["Lab", ""], ["Lab", "gpt"]]
    assert select("lab", "new") == [["Lab", "Lab"], ["Lab", "gpt"], ["new", "new"]]


def test_estimates_that_are_known_are_found_by_place_and_group():
    place = {"task": "a", "cohort": "lab", "group_by": "age", "agent": "gpt", "quantity": "p_HM"}
    numbers = dict.fromkeys(picking.NUMBERS, 1.0)
    table = pd.DataFrame([place | numbers | {"group": group} for group in ("young", "old")])
    table.loc[1, "value"] = None
    results = {"estimates_at": picking.index_estimates(table)}
    found = picking.pick_estimates(results, make_panel("bars", "lab"), "gpt", "p_HM", "age")
    assert found == {"young": numbers}
    assert picking.pick_estimates(results, make_panel("bars", "lab"), "gpt", "p_HM") == {}


def test_a_test_is_picked_by_its_name():
    names = ["p", "p_adjusted", "test", "unit", "correction", "family_size", "z"]
    row = dict(zip(names, range(7), strict=True))
    results = {"test_of": {"one": row}}
    assert picking.pick_test("one", results) == {name: row[name] for name in names[:6]}
    assert picking.pick_test("other", results) == {}
