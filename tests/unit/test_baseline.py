"""Accepted results: everything that changes is named, and nothing else."""

import json

import pandas as pd
import pytest
from turingstats import baseline
from turingstats.config import settings as config
from turingstats.core.errors import ConfigError

SETTINGS = {"seed": 1, "data": {"source": "demo"}}


@pytest.fixture
def results(tmp_path):
    """Results of a made-up study."""
    folder = tmp_path / "results/made"
    tables = {
        "statistics/estimates.csv": {
            "estimate_id": ["a", "a", "b"],
            "reading": ["published", "recommended", "published"],
            "group_by": ["all", "all", "gender"],
            "value": [0.1 + 0.2, 0.3, 0.5],
        },
        "figures/fig1.csv": {"panel": ["A", "A"], "agent": ["human", "gpt"], "value": [0.5, 0.25]},
        "figures/fig2.csv": {"panel": ["A"], "agent": ["human"], "value": [1.0]},
        "claims/claims.csv": {
            "paper": ["made"],
            "claim_id": ["c1"],
            "status": ["reproduced"],
            "reading": ["published"],
            "recomputed": ["0.55"],
            "recommended": ["0.56"],
            "data": ["public data"],
            "why": ["words that may change"],
        },
        "claims/consistency.csv": {
            "paper": ["made"],
            "check_id": ["k1"],
            "verdict": ["consistent"],
            "data": ["public data"],
            "arithmetic": ["1 + 1 = 2"],
        },
    }
    for name, columns in tables.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        pd.DataFrame(columns).to_csv(path, index=False)
    return folder


@pytest.fixture
def accepted(tmp_path, results):
    folder = tmp_path / "accepted"
    baseline.accept(folder, baseline.take(results), SETTINGS)
    return folder


def edit(path, old, new):
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def told(accepted, results):
    return baseline.report(baseline.check(accepted, baseline.take(results), SETTINGS))


def test_nothing_changed(accepted, results):
    assert baseline.check(accepted, baseline.take(results), SETTINGS) == []


def test_a_changed_number_is_named(accepted, results):
    edit(results / "statistics/estimates.csv", "recommended,all,0.3", "recommended,all,0.31")
    assert told(accepted, results) == (
        "estimates.csv: 1 difference\n  a, recommended: value 0.3 -> 0.31"
    )


def test_the_last_digit_of_a_number_counts(accepted, results):
    edit(results / "statistics/estimates.csv", "0.30000000000000004", "0.3")
    assert "a, published: value 0.30000000000000004 -> 0.3" in told(accepted, results)


def test_a_declared_tolerance_lets_last_digits_differ(accepted, results):
    baseline.accept(accepted, baseline.take(results), SETTINGS, tolerance=1e-12)
    edit(results / "statistics/estimates.csv", "0.30000000000000004", "0.3")
    assert told(accepted, results) == ""
    edit(results / "statistics/estimates.csv", "recommended,all,0.3", "recommended,all,0.300001")
    assert "a, recommended: value" in told(accepted, results)


def test_a_changed_status_is_named(accepted, results):
    edit(results / "claims/claims.csv", "reproduced", "differs")
    assert told(accepted, results) == (
        "claims.csv: 1 difference\n  c1: status reproduced -> differs"
    )


def test_words_of_the_ledger_may_change(accepted, results):
    edit(results / "claims/claims.csv", "words that may change", "other words")
    edit(results / "claims/consistency.csv", "1 + 1 = 2", "2 = 1 + 1")
    assert told(accepted, results) == ""


def test_a_changed_verdict_on_the_paper_is_named(accepted, results):
    edit(results / "claims/consistency.csv", "consistent,", "contradiction,")
    assert "k1: verdict consistent -> contradiction" in told(accepted, results)


def test_changed_source_data_of_a_figure_are_named(accepted, results):
    edit(results / "figures/fig1.csv", "A,gpt,0.25", "A,gpt,0.75")
    assert told(accepted, results) == "fig1.csv: 1 difference\n  A, gpt: value 0.25 -> 0.75"


def test_a_missing_figure_is_named(accepted, results):
    (results / "figures/fig2.csv").unlink()
    assert told(accepted, results) == "fig2.csv: accepted, but not made by this run"


def test_an_added_figure_is_named(accepted, results):
    (results / "figures/fig9.csv").write_text("panel,value\nA,1\n")
    assert told(accepted, results) == "fig9.csv: made by this run, but not accepted"


def test_rows_and_columns_that_come_and_go_are_named(accepted, results):
    path = results / "figures/fig1.csv"
    edit(path, "A,gpt,0.25", "B,gpt,0.25")
    assert "  A, gpt: gone\n  B, gpt: new row" in told(accepted, results)
    edit(path, "panel,agent,value", "panel,agent,share")
    report = told(accepted, results)
    assert "column value: gone" in report and "column share: new" in report


def test_a_long_list_is_cut(accepted, results):
    rows = "\n".join(f"A,agent {i},{i}" for i in range(30))
    (results / "figures/fig1.csv").write_text(f"panel,agent,value\n{rows}\n")
    report = told(accepted, results)
    assert "fig1.csv: 32 differences" in report and "and 17 more" in report


def test_rows_of_one_name_are_told_apart():
    one = pd.DataFrame({"panel": ["A", "A"], "value": ["1", "2"]})
    other = pd.DataFrame({"panel": ["A", "A"], "value": ["1", "3"]})
    (difference,) = baseline.compare({"t": one}, {"t": other})
    assert str(difference) == "A (2): value 2 -> 3"


def test_accepting_removes_what_is_gone_and_keeps_options(accepted, results):
    baseline.accept(accepted, baseline.take(results), SETTINGS, tolerance=1e-9)
    (results / "figures/fig2.csv").unlink()
    baseline.accept(accepted, baseline.take(results), SETTINGS)
    assert not (accepted / "fig2.csv").exists()
    assert baseline.options(accepted)["relative_tolerance"] == 1e-9
    assert told(accepted, results) == ""


def test_a_compact_baseline_leaves_groups_out(results):
    assert set(baseline.take(results, compact=True)["estimates.csv"]["group_by"]) == {"all"}


def test_other_settings_are_no_difference_of_numbers(accepted, results):
    with pytest.raises(ConfigError, match=r"(?s)other settings.*seed: 1 -> 2.*make accept"):
        baseline.check(accepted, baseline.take(results), SETTINGS | {"seed": 2})


def test_without_a_baseline_the_remedy_is_told(tmp_path, results):
    with pytest.raises(ConfigError, match=r"no accepted baseline.*make accept"):
        baseline.check(tmp_path / "none", baseline.take(results), SETTINGS)


def test_settings_are_those_that_numbers_follow_from(tmp_path):
    def settings(**changed):
        (tmp_path / "data").mkdir(exist_ok=True)
        run = {"config": config.Config(**changed).model_dump(mode="json")}
        (tmp_path / "data/provenance.json").write_text(json.dumps(run))
        return baseline.settings_of(tmp_path)

    default = settings()
    assert settings(pathvars={"results": "elsewhere"}, figures={"dpi": 72}) == default
    assert settings(seed=7) != default
    here, there = ({"source": path} for path in ("/home/me/TuringTest", "/data/TuringTest"))
    assert settings(data=here) == settings(data=there) != default
