"""Panels of listed rows, and claims that printed counts answer."""

import pandas as pd
import pytest

from turingstats.claims import claims_file
from turingstats.claims.ledger import Recomputed, check_claims
from turingstats.config.study.panels import ListedPanel
from turingstats.core import yaml_models
from turingstats.core.errors import ConfigError
from turingstats.figures import grid, source_data
from turingstats.figures.kinds import listed

PANEL = {"kind": "listed", "title": "Codes", "task": "online", "table": "codes"}


def panel(**more):
    return yaml_models.build_model(ListedPanel, PANEL | more, "test")


@pytest.fixture
def results():
    names = [f"code {i}" for i in range(6)]
    table = pd.DataFrame(
        {
            "label": names * 2,
            "category": ["one"] * 3 + ["two"] * 3 + ["one"] * 3 + ["two"] * 3,
            "subset": ["all"] * 6 + ["called_human"] * 6,
            "value": [0.1, 0.5, 0.3, 0.9, 0.2, 0.7, 0.4, 0.1, 0.2, 0.3, 0.6, 0.5],
            "k": range(12),
            "n": [20, 20, 20, 3, 20, 20] * 2,
            "ci_low": 0.0,
            "ci_high": 1.0,
            "reading": "published",
        }
    )
    return {"codes": table}


def names(rows):
    return [row["agent_label"] for row in rows]


def test_rows_are_picked_ordered_and_cut(results):
    def shown(**more):
        return names(listed.Listed().select(panel(**more), results, None, "published"))

    everything = {"subset": "all"}
    assert shown(where=everything) == [f"code {i}" for i in range(6)]
    assert shown(where=everything, order="value", top=2) == ["code 3", "code 5"]
    assert shown(where=everything, top=2) == ["code 3", "code 5"]
    assert shown(where=everything, order="value", least=10)[0] == "code 5"
    both = shown(where=everything, order="value", top=2, ends=True)
    assert both == ["code 3", "code 5", "code 4", "code 0"]


def test_series_stand_together_and_counts_can_be_shown(results):
    own = panel(where={"subset": ["called_human", "all"]}, series="subset", count="k", top=1)
    rows = listed.Listed().select(own, results, None, "published")
    assert [(row["group"], row["n"]) for row in rows] == [("called_human", 9), ("all", 3)]


def test_the_other_reading_is_not_shown(results):
    assert listed.Listed().select(panel(), results, None, "recommended") == []


def test_listed_needs_a_table():
    with pytest.raises(ConfigError, match="table: this key is required"):
        yaml_models.build_model(
            ListedPanel, {k: PANEL[k] for k in ("kind", "title", "task")}, "test"
        )


def test_a_figure_of_listed_rows_says_what_is_generated(results):
    rows = listed.Listed().select(panel(where={"subset": "all"}), results, None, "published")
    place = {"figure": "fig", "kind": "listed", "title": "Codes", "task_label": "Test"}
    place |= {"level": 0.95, "reading": "published", "data": "generated data"}
    table = pd.DataFrame([place | {"panel": "A"} | row for row in rows])
    printed = pd.DataFrame([place | {"panel": "B"} | row for row in rows])
    printed["data"] = "published counts"
    both = pd.concat([table, printed]).reindex(columns=source_data.COLUMNS)
    text = " ".join(
        t.get_text() for axes in grid.Grid(both, ["AB"]).draw().axes for t in axes.texts
    )
    assert "Generated data in panel A: these numbers" in text
    assert "A: generated data; B: published counts." in " ".join(text.split())


def test_claims_answered_by_printed_counts_say_so():
    claim = dict.fromkeys(claims_file.COLUMNS, "") | {
        "claim_id": "a",
        "task": "online",
        "kind": "result",
        "value": 6.63,
        "relation": "=",
        "decimals": 2,
        "table": "contrasts",
        "rows": "contrast_id=published_counts.x",
        "column": "z",
        "combine": "value",
        "tolerance": float("nan"),
    }
    table = pd.DataFrame([claim, claim | {"claim_id": "b", "rows": "contrast_id=judgments.x"}])
    contrasts = pd.DataFrame(
        {
            "contrast_id": ["published_counts.x", "judgments.x"],
            "z": [6.634, 4.0],
            "data": ["published counts", "generated data"],
        }
    )
    missing = pd.DataFrame(columns=["task", "cohort", "path", "why"])
    ledger = check_claims(
        table, "p", Recomputed({"contrasts": contrasts}, missing, [], "generated data")
    )
    assert ledger["data"].tolist() == ["published counts", "generated data"]
    assert ledger["status"].tolist() == ["reproduced", "not recovered"]


def test_a_rate_made_into_a_count_is_not_reproduced_by_that_count():
    """9 of 43 is the count nearest to a printed 0.21: that 9/43 prints as 0.21 says nothing for it."""
    rate = dict.fromkeys(claims_file.COLUMNS, "") | {
        **{"task": "online", "kind": "result", "value": 0.21, "relation": "=", "decimals": 2},
        **{
            "table": "success_rates",
            "column": "value",
            "combine": "value",
            "tolerance": float("nan"),
        },
    }
    ids = ["online.all.ai21", "judgments.online.all.ai21"]
    table = pd.DataFrame([rate | {"claim_id": name, "rows": f"count_id={name}"} for name in ids])
    rates = pd.DataFrame({"count_id": ids, "value": [9 / 43, 0.209]})
    rates["data"] = ["published counts", "public data"]
    missing = pd.DataFrame(columns=["task", "cohort", "path", "why"])
    impossible = rates.assign(value=10 / 43)
    for counted, statuses in (
        (rates, ["taken over", "reproduced"]),
        (impossible, ["differs", "differs"]),
    ):
        made = Recomputed({"success_rates": counted}, missing, [], "public data")
        assert check_claims(table, "p", made)["status"].tolist() == statuses


def test_a_named_test_is_written_below_the_title_in_the_reading_of_the_figure(results):
    results["judge_tests"] = pd.DataFrame(
        {
            "by": ["age", "age"],
            "reading": ["published", "recommended"],
            "test": ["linear_regression", "jonckheere"],
            "statistic_name": ["t", "z"],
            "statistic": [-1.5, 2.25],
            "p": [0.14, 0.0004],
            "unit": "judge",
            "n_judges": [30, 20],
        }
    )
    tested = [{"table": "judge_tests", "where": {"by": "age"}, "label": "trend"}]
    own = panel(where={"subset": "all"}, tested=tested)
    last = listed.Listed().select(own, results, None, "published")[-1]
    assert (last["kind"], last["test"], last["n"]) == ("tested", "linear_regression", 30)
    # In a reading that the table has not, there is one row, which is shown.
    table = pd.DataFrame([last | {"kind": "tested"}])
    assert listed.describe_tests(table, 100) == [
        "Trend: linear regression, t = \N{MINUS SIGN}1.50, p = 0.140, 30 judges"
    ]
    recommended = listed.pick_result(own.tested[0], results, "recommended")
    assert (recommended["test"], recommended["p"]) == ("jonckheere", 0.0004)
    absent = own.tested[0].model_copy(update={"where": {"by": "hair"}})
    assert listed.pick_result(absent, results, "published") is None
