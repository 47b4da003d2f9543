"""Numbers that two papers print are found by what they ask for, and compared as printed."""

import pandas as pd
from turingstats import versions

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
    "ids": "color.amt.all.human.p_HH",
    "column": "value",
    "combine": "value",
}
NO_QUERY = dict.fromkeys(("table", "ids", "column", "combine"))


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


def beside(first, second):
    return versions.beside(first, second, ledger(*first["claim_id"]))


def test_the_same_query_is_the_same_number():
    found = beside(
        claims({"claim_id": "a", "value": 0.55}, {"claim_id": "b", "value": 1, "ids": "other"}),
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


def test_without_a_query_the_meaning_must_be_unique():
    one = NO_QUERY | {"claim_id": "a", "value": 3, "decimals": 0}
    assert len(beside(claims(one), claims(one | {"claim_id": "c", "value": 5}))) == 1
    twice = claims(one | {"claim_id": "c"}, one | {"claim_id": "d"})
    assert beside(claims(one), twice).empty
    assert beside(twice, claims(one)).empty


def test_an_inequality_is_no_number():
    bound = claims({"claim_id": "a", "value": 0.5, "relation": "<"})
    assert beside(bound, claims({"claim_id": "c", "value": 0.5})).empty
