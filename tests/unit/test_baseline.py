"""Accepted results: everything that changes is named, and nothing else."""

import pandas as pd
import pytest

from tools import baseline


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
        # A long table, of which a baseline keeps a summary.
        "statistics/individuals.csv": {
            "individual_id": ["a", "b", "c"],
            "rater": ["x", "", "z"],
            "value": [0.25, -0.5, 1.0],
        },
        "figures/fig1.csv": {"panel": ["A", "A"], "agent": ["human", "gpt"], "value": [0.5, 0.25]},
        "figures/fig2.csv": {"panel": ["A"], "agent": ["human"], "value": [1.0]},
    }
    cells = {"claim_id": "c1", "status": "reproduced", "reading": "published", "why": "any words"}
    cells |= {"recomputed": "0.55", "recommended": "0.56", "data": "public data"}
    tables["claims/claims.csv"] = pd.DataFrame([cells | {"paper": "made"}])
    cells = {"check_id": "k1", "result": "consistent", "data": "public data", "paper": "made"}
    tables["claims/consistency.csv"] = pd.DataFrame([cells | {"arithmetic": "1 + 1 = 2"}])
    for name, columns in tables.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        pd.DataFrame(columns).to_csv(path, index=False)
    return folder


@pytest.fixture
def accepted(tmp_path, results):
    folder = tmp_path / "accepted"
    baseline.write_baseline(folder, baseline.read_results(results))
    return folder


def edit(path, old, new):
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))


def told(accepted, results):
    return baseline.format_differences(
        baseline.check_results(accepted, baseline.read_results(results))
    )


@pytest.mark.parametrize(
    ("name", "old", "new", "difference"),
    [
        ("statistics/estimates", "all,0.3\n", "all,0.31\n", "a, recommended: value 0.3 -> 0.31"),
        ("claims/claims", "reproduced", "differs", "c1: status reproduced -> differs"),
        ("claims/claims", "any words", "other words", ""),
        ("claims/consistency", "consistent,", "open,", "k1: result consistent -> open"),
        ("claims/consistency", "1 + 1 = 2", "2 = 1 + 1", ""),
        ("figures/fig1", "A,gpt,0.25", "A,gpt,0.75", "A, gpt: value 0.25 -> 0.75"),
    ],
)
def test_a_changed_cell_is_named(accepted, results, name, old, new, difference):
    name += ".csv"
    edit(results / name, old, new)
    expected = f"{name}: 1 difference\n  {difference}" if difference else ""
    assert told(accepted, results) == expected


def test_what_is_missing_or_added_is_named(accepted, results):
    (results / "figures/fig2.csv").rename(results / "figures/fig9.csv")
    assert told(accepted, results).splitlines() == [
        "figures/fig2.csv: accepted, but not made by this run",
        "figures/fig9.csv: made by this run, but not accepted",
    ]
    path = results / "figures/fig1.csv"
    edit(path, "A,gpt,0.25", "B,gpt,0.25")
    assert "  A, gpt: gone\n  B, gpt: new" in told(accepted, results)
    edit(path, "panel,agent,value", "panel,agent,share")
    report = told(accepted, results)
    assert "column value: gone" in report and "column share: new" in report


def test_last_digits_may_differ(accepted, results):
    edit(results / "statistics/estimates.csv", "0.30000000000000004", "0.3")
    assert told(accepted, results) == ""
    edit(results / "statistics/estimates.csv", "recommended,all,0.3", "recommended,all,0.300001")
    assert "a, recommended: value" in told(accepted, results)


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ("a,x,0.25", "a,x,0.25001", {"rms", "rms_by_place"}),
        ("a,x,0.25", "a,x,-0.25", {"negative"}),
        ("a,x,0.25", "a,x,", {"filled", "rms", "rms_by_place"}),
        ("b,,", "b,x,", {"filled", "digest"}),
    ],
)
def test_a_changed_cell_of_a_long_table_shows_in_its_summary(accepted, results, old, new, told):
    edit(results / "statistics/individuals.csv", old, new)
    differences = baseline.check_results(accepted, baseline.read_results(results))
    assert {difference.file for difference in differences} == {baseline.SUMMARY}
    assert {difference.column for difference in differences} == told
