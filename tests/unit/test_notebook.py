"""Functions for notebooks: the numbers of the pipeline from data frames, errors, examples, the notebook."""

import doctest
import json

import numpy as np
import pandas as pd
import pytest
from project import ROOT

import turingstats
from tools.notebook import run_notebook
from turingstats import notebook
from turingstats.core.errors import ConfigError

NOTEBOOK = ROOT / "docs/notebook.ipynb"


@pytest.fixture(scope="module")
def color():
    trials = pd.read_csv(ROOT / "data/observed/zhang2025/color_trials.csv")
    trials = trials[(trials["cohort"] == "amt") & (trials["phase"] == "test")]
    return trials[trials["control_ok"] == "yes"]


def accepted(name):
    return pd.read_csv(ROOT / f"tests/golden/observed/statistics/{name}.csv")


def test_estimates_and_tests_are_those_of_the_pipeline(color):
    found = turingstats.estimate(color).set_index(["agent", "quantity"])
    whole = accepted("estimates")
    whole = whole[whole["estimate_id"].str.startswith("color.amt.all.")]
    whole = whole[whole["reading"] == "recommended"].set_index(["agent", "quantity"])
    assert len(whole) > 10
    for name in ("value", "n", "se", "ci_low", "ci_high"):
        np.testing.assert_allclose(found[name].reindex(whole.index), whole[name], rtol=1e-6)
    found = turingstats.compare(color, quantity="p_MM").set_index("agent")
    tests = accepted("tests").set_index(["test_id", "reading"])
    for agent in ("all", "azure", "mccq", "google"):
        row = tests.loc[(f"color.amt.p_MM.chance.{agent}", "recommended")]
        assert found.loc[agent, "p"] == pytest.approx(row["p_crossed"], rel=1e-5)
        assert found.loc[agent, "statistic"] == pytest.approx(row["crossed_statistic"], rel=1e-6)


def test_groups_and_machines(color):
    half = np.where(color["judge"] < "w030", "first", "second")
    by_half = turingstats.compare(color.assign(half=half), by="half")
    assert list(by_half["agent"]) == ["all", "azure", "google", "mccq"]
    assert set(by_half["groups"]) == {"first vs second"}
    assert (by_half["p_adjusted"] >= by_half["p"]).all()
    few = color["judge"].isin(sorted(set(color["judge"]))[:3])
    with_few = color.assign(group=np.where(few, "few", half))
    compared = [turingstats.compare(part, by="group") for part in (with_few, with_few[~few])]
    assert compared[0]["dropped"].str.contains("left out: few").all()
    assert compared[0]["p"].to_numpy() == pytest.approx(compared[1]["p"].to_numpy())
    machines = turingstats.compare(color, by="agent", quantity="p_HM")
    assert len(machines) == 1 and machines["statistic_name"][0] == "F"


def test_columns_may_have_other_names_and_counts_add_up(color):
    names = {"judge": "who", "agent": "by", "verdict": "said"}
    found = turingstats.estimate(color.rename(columns=names), **names)
    pd.testing.assert_frame_equal(found, turingstats.estimate(color))
    found = turingstats.counts(color)
    assert found["n"].sum() + found["n_unsure"].sum() == len(color)
    assert list(found)[:3] == ["judge", "stimulus", "agent"]


def test_choices_need_no_verdicts_on_people():
    judges, stimuli = np.divmod(np.arange(60), 6)
    trials = pd.DataFrame({"judge": judges, "stimulus": stimuli, "agent": "gpt"})
    trials["verdict"] = ["human", "machine", "machine"] * 20
    found = turingstats.estimate(trials, choice=True).set_index(["agent", "quantity"])
    assert found.loc[("gpt", "detectability"), "value"] == pytest.approx(2 / 3)
    with pytest.raises(ConfigError, match="no verdicts on people"):
        turingstats.estimate(trials)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda t: turingstats.counts(t.drop(columns="judge")), "no column 'judge' among"),
        (lambda t: turingstats.counts(t, by="age"), "no column 'age' among"),
        (lambda t: turingstats.counts(t[:0]), "has no rows"),
        (lambda t: turingstats.counts(t.assign(verdict="ai")), "has 'ai'\n  allowed: human, mac"),
        (lambda t: turingstats.counts(t.assign(judge=None)), "is empty in 1416 of 1416 rows"),
        (lambda t: turingstats.estimate(t.assign(agent="human")), "no verdicts on machines"),
        (lambda t: turingstats.compare(t, quantity="d"), "'d' is unknown\n  allowed: 'p_HH'"),
        (lambda t: turingstats.estimate(t, stimulus="itm"), "no column 'itm' among"),
        (lambda t: turingstats.estimate(t, level=95), "level=95 .*\n.*\n  fix: +level=0.95"),
        (lambda t: turingstats.compare(t, level=1), "level=1 is not possible"),
        (lambda t: turingstats.compare(t, against=50), "against=50 .*\n.* 0 to 1\n.*against=0.5"),
        (lambda t: turingstats.compare(t, against=True), "against=True is not possible"),
        (lambda t: turingstats.compare(t, correction="fdr"), "correction='fdr' .*\n.*'holm', 'bon"),
        (lambda t: turingstats.compare(t.assign(n=1), by="n"), "by='n': counts have"),
        (lambda t: turingstats.compare(t, by="judge"), "by='judge': counts have"),
        (lambda t: turingstats.counts(t.replace({"agent": {"mccq": "all"}})), "is called 'all'"),
        (
            lambda t: turingstats.counts(t.assign(verdict=t["verdict"] == "human")),
            "has 'False', 'True'\n.*\n.*each means.*{'False': \\.\\.\\., 'True': ",
        ),
        (lambda t: turingstats.compare(t, quantity="p_HH", by="agent"), "is of people alone"),
        (lambda t: turingstats.plan(margin=10), "margin=10 .*\n.*\n.*margin=0.1"),
        (lambda t: turingstats.compare(t, by="cohort"), "has 1 groups"),
    ],
)
def test_errors_say_what_to_do(color, call, message):
    with pytest.raises(ConfigError, match=message):
        call(color)


def test_ends_and_other_scales_are_possible(color):
    chance = turingstats.compare(color, quantity="p_MM", against=1).set_index("agent")
    assert (chance["effect"] < 0).all()
    distance = turingstats.compare(color, quantity="d_prime", against=2)
    assert distance["groups"][0] == "all vs 2"
    (people,) = turingstats.compare(color, quantity="p_HH").to_dict("records")
    assert people["agent"] == "human" and people["effect"] == pytest.approx(0.0514, abs=1e-4)


def test_the_package_lists_what_it_offers_with_examples_that_hold():
    assert [name for name in dir(turingstats) if not name.startswith("__")] == [
        *("compare", "counts", "estimate", "plan")
    ]
    failed, tried = doctest.testmod(notebook)
    assert tried >= 9 and failed == 0


def test_the_notebook_shows_what_its_cells_return():
    stored = json.loads(NOTEBOOK.read_text())
    found = run_notebook(stored, NOTEBOOK.parent)
    assert len([cell for cell in stored["cells"] if cell["cell_type"] == "code"]) > 5
    for cell, again in zip(stored["cells"], found["cells"], strict=True):
        assert cell == again, f"{cell['id']}: python -m tools.notebook"
