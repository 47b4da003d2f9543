"""A subset of judges, one demographic group: what is left out is left out everywhere."""

import io

import pandas as pd
import pytest
from project import Project

# Conversation has judges with and without answers about themselves.
FEW = ("--configfile", "config/subsets/smoke.yaml")
SMALL = {
    "tasks": ["color"],
    "cohorts": ["amt", "expert", "zeroshot"],
}


@pytest.fixture(scope="module")
def women(tmp_path_factory):
    project = Project(tmp_path_factory.mktemp("women") / "project")
    project.make("statistics", *FEW, config=SMALL | {"judge_group": {"gender": "female"}})
    found = project.results("results/smoke/zhang2025")
    return {name: content for name, content in found.items() if name.endswith(".csv")}


def table(results, name):
    return pd.read_csv(io.BytesIO(results[name]))


def test_a_group_of_judges_is_named_in_every_result(women):
    told = {"observed data, judges of gender female only"}
    for name, content in women.items():
        frame = pd.read_csv(io.BytesIO(content))
        if "data" in frame and len(frame):
            assert set(frame["data"]) == told, name


def test_only_the_group_is_analysed_and_the_others_are_accounted_for(women):
    sizes = table(women, "statistics/sizes.csv")
    sizes = sizes[(sizes["reading"] == "recommended") & (sizes["quantity"] == "n_judges")]
    number = sizes.set_index("size_id")["value"]
    assert number["color.amt.all.n_judges"] == number["color.amt.female.n_judges"] > 0
    assert number["color.zeroshot.all.n_judges"] == 1
    account = table(women, "data/exclusions.csv")
    left_out = account[account["reason"] == "judge outside the chosen group"]
    assert set(left_out["cohort"]) == {"amt", "expert"}
