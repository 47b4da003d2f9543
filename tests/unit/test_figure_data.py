"""What figures show is picked from the results, and nothing is computed or made up on the way."""

import numpy as np
import pandas as pd
import pytest
import yaml
from project import NOBODY

from turingstats.analysis.comparisons.compare import run_comparisons
from turingstats.analysis.estimates.estimate import estimate_rates
from turingstats.claims import inventory
from turingstats.config.study import Study
from turingstats.core import yaml_models
from turingstats.core.errors import ConfigError
from turingstats.data import counts as counting
from turingstats.figures import source_data
from turingstats.figures.notes import Facts

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
     score: cider, published: {test: pearson}, recommended: {test: spearman}}
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
    tables = source_data.select_reading(results, reading)
    return source_data.select_figure_data(
        "fig1", study(**panels), tables, reading, 0.95, "public data"
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
    said = inventory.explain_panel(Facts([row.to_dict()]), missing, {})[1]
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
