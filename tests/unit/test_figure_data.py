"""What figures show is picked from the results, and nothing is computed or made up on the way."""

import numpy as np
import pandas as pd
import pytest
import yaml
from project import NOBODY, ROOT, read_study

from turingstats.analysis.comparisons.compare import run_comparisons
from turingstats.analysis.estimates.estimate import estimate_rates
from turingstats.claims import inventory
from turingstats.config.study import Study
from turingstats.core import yaml_models
from turingstats.core.errors import ConfigError
from turingstats.data import counts as counting
from turingstats.figures import source_data

STUDY = yaml.safe_load("""
study: talk
title: Talks
reference: nobody
agents: {human: {label: HUMAN}, a: {label: A}, b: {label: B}, c: {label: C}, d: {label: D}}
tasks:
  talk:
    label: Talk
    agents: [a, b]
    conditions: [variant, exchanges, variant+exchanges]
    pooled_humans: [variant, exchanges, variant+exchanges]
    cohorts:
      one: {label: First judges, agents: [a, b]}
      two: {label: Second judges, agents: [a, b]}
      none: {label: Lost judges, agents: [a, b]}
comparisons:
  - {id: chance, task: talk, cohorts: [one, two], quantity: detectability, agents: [all, a],
     against: 0.5, recommended: {test: wilcoxon}}
  - {id: score, task: talk, cohorts: [one, two], quantity: detectability, agents: [a, b],
     score: cider, published: {test: pearson}, recommended: {test: pearson}}
""")
SHARED = {"title": "T", "task": "talk"}
OPTIONS = {"seed": 1, "n_bootstrap": 100, "n_permutation": 100, "confidence": 0.95}
MEASURED = [("a", "cider", 100.0), ("b", "cider", 120.0), ("a", "parameters", 347.0)]
BENCHMARKS = pd.DataFrame([*MEASURED, ("c", "cider", 90.0)], columns=["agent", "measure", "value"])


def study(**panels):
    figures = {"fig1": {"title": "F", "panels": {k: SHARED | v for k, v in panels.items()}}}
    return yaml_models.build_model(Study, STUDY | {"figures": figures}, "test")


@pytest.fixture(scope="module")
def results():
    """Results of two cohorts that judged conversations of two lengths."""
    generator = np.random.default_rng(3)
    variants = [("H-H", "human"), ("H-M", "human"), ("H-M", "a"), ("M-M", "a"), ("M-M", "b")]
    rows = [
        (cohort, f"talk.{cohort}.w{judge}", agent, variant, exchanges)
        for cohort in ("one", "two")
        for judge in range(6)
        for variant, agent in variants
        for exchanges in (3, 12)
        for _ in range(4)
    ]
    trials = pd.DataFrame(rows, columns=["cohort", "judge", "agent", "variant", "exchanges"])
    trials = trials.assign(
        **{"study": "talk", "task": "talk", "judge_kind": "human", "stimulus": None},
        **{"kept_published": True, "kept_recommended": True},
        verdict=generator.choice(["human", "machine"], len(trials)),
    )
    described = study()
    counted = counting.count_verdicts(trials, described)
    shown = [("s1", "human"), ("s1", "a"), *[("17", "human")] * 3, ("17", "b"), ("17", "a")]
    words = ["one", "two", "three", "four", "five", "six", "seven"]
    responses = pd.DataFrame(shown, columns=["stimulus", "agent"]).assign(
        task="talk", response=words
    )
    responses.loc[7] = ["s9", "a", "other", "eight"]
    return {
        "estimates": estimate_rates(counted, NOBODY, described, OPTIONS),
        "tests": run_comparisons(counted, NOBODY, described, OPTIONS, BENCHMARKS),
        "sizes": pd.DataFrame(
            columns=["task", "cohort", "group_by", "quantity", "value", "reading"]
        ),
        "missing": pd.DataFrame(
            [("talk", "none", "a.json", "not public"), ("talk", None, "b.json", "not public")],
            columns=["task", "cohort", "path", "why"],
        ),
        "responses": responses.assign(side=None, turn=None),
        "benchmarks": BENCHMARKS,
    }


def select(results, reading="recommended", **panels):
    return source_data.select_figure_data(
        "fig1", study(**panels), results, reading, 0.95, "public data"
    )


def value(results, cohort, group, agent, quantity, reading="recommended"):
    table = results["estimates"].query(
        "cohort == @cohort and group == @group and agent == @agent and quantity == @quantity "
        "and reading == @reading"
    )
    return table["value"].item()


def test_matrix_rows_are_agents_and_their_parts(results):
    rows = ["human", "human@H-H", "all", "all@M-M", "a@M-M", "b@H-M"]
    panel = {"kind": "matrix", "cohort": "one", "by": "variant", "rows": rows}
    table = select(results, A=panel | {"labels": {"all@M-M": "M in M-M"}})
    labels = list(table["agent_label"].drop_duplicates())
    # Agent b took part in no conversation with a person, so that row has no numbers.
    assert labels == ["HUMAN", "in H-H", "All models", "M in M-M", "A in M-M"]
    picked = table[(table["agent_label"] == "in H-H") & (table["quantity"] == "p_HH")]
    assert picked["value"].item() == value(results, "one", "H-H", "human", "p_HH")
    assert table["mark"].isna().all()


def test_bars_of_cohorts_with_their_tests_and_what_is_missing(results):
    panel = {"kind": "bars", "cohorts": ["one", "none", "two"], "chance_test": "chance"}
    table = select(results, A=panel | {"agents": ["all", "a"]})
    assert list(table["group"]) == ["First judges", "Second judges"] * 2
    assert table["value"].iloc[1] == value(results, "two", "all", "all", "detectability")
    p = results["tests"].set_index("test_id")["p"]
    assert list(table["p"]) == [p[f"chance.{a}.{c}"] for a in ("all", "a") for c in ("one", "two")]
    assert set(table["note"]) == {"no data of Lost judges"}


@pytest.mark.parametrize("reading", ["published", "recommended"])
def test_lines_along_length_and_their_mean(results, reading):
    shared = {"kind": "lines", "cohort": "one", "rows": ["human", "all"]}
    every = shared | {"by": "exchanges"}
    mixed = shared | {"by": "variant+exchanges", "level": "H-M"}
    table = select(results, reading, A=every, B=mixed)
    for letter, groups, whole in (("A", ["3", "12"], "all"), ("B", ["H-M/3", "H-M/12"], "H-M")):
        for agent, quantity in (("human", "p_HH"), ("all", "p_HM")):
            own = table[(table["panel"] == letter) & (table["agent"] == agent)]
            points = own[own["kind"] == "lines"]
            assert list(points["x"]) == [3, 12]
            assert list(points["value"]) == [
                value(results, "one", group, agent, quantity, reading) for group in groups
            ]
            mean = own.loc[own["kind"] == "mean", "value"].item()
            assert mean == value(results, "one", whole, agent, quantity, reading)


def test_lines_need_numbers_on_the_axis(results):
    with pytest.raises(ConfigError, match=r"level 'H-M' is not a number"):
        select(results, A={"kind": "lines", "cohort": "one", "by": "variant", "agents": ["a"]})


def test_scatters_take_scores_and_examples_the_first_stimuli_that_all_responded_to(results):
    panel = {"kind": "scatter", "cohort": "one", "score": "cider", "test": "score"}
    table = select(results, A=panel | {"agents": ["a", "b", "d"]})
    points = table[table["kind"] == "scatter"]
    assert list(points["x"]) == [100, 120]
    assert table.loc[table["kind"] == "correlation", "n"].item() == 2
    table = select(results, A={"kind": "examples", "agents": ["a", "b"]})
    # Agent b gave no response to the first stimulus; of three people two are shown.
    assert list(table["text"]) == ["three", "four", "seven", "six"]
    assert set(table["group"]) == {"Image 17"}


def test_a_conversation_is_the_first_of_just_these_speakers(results):
    turns = [
        ("c1", 1, "human", "hello"), ("c1", 2, "b", "hi"),
        ("c2", 2, "human", "fine"), ("c2", 1, "a", "how are you?"), ("c2", 3, "a", "good"),
        ("c3", 1, "human", "well"), ("c3", 2, "a", "yes"),
    ]  # fmt: skip
    spoken = pd.DataFrame(turns, columns=["stimulus", "turn", "agent", "response"])
    table = pd.concat([results["responses"], spoken.assign(task="talk")])
    found = select(results | {"responses": table}, A={"kind": "conversation", "agents": ["a"]})
    assert found["text"].tolist() == ["how are you?", "fine", "good"]
    assert found["x"].tolist() == [1, 2, 3] and set(found["group"]) == {"c2"}
    without = select(results, A={"kind": "conversation", "agents": ["a"]})
    assert without["kind"].item() == "no data" and without["note"].item() == "no public data"


def test_judges_whom_the_source_does_not_name_are_not_counted(results, monkeypatch):
    panel = {"A": {"kind": "matrix", "cohort": "one"}}
    assert select(results, **panel)["n_judges"].notna().all()
    monkeypatch.setitem(STUDY["tasks"]["talk"]["cohorts"]["one"], "unnamed", True)
    assert select(results, **panel)["n_judges"].isna().all()


def test_panels_without_numbers_say_why(results):
    cohort = "none"
    panels = {
        "A": {"kind": "matrix", "cohort": cohort},
        "B": {"kind": "bars", "cohorts": [cohort]},
        "C": {"kind": "lines", "cohort": cohort, "by": "exchanges", "rows": ["human"]},
        "D": {"kind": "scatter", "cohort": cohort, "score": "cider", "agents": ["a"]},
    }
    table = select(results, **panels)
    assert list(table["kind"]) == ["no data"] * 4
    assert set(table["note"]) == {"no public data"} and set(table["text"]) == {"a.json"}


@pytest.mark.parametrize(
    ("why", "note", "text"),
    [
        ("not public", "no public data", "a.json"),
        ("public, not bundled", "public, not bundled", "a.json (data.source: public fetches it)"),
        ("not in this source", "no data in this source", None),
    ],
)
def test_three_kinds_of_absence_are_told_apart(results, why, note, text):
    """A box says the kind in a few words; the file, and what brings it, stand in the caption."""
    missing = results["missing"].assign(why=why)
    panel = {"A": {"kind": "matrix", "cohort": "none"}}
    row = select(results | {"missing": missing}, **panel).iloc[0]
    assert row["note"] == note and (
        row["text"] == text or (text is None and row["text"] != row["text"])
    )
    said = inventory.explain_panel(pd.DataFrame([row]), missing, {})[1]
    assert said.startswith(f"Talk, Lost judges: {note}; needs a.json")
    assert ("data.source: public fetches it" in said) == (why == "public, not bundled")


def test_a_judge_trained_here_stands_in_place_of_one_without_data(results):
    matrix = {"kind": "matrix", "title": "Paper's judge", "instead": "two"}
    table = select(results, A=matrix | {"cohort": "one"}, B=matrix | {"cohort": "none"})
    rows = dict(list(table.groupby("panel")))
    assert rows["A"]["note"].isna().all() and set(rows["A"]["title"]) == {"Paper's judge"}
    assert set(rows["B"]["title"]) == {"Second judges"}
    assert set(rows["B"]["note"]) == {"no public data; trained here instead"}
    own = rows["B"].set_index(["agent", "quantity"])["value"]
    assert own["all", "p_MM"] == value(results, "two", "all", "all", "p_MM")


def test_a_printed_matrix_is_shown_as_such_where_there_are_no_data(results):
    cells = {"human": "H 0.4 0.6", "all": "M 0.7 0.3", "a": "M 0.9 0.1", "b": "M 0.5 0.5"}
    printed = pd.DataFrame(
        [
            {
                "location": place,
                "rows": f"task=talk, cohort={cohort}, group=all, agent={agent}, quantity=p_{said}{truth}",
                "value": value if place == "Fig 6B" else "0.11",
            }
            for place in ("text", "Fig 6B", "Fig 9")
            for cohort in ("none", "one")
            for agent, (truth, *values) in ((name, told.split()) for name, told in cells.items())
            for said, value in zip("HM", values, strict=True)
        ]
    )
    matrix = {"kind": "matrix", "agents": ["all", "a", "b"], "printed": True}
    panels = {"A": matrix | {"cohort": "one"}, "B": matrix | {"cohort": "none"}}
    table = select(results | {"notebooks": printed}, **panels)
    rows = dict(list(table.groupby("panel")))
    assert set(rows["A"]["data"]) == {"public data"} and rows["A"]["n"].notna().all()
    shown = rows["B"].set_index(["agent", "quantity"])["value"]
    assert shown.tolist() == [0.4, 0.6, 0.7, 0.3, 0.9, 0.1, 0.5, 0.5]
    assert list(shown.index[2:4]) == [("all", "p_HM"), ("all", "p_MM")]
    assert set(rows["B"]["data"]) == {"published table"} and rows["B"]["n"].isna().all()
    assert set(rows["B"].loc[rows["B"]["mark"].notna(), "agent"]) == {"a"}
    published = pd.DataFrame(
        [{"figure": "fig1", "panel": at, "kind": "m", "data_driven": "yes"} for at in "AB"]
    )
    notes = {"pools": {}, "trained": {}, "skipped": {}, "not_drawn": {}}
    listed = inventory.list_panels(published, {"fig1": table}, [], results["missing"], notes)
    assert listed["drawn"].tolist() == ["yes", "as printed"]


@pytest.mark.parametrize(
    ("panel", "word"),
    [
        ({"kind": "bars"}, r"panels.A: .*needs either cohort or cohorts"),
        ({"kind": "lines"}, r"panels.A.cohort: this key is required"),
        ({"kind": "bar"}, r"panels.A.kind: unknown kind 'bar'; known here: matrix, pie, bars,"),
        ({"cohort": "one"}, r"panels.A.kind: this key is required"),
        (
            {"kind": "pie", "cohort": "one", "by": "x", "top": 2},
            r"panels.A.top: unknown key;.*share_of",
        ),
        ({"kind": "matrix", "cohort": "one", "rows": ["z@H-M"]}, "unknown name 'z'"),
    ],
)
def test_faulty_panels_are_named(panel, word):
    with pytest.raises(ConfigError, match=word):
        study(A=panel)


def test_inventory_says_of_each_panel_whether_it_is_drawn(results):
    shown = select(
        results,
        A={"kind": "matrix", "cohort": "one"},
        B={"kind": "matrix", "cohort": "none"},
        C={"kind": "examples", "agents": ["a", "b"]},
    )
    rows = [("fig1", at, "confusion matrix", "yes", "") for at in "AB"]
    rows += [("fig1", "C", "example", "no", ""), ("fig1", "D", "schematic", "no", "")]
    rows += [("fig2", "A", "bar", "yes", "")]
    rows += [(f"tableS{n}", None, "table", "yes", "") for n in (1, 2)]
    columns = ["figure", "panel", "kind", "data_driven", "shows"]
    published = pd.DataFrame(rows, columns=columns)
    missing = pd.DataFrame(
        [("talk", "lost", "a.json"), ("talk", "other", "b.json"), ("talk", None, "c.json")],
        columns=["task", "cohort", "path"],
    )
    notes = {"pools": {"talk": {"none": ["lost", "kept"], "one": []}}, "trained": {}, "skipped": {}}
    notes["not_drawn"] = {"tableS2": "lost"}
    table = inventory.list_panels(published, {"fig1": shown}, ["tableS1"], missing, notes)
    assert list(table["drawn"]) == [
        *("yes", "no data", "yes", "not data-driven", "not declared", "yes", "not drawn")
    ]
    assert table["why"].iloc[-1] == "lost"
    assert list(table["why"])[:2] == [
        "public data: Talk, First judges",
        "Talk, Lost judges: no public data; needs a.json",
    ]
    assert "no images" in table["why"][2]


def test_every_published_panel_has_a_place():
    """The letters of the paper's list are those of the layouts, and each is a panel."""
    published = pd.read_csv(ROOT / "data/published/zhang2025/figures.csv")
    figures = read_study("zhang2025").figures
    for figure, own in published[published["data_driven"] == "yes"].groupby("figure"):
        if not figure.startswith("fig"):
            continue
        assert set(own["panel"]) <= set(figures[figure].placed), figure
    for figure, described in figures.items():
        assert set(described.placed) == set(described.panels), figure
