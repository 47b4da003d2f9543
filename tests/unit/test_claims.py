"""The ledger: precision, relations, contradictions, and what cannot be had."""

import pandas as pd
import pytest
from turingstats import claims, config
from turingstats.errors import InputError

MISSING = pd.DataFrame(columns=["task", "cohort", "path", "would_supply", "why"])


def claim(value, relation="=", decimals=2, **fields):
    row = {
        "claim_id": "c1",
        "location": "line 1",
        "task": "color",
        "quantity": "p_HH",
        "value": value,
        "relation": relation,
        "decimals": decimals,
        "table": "estimates",
        "ids": "a.b",
        "column": "value",
        "combine": "value",
        "tolerance": None,
        "z_with": None,
        "missing": None,
        "remark": None,
    }
    return row | fields


def results(published, recommended=None, **fields):
    readings = {"published": published, "recommended": recommended or published}
    estimates = pd.DataFrame(
        [
            {"estimate_id": "a.b", "reading": reading, "value": value, "k": None, "n": 10}
            | {"ci_low": 0.4, "ci_high": 0.6}
            | fields
            for reading, value in readings.items()
        ]
    )
    tests = pd.DataFrame(columns=["test_id", "reading", "statistic", "statistic_name", "p"])
    sizes = pd.DataFrame(columns=["size_id", "reading", "value"])
    return {"estimates": estimates, "tests": tests, "sizes": sizes}


def verdict(row, found, missing=MISSING, data="public data"):
    return claims.check(pd.DataFrame([row]), "paper", found, missing, [], data).iloc[0]


@pytest.mark.parametrize(
    ("printed", "found", "status"),
    [
        (0.55, 381 / 691, "reproduced"),
        (0.55, 0.5449, "differs"),
        (0.55, 0.545, "reproduced"),
        (0.54, 0.545, "reproduced"),
        (0.55, 0.5551, "differs"),
    ],
)
def test_equality_is_judged_at_the_printed_precision(printed, found, status):
    assert verdict(claim(printed), results(found))["status"] == status


@pytest.mark.parametrize(
    ("relation", "found", "status"),
    [("<", 0.0009, "reproduced"), ("<", 0.001, "differs"), (">", 0.0011, "reproduced")],
)
def test_relations_are_strict(relation, found, status):
    assert verdict(claim(0.001, relation, 3), results(found))["status"] == status


def test_reading_names_where_a_claim_holds():
    row = verdict(claim(0.55), results(0.55, 0.56))
    assert (row["status"], row["reading"], row["recommended"]) == (
        "reproduced",
        "published",
        "0.56",
    )


def test_counts_are_shown_as_fractions():
    row = verdict(claim(0.55), results(381 / 691, k=381, n=691))
    assert row["recomputed_exact"] == "381/691"


def test_a_z_that_excludes_its_p_is_impossible():
    z = claim(-2.17, claim_id="z", quantity="z", z_with="p")
    p = claim(0.001, "<", 3, claim_id="p", quantity="p", z_with="z", column="k")
    ledger = claims.check(
        pd.DataFrame([z, p]), "paper", results(-3.96, k=7.4e-5), MISSING, [], "public data"
    ).set_index("claim_id")
    assert ledger.loc["z", "status"] == "impossible"
    assert "z = -2.17 means p = 0.030, printed is p < 0.001" in ledger.loc["z", "why"]
    assert ledger.loc["p", "status"] == "reproduced"


def test_a_z_that_fits_its_p_merely_differs():
    z = claim(-2.17, claim_id="z", quantity="z", z_with="p")
    p = claim(0.03, claim_id="p", quantity="p", z_with="z")
    ledger = claims.check(pd.DataFrame([z, p]), "paper", results(-3.96), MISSING, [], "public data")
    assert ledger["status"].tolist() == ["differs", "differs"]


def test_tolerance_for_unseeded_numbers():
    assert verdict(claim(0.55, tolerance=0.02), results(0.565))["status"] == "close"


def test_missing_file_is_named():
    lacking = pd.DataFrame(
        [{"task": "a", "cohort": "b", "path": "raw/b.json", "why": "not in this source"}]
    )
    row = verdict(claim(0.5, ids="a.b.c"), results(0.5), lacking)
    assert row["status"] == "no data"
    assert "raw/b.json" in row["why"]


def test_not_in_this_run():
    row = verdict(claim(0.5, ids="other.cohort"), results(0.5))
    assert (row["status"], row["why"]) == ("not computed", "not in this run")


def test_generated_data_show_parameter_recovery():
    row = verdict(claim(0.45), results(0.5), data="generated data")
    assert row["status"] == "close"
    assert "parameter recovered" in row["why"]
    assert verdict(claim(0.7), results(0.5), data="generated data")["status"] == "differs"


def test_unknown_table_is_an_error():
    with pytest.raises(InputError, match="unknown table"):
        verdict(claim(0.5, table="guesses"), results(0.5))


@pytest.mark.parametrize(
    ("combine", "ids", "expected"),
    [
        ("sum", "t.x; t.y", 5),
        ("min", "t.x; t.y", 2),
        ("max", "t.x; t.y", 3),
        ("difference", "t.x; t.y", -1),
        ("ratio", "t.x / t.y", 2 / 3),
        ("minus_abs", "t.x", -2),
    ],
)
def test_combinations(combine, ids, expected):
    table = pd.DataFrame({"size_id": ["t.x", "t.y"], "value": [2.0, 3.0]})
    both = pd.concat([table.assign(reading=r) for r in ("published", "recommended")])
    found = results(0.5) | {"sizes": both}
    row = verdict(claim(expected, table="sizes", ids=ids, combine=combine, decimals=3), found)
    if combine != "ratio":
        assert row["status"] == "reproduced"
    assert float(row["recomputed"]) == pytest.approx(expected, abs=5e-4)


def test_missing_file_of_a_test_is_found_by_its_cohorts():
    comparison = config.Comparison(
        id="color.layers", task="color", cohorts=("svm_full",), quantity="p_HH"
    )
    lacking = pd.DataFrame(
        [{"task": "color", "cohort": "svm_full", "path": "raw.json", "why": "not in this source"}]
    )
    row = claim(0.01, "<", table="tests", ids="color.layers.all", column="p")
    frame = pd.DataFrame([row])
    ledger = claims.check(frame, "paper", results(0.5), lacking, [comparison], "public data")
    assert ledger["status"].tolist() == ["no data"]
    assert "raw.json" in ledger["why"].iloc[0]
