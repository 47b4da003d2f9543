"""Numbers that two papers print are found by what they ask for, and compared as printed."""

import pandas as pd
import pytest

from turingstats.core.errors import InputError
from turingstats.tables import versions

CLAIM = {
    "location": "here",
    "task": "color",
    "judge": "human",
    "cohort": "amt",
    "group": None,
    "quantity": "p_HH",
    "test": None,
    "relation": "=",
    "decimals": 2,
    "table": "estimates",
    "rows": "task=color, cohort=amt",
    "column": "value",
    "combine": "value",
}
NO_QUERY = dict.fromkeys(("table", "rows", "column", "combine"))


def claims(*rows):
    return pd.DataFrame([CLAIM | row for row in rows])


def ledger(*names):
    known = {
        "recomputed": "0.55",
        "recommended": "0.55",
        "status": "reproduced",
        "data": "public data",
    }
    return pd.DataFrame([known | {"claim_id": name} for name in names])


def beside(first, second, **statements):
    listed = pd.DataFrame(statements.items(), columns=["first_claim", "second_claims"])
    return versions.compare_versions(first, second, ledger(*first["claim_id"]), listed)


def test_the_same_query_is_the_same_number():
    found = beside(
        claims(
            {"claim_id": "a", "value": 0.55},
            {"claim_id": "b", "value": 1, "rows": "task=object"},
        ),
        claims({"claim_id": "c", "value": 0.55, "group": "named otherwise"}),
    )
    assert found[["first_claim", "second_claims", "same"]].values.tolist() == [["a", "c", "yes"]]
    assert found["recomputed"].tolist() == ["0.55"]


def test_several_places_of_one_paper():
    second = claims({"claim_id": "c", "value": 0.55}, {"claim_id": "d", "value": 0.6})
    found = beside(claims({"claim_id": "a", "value": 0.55}), second)
    assert found[["second", "same"]].values.tolist() == [["0.55; 0.60", "some"]]


def test_numbers_are_compared_at_the_coarser_precision():
    other = {"claim_id": "c", "value": 0.553, "decimals": 3}
    assert beside(claims({"claim_id": "a", "value": 0.55}), claims(other))["same"].tolist() == [
        "yes"
    ]
    assert beside(claims({"claim_id": "a", "value": 0.56}), claims(other))["same"].tolist() == [
        "no"
    ]


def test_the_same_statement_is_declared():
    first = claims({"claim_id": "a", "value": 0.69}, NO_QUERY | {"claim_id": "b", "value": 1})
    other = {"value": 0.67, "rows": "task=color, cohort=combined"}
    second = claims(
        other | {"claim_id": "c"},
        other | {"claim_id": "d"},
        NO_QUERY | {"claim_id": "e", "value": 2},
    )
    assert beside(first, second).empty
    found = beside(first, second, a="c; d")
    assert found[["second", "same", "matched_by"]].values.tolist() == [["0.67", "no", "statement"]]
    assert beside(first, second, b="e")["first_claim"].tolist() == ["b"]
    with pytest.raises(InputError, match="no such claim"):
        beside(first, second, a="z")


def test_an_inequality_is_no_number():
    bound = claims({"claim_id": "a", "value": 0.5, "relation": "<"})
    assert beside(bound, claims({"claim_id": "c", "value": 0.5})).empty
