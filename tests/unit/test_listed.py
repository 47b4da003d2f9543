"""Panels of listed rows."""

import pandas as pd
import pytest

from turingstats.config.study.panels import ListedPanel
from turingstats.core import yaml_models
from turingstats.figures.kinds import listed

PANEL = {"kind": "listed", "title": "Codes", "task": "online", "table": "codes"}


def panel(**more):
    return yaml_models.build_model(ListedPanel, PANEL | more, "test")


@pytest.fixture
def results():
    labels = [f"code {i}" for i in range(6)] * 2
    values = [0.1, 0.5, 0.3, 0.9, 0.2, 0.7, 0.4, 0.1, 0.2, 0.3, 0.6, 0.5]
    table = pd.DataFrame({"label": labels, "value": values, "k": range(12)}).assign(
        **{"ci_low": 0.0, "ci_high": 1.0, "reading": "published"},
        category=(["one"] * 3 + ["two"] * 3) * 2,
        subset=["all"] * 6 + ["called_human"] * 6,
        n=[20, 20, 20, 3, 20, 20] * 2,
    )
    return {"codes": table}


def select(shown, results, reading="published"):
    return listed.Listed().select(shown, results, None, reading)


def test_rows_are_picked_ordered_and_cut(results):
    def shown(**more):
        return [row["agent_label"] for row in select(panel(**more), results)]

    everything = {"subset": "all"}
    assert shown(where=everything) == [f"code {i}" for i in range(6)]
    assert shown(where=everything, order="value", top=2) == ["code 3", "code 5"]
    assert shown(where=everything, top=2) == ["code 3", "code 5"]
    assert shown(where=everything, order="value", least=10)[0] == "code 5"
    both = shown(where=everything, order="value", top=2, ends=True)
    assert both == ["code 3", "code 5", "code 4", "code 0"]


def test_printed_counts_keep_their_label_of_data(results):
    printed = {"codes": results["codes"].assign(data="published counts")}
    assert {row["data"] for row in select(panel(), printed)} == {"published counts"}
    assert not any("data" in row for row in select(panel(), results))


def test_a_named_test_is_written_below_the_title_in_the_reading_of_the_figure(results):
    rows = [("published", "linear_regression", "t", -1.5, 0.14, 30)]
    rows += [("recommended", "jonckheere", "z", 2.25, 0.0004, 20)]
    columns = ["reading", "test", "statistic_name", "statistic", "p", "n_judges"]
    results["judge_tests"] = pd.DataFrame(rows, columns=columns).assign(by="age", unit="judge")
    tested = [{"table": "judge_tests", "where": {"by": "age"}, "label": "trend"}]
    own = panel(where={"subset": "all"}, tested=tested)
    last = select(own, results)[-1]
    assert (last["kind"], last["test"], last["n"]) == ("tested", "linear_regression", 30)
    # In a reading that the table has not, there is one row, which is shown.
    table = pd.DataFrame([last | {"kind": "tested"}])
    assert listed.describe_tests(table) == [
        "Trend: linear regression, t = \N{MINUS SIGN}1.50, p = 0.140, 30 judges"
    ]
    recommended = listed.pick_result(own.tested[0], results, "recommended")
    assert (recommended["test"], recommended["p"]) == ("jonckheere", 0.0004)
    absent = own.tested[0].model_copy(update={"where": {"by": "hair"}})
    assert listed.pick_result(absent, results, "published") is None
