"""Checks of a paper against itself: every relation can hold and can be broken."""

from functools import partial

import pandas as pd
import pytest
from project import read_rows

from turingstats.claims import claims_file, consistency, relations
from turingstats.core.errors import InputError


def claim(name, value, decimals=2, relation="=", kind="result", quantity="x"):
    row = dict.fromkeys(claims_file.CLAIM_COLUMNS) | {"claim_id": name, "kind": kind}
    return row | {"quantity": quantity, "value": value, "decimals": decimals, "relation": relation}


def number(text, kind="result"):
    """A printed number such as "0.55", "< 0.001" or, exact, "#12"."""
    relation, _, digits = text.rpartition(" ")
    exact = digits.startswith("#")
    digits = digits.lstrip("#")
    decimals = len(digits.partition(".")[2])
    kind = "count" if exact else "result"
    return relations.bound_printed(claim("c", float(digits), decimals, relation or "=", kind))


@pytest.mark.parametrize(("relation", "numbers", "given", "holds"), read_rows("unit/relations.csv"))
def test_a_relation_can_hold_and_can_be_broken(relation, numbers, given, holds):
    """Values that may be equal before rounding count either way, as do pairs with a value not printed."""
    check = relations.RELATIONS.get(relation, partial(relations.check_formula, relation))
    printed = map(number, numbers.split("; "))
    found, arithmetic = check(*printed, **consistency.parse_given(given))
    assert found is (holds == "yes") and arithmetic


PRINTED = {"p.total": 13, "p.a": 5, "p.b": 7}
PAPER = pd.DataFrame([claim(name, n, 0, kind="count") for name, n in PRINTED.items()])


def test_a_printed_number_counts_as_printed_and_not_as_it_may_have_been():
    assert float(number("0.30")) == 0.3


def checked(folder, **fields):
    row = dict.fromkeys(consistency.CHECK_COLUMNS) | {"check_id": "sum", "relation": "a = b + c"}
    row |= {"claims": "p.total; p.a; p.b", "concerns": "p.total", "if_broken": "contradiction"}
    path = folder / "consistency.csv"
    pd.DataFrame([row | fields]).to_csv(path, index=False)
    checks = consistency.read_checks(path)
    return consistency.check_consistency(checks, "made", PAPER, "public data", path)


def test_a_wrong_sum_of_a_made_up_paper_is_caught(tmp_path):
    table = checked(tmp_path)
    row = table.iloc[0]
    assert row["result"] == "contradiction"
    assert row["arithmetic"] == "5 + 7 = 12; printed: 13"
    told = {"p.total": "the paper contradicts itself: 5 + 7 = 12; printed: 13"}
    assert consistency.list_contradictions(table) == told
    table = checked(tmp_path, if_broken="doubtful")
    assert table["result"].tolist() == ["doubtful"]
    assert consistency.list_contradictions(table) == {}
    table = checked(tmp_path, relation=None, claims=None, not_checkable="words")
    assert table[["result", "arithmetic"]].iloc[0].tolist() == ["not checkable", "words"]


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"claims": "p.total; p.c"}, "no such claim"),
        ({"concerns": "p.c"}, "no such claim"),
        ({"relation": "sum"}, "neither a relation nor a formula"),
        ({"if_broken": "bad"}, "allowed: contradiction, doubtful"),
        ({"relation": None}, "a check needs this"),
        ({"relation": "chi2_p", "claims": "p.a; p.b"}, "cannot be computed"),
        ({"relation": "z_p", "given": "n=x"}, "cannot be computed"),
        ({"relation": "a = b + d"}, "cannot be computed"),
    ],
)
def test_faults_of_a_declaration_are_named(tmp_path, fields, told):
    with pytest.raises(InputError, match=told) as error:
        checked(tmp_path, **fields)
    assert "2 (sum)" in str(error.value) and "fix:" in str(error.value)


def test_columns_of_a_file_are_checked(tmp_path):
    path = tmp_path / "consistency.csv"
    pd.DataFrame({"check_id": ["a"]}).to_csv(path, index=False)
    with pytest.raises(InputError, match="required column is missing"):
        consistency.read_checks(path)
    assert consistency.read_checks(tmp_path / "none.csv").empty
