"""Ratings given beside a verdict: from the table to means, correlations, the figure and the table."""

import numpy as np
import pandas as pd
import pytest
from project import describe_texts

from turingstats.analysis import graded_verdicts, scales
from turingstats.config import defaults
from turingstats.config.study import Study
from turingstats.core import yaml_models
from turingstats.core.errors import InputError
from turingstats.figures.kinds.listed import Listed
from turingstats.new_study.inspector import inspect_verdicts
from turingstats.new_study.source_table import read_source
from turingstats.stats.hypothesis.correlation import linearize_correlation
from turingstats.tables.rating_summary import tabulate_scales

DESCRIBED = describe_texts(["bot", "other"])
DESCRIBED["tasks"]["texts"]["columns"] = {"warmth": "scale", "rate": "number"}
STUDY = yaml_models.build_model(Study, DESCRIBED, "study")


@pytest.fixture(scope="module")
def judgments():
    """Twenty judges who rate the warmth of 40 texts, each in their own way, and judge the warm ones human."""
    rng = np.random.default_rng(4)
    agents = np.array(["human", "bot", "other"])[np.arange(40) % 3]
    rows = []
    for judge in range(20):
        habit = rng.normal(0, 2)
        felt = 0.8 * (agents == "human") + rng.normal(0, 1, 40)
        warmth = np.round(4 + habit + felt)
        verdict = np.where(felt + rng.normal(0, 0.5, 40) > 0.3, "human", "machine")
        verdict[0] = "unsure"
        names = [f"t{i}" for i in range(40)]
        rows += zip([f"w{judge}"] * 40, names, agents, warmth, verdict, strict=True)
    table = pd.DataFrame(rows, columns=["judge", "stimulus", "agent", "warmth", "verdict"])
    table["judge"] = "texts.people." + table["judge"]
    # As in a table: text, with an empty cell.
    table["warmth"] = table["warmth"].map("{:g}".format)
    table.loc[5, "warmth"] = None
    return table.assign(
        **{"task": "texts", "cohort": "people", "judge_kind": "human", "kept_recommended": True},
        truth=np.where(table["agent"] == "human", "human", "machine"),
    ).astype(dict.fromkeys(("judge", "stimulus", "agent", "warmth", "verdict"), "category"))


@pytest.fixture(scope="module")
def table(judgments):
    """Of trials among which are some that were rejected, and some of another task."""
    others = [{"kept_recommended": False}, {"task": "pictures"}]
    parts = [judgments.assign(warmth="9", **other) for other in others]
    return scales.measure_scales(pd.concat([judgments, *parts]), STUDY, {}, 0.95)


def test_means_and_differences_are_those_of_the_filled_cells(judgments, table):
    warmth = pd.to_numeric(judgments["warmth"].astype(object))
    means = warmth.groupby(judgments["agent"], observed=True).mean()
    found = table.set_index(["agent", "quantity"])
    for agent in ("human", "bot", "other"):
        assert found.loc[(agent, "mean"), "value"] == pytest.approx(means[agent])
    difference = found.loc[("bot", "difference")]
    assert difference["value"] == pytest.approx(means["bot"] - means["human"])
    assert difference["ci_low"] < -0.8 < difference["ci_high"]
    assert set(table["scale"]) == {"warmth"}  # a number is no scale
    assert found.loc[("all", "mean"), "n"] == (judgments["agent"] != "human").sum() - 1


def test_correlation_within_judges_is_not_that_of_habits(judgments, table):
    found = table[table["agent"] == "every"].set_index("quantity")
    decided = judgments[(judgments["verdict"] != "unsure") & judgments["warmth"].notna()]
    x = pd.to_numeric(decided["warmth"].astype(object))
    y = decided["verdict"].eq("human").astype(float)
    # Partial correlation given the judge, by regression on indicators of judges.
    dummies = pd.get_dummies(decided["judge"].astype(str)).to_numpy(float)
    rests = [v - dummies @ np.linalg.lstsq(dummies, v, rcond=None)[0] for v in (x, y)]
    assert found.loc["within_judges", "value"] == pytest.approx(np.corrcoef(*rests)[0, 1])
    assert found.loc["correlation", "value"] == pytest.approx(np.corrcoef(x, y)[0, 1])
    assert found.loc["within_judges", "value"] > found.loc["correlation", "value"] + 0.1
    assert (found["ci_low"] < found["value"]).all() and (found["value"] < found["ci_high"]).all()
    assert (found["n"] == len(decided)).all()


def test_influence_is_the_change_with_a_rows_weight():
    rng = np.random.default_rng(2)
    unit = np.repeat(np.arange(6), 5)
    x = rng.normal(size=30)
    y = x + rng.normal(size=30)
    value, influence = linearize_correlation(x, y, unit)
    times = 2000
    for row in (0, 13):
        # One row once more among many copies of all.
        heavier = [np.append(np.tile(v, times), v[row]) for v in (x, y, unit)]
        changed, _ = linearize_correlation(*heavier)
        assert (changed - value) * times == pytest.approx(influence[row], rel=0.02, abs=1e-4)
    assert np.isnan(linearize_correlation(np.ones(4), np.arange(4.0))[0])


def test_figure_and_table_show_each_scale(table):
    figure = defaults.declare_figures(STUDY, {})["scales"]
    picked = [
        Listed().select(panel, {"scales": table}, STUDY, "recommended")
        for panel in figure.panels.values()
    ]
    assert [len(rows) for rows in picked] == [3, 1]
    assert {row["agent_label"] for rows in picked for row in rows} == {"warmth"}
    shown = tabulate_scales(table, STUDY)
    assert len(shown) == 1 and "Mean, All models" in shown
    difference = table[table["quantity"] == "difference"].iloc[0]
    assert shown["All models minus people"].iloc[0].startswith(f"{difference['value']:.2f} (")


def inspect(path, named, words=None):
    return inspect_verdicts(read_source(path, named, words or {}, {}, ""))


def test_scales_are_named_to_init_and_their_words_given(tmp_path):
    path = tmp_path / "table.csv"
    rows = ["rater,text,source,answer,warmth,liked"]
    for judge, text in np.ndindex(6, 8):
        source = "human" if text % 2 else "bot"
        warmth = ["cold", "3", "4", "hot"][(judge + text) % 4]
        rows.append(f"r{judge},t{text},{source},{source if judge else 'human'},{warmth},{text % 5}")
    path.write_text("\n".join(rows) + "\n")
    named = {"judge": "rater", "stimulus": "text", "agent": "source", "verdict": "answer"}
    words = {"warmth": {"cold": "1", "hot": "5"}}
    draft = inspect(path, named | {"scales": ["warmth", "liked"]}, words)
    assert draft.declared == {"warmth": "scale", "liked": "scale"}
    assert draft.values["warmth"] == {"cold": "1", "hot": "5"}
    with pytest.raises(InputError, match="a scale holds numbers"):
        inspect(path, named | {"scales": "warmth"})
    guessed = inspect(path, named)
    assert guessed.declared["liked"] == "condition"
    assert any("columns={scales: [liked]}" in remark for remark in guessed.remarks)


def test_a_machine_judge_has_correlations_over_its_stimuli(judgments):
    one = judgments[judgments["judge"] == "texts.people.w0"].assign(judge_kind="llm")
    found = scales.measure_scales(one, STUDY, {}, 0.95)
    assert "within_stimuli" not in set(found["quantity"])
    methods = found.loc[found["agent"] == "every", "method"]
    assert methods.str.contains(f"{graded_verdicts.STIMULI}, of Fisher's z", regex=False).all()
