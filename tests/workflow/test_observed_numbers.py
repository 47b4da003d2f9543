"""The default run, on the observed trials: the published numbers come out of it.

Numbers are those of the paper and of the authors' notebooks (ids COL-..., kept beside the project).
"""

import math
from decimal import Decimal

import pandas as pd
import pytest
from project import TRANSCRIBED

EXPECTED = TRANSCRIBED / "spec/expected-vision-judges.csv"
AGENTS = ("all", "azure", "mccq", "google")


@pytest.fixture(scope="module")
def found(observed):
    """Look up a number: table, reading, id, column."""
    folder = observed.folder / "results/zhang2025/statistics"
    keys = {"estimates": "estimate_id", "tests": "test_id", "sizes": "size_id"}
    tables = {
        name: pd.read_csv(folder / f"{name}.csv").set_index([key, "reading"]).sort_index()
        for name, key in keys.items()
    }
    return lambda table, name, column="value", reading="published": tables[table].loc[
        (name, reading), column
    ]


# --- published numbers -------------------------------------------------------------------------


def test_pooled_rates(found):
    for name, k, n in (("human.p_HH", 381, 691), ("all.p_MM", 445, 725)):
        row = [found("estimates", f"color.amt.all.{name}", column) for column in ("k", "n")]
        assert row == [k, n]


@pytest.mark.parametrize(
    ("test", "reading", "expected"),
    [
        ("amt.p_HH.chance", "published", {"statistic": "-2.1697", "p": "0.0300", "n1": "65"}),
        ("amt.p_HH.chance", "recommended", {"statistic": "2.1520", "p": "0.0314"}),
        ("amt.p_MM.chance.all", "published", {"statistic": "-4.1275", "p": "3.7e-5", "n1": "65"}),
        ("amt.p_MM.chance.all", "recommended", {"statistic": "4.1650", "p": "3.1e-5"}),
        ("amt.p_MM.chance.mccq", "published", {"statistic": "-3.964", "p": "7.4e-5"}),
        ("amt.p_MM.agents", "published", {"statistic": "0.974", "p": "0.614", "n1": "64"}),
        ("amt.p_MM.agents", "recommended", {"statistic": "1.275", "p": "0.529", "n1": "63"}),
        (
            "expertise.detectability.all",
            "published",
            {"statistic": "282", "p": "0.1311", "n1": "65", "n2": "12"},
        ),
    ],
)
def test_tests_of_the_text(found, test, reading, expected):
    for column, printed in expected.items():
        number = found("tests", f"color.{test}", column, reading)
        half = 0.5001 * 10.0 ** Decimal(printed).as_tuple().exponent
        # The sign of a z of the recommended reading follows from its direction.
        number = abs(number) if (reading, column) == ("recommended", "statistic") else number
        assert number == pytest.approx(float(printed), abs=half, rel=0), column


# --- numbers of the notebooks ------------------------------------------------------------------


def notebook():
    """Number of the project for each id: how to compare, table, row, column."""
    rows = {"COL-030": ("exact", "sizes", "color.amt.all.n_trials", "value")}
    bins = ["18-35", "36-45", "46 and over", "female", "male", "school", "bachelor", "postgraduate"]
    for i, name in enumerate(bins):
        rows[f"COL-{59 + i:03d}"] = ("exact", "sizes", f"color.amt.{name}.n_trials", "value")
    rows["COL-215"] = ("exact", "estimates", "color.expert.all.all.detectability", "n")
    # First ids of: trials (people, then machines), detectability, its spread, rates.
    for cohort, trials, mean, spread, rate in (
        ("amt", 31, 36, 40, 44),
        ("expert", 216, 221, 225, 229),
    ):
        people = f"color.{cohort}.all.human.p_HH"
        rows[f"COL-{trials:03d}"] = ("exact", "estimates", people, "n")
        rows[f"COL-{rate:03d}"] = ("rounded", "estimates", people, "value")
        for i, agent in enumerate(AGENTS):
            machine = f"color.{cohort}.all.{agent}"
            rows[f"COL-{trials + 1 + i:03d}"] = ("exact", "estimates", f"{machine}.p_MM", "n")
            rows[f"COL-{rate + 1 + i:03d}"] = ("rounded", "estimates", f"{machine}.p_MM", "value")
            detected = f"{machine}.detectability"
            rows[f"COL-{mean + i:03d}"] = ("exact", "estimates", detected, "value")
            rows[f"COL-{spread + i:03d}"] = ("spread", "estimates", detected, "se")
    return rows


@pytest.mark.skipif(not EXPECTED.exists(), reason=f"{EXPECTED} is not available")
@pytest.mark.parametrize(("number", "place"), notebook().items(), ids=notebook())
def test_numbers_of_the_notebooks(found, number, place):
    printed = pd.read_csv(EXPECTED, index_col="id").loc[number, "value"]
    how, table, name, column = place
    value = found(table, name, column)
    if how == "exact":
        assert value == float(printed)
    elif how == "rounded":
        assert round(value, 2) == float(printed)
    else:
        # Both are standard deviations of n unseeded means, n trials in the smaller set, each with
        # a relative error of 1 / sqrt(2 n): three times that of their difference.
        machine, people = name.replace("detectability", "p_MM"), name.split(".all.")[0]
        n = min(found(table, machine, "n"), found(table, f"{people}.all.human.p_HH", "n"))
        assert value == pytest.approx(float(printed), rel=3 / math.sqrt(n))
