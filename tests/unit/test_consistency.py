"""Checks of a paper against itself: every relation can hold and can be broken."""

import pandas as pd
import pytest

from turingstats.claims import claims_file, consistency, relations
from turingstats.core.errors import InputError


def claim(name, value, decimals=2, relation="=", kind="result", quantity="x"):
    row = dict.fromkeys(claims_file.COLUMNS) | {"claim_id": name, "kind": kind}
    return row | {"quantity": quantity, "value": value, "decimals": decimals, "relation": relation}


def number(text, kind="result"):
    """A printed number such as "0.55", "< 0.001" or, exact, "#12"."""
    relation, _, digits = text.rpartition(" ")
    exact = digits.startswith("#")
    digits = digits.lstrip("#")
    decimals = len(digits.partition(".")[2])
    kind = "count" if exact else "result"
    return relations.bound_printed(claim("c", float(digits), decimals, relation or "=", kind))


RELATIONS = [
    # relation, printed numbers, given, whether it holds
    ("z_p", "2.17; 0.03", {}, True),
    ("z_p", "-2.17; < 0.001", {}, False),
    ("z_p", "-1.73; > 0.05", {}, True),
    ("chi2_p", "20.90; 0.001", {"df": 2}, False),
    ("chi2_p", "20.90; 0.001", {"df": 5}, True),
    ("r_p", "-0.088; 0.84", {"n": 8}, True),
    ("r_p", "-0.088; 0.64", {"n": 8}, False),
    ("u_p", "2439.5; 0.01; #293; #11", {}, False),
    ("u_p", "885.5; 0.01; #293; #11", {}, True),
    ("u_p", "10000; 0.5; #10; #10", {}, False),
    ("r_p", "0.188; < 0.05", {"n": 2211, "tests": 528}, True),
    ("r_p", "0.050; < 0.05", {"n": 2211, "tests": 528}, False),
    ("exact_u_p", "1; < 0.005; #6; #6", {}, True),
    ("exact_u_p", "292; < 0.012; #20; #20", {}, False),
    ("exact_u_p", "37; > 0.001; #6; #6", {}, False),
    ("rank_sum", "#3; 0.5; 0.3; 0.2; 0.4", {"first": 2}, True),
    ("rank_sum", "#4; 0.5; 0.3; 0.2; 0.4", {"first": 2}, False),
    # Values that may be equal before rounding count either way, as do pairs with a value not printed.
    ("rank_sum", "#0; 0.5; 0.5", {"first": 1}, True),
    ("rank_sum", "#3; 0.6; 0.4", {"first": 1, "n1": 2, "n2": 2}, True),
    ("rank_sum", "#0; 0.6; 0.4", {"first": 1, "n1": 2, "n2": 2}, False),
    ("direction", "4.88; 0.46", {}, False),
    ("direction", "-4.88; 0.46", {}, True),
    ("same", "#510; #3845", {}, False),
    ("same", "0.75; > 0.75", {}, True),
    ("distinct", "-5.06; -5.06", {}, False),
    ("distinct", "-5.06; -5.07", {}, True),
    ("between", "0.58; 0.61; 0.61", {}, False),
    ("between", "0.58; 0.50; 0.61", {}, True),
    ("beats_chance", "1.00; #3", {}, False),
    ("beats_chance", "1.00; #10", {}, True),
    ("mean_of_choices", "2.5; #10", {"choices": (1, 5, 10, 20)}, False),
    ("mean_of_choices", "2.6; #10", {"choices": (1, 5, 10, 20)}, True),
    ("rate_of_count", "0.17; #12", {}, True),
    ("rate_of_count", "0.17; #5", {}, False),
]


FORMULAS = [
    # formula, printed numbers, whether it holds
    ("a = b + c", "#12; #5; #7", True),
    ("a = b + c", "#13; #5; #7", False),
    ("a = b * c", "#7620; #9; #1000", False),
    ("a = b * (b - 1) / 2", "#528; #33", True),
    ("a <= (2 * b + c + d) / 4", "0.90; 0.94; 0.67; 0.67", False),
    ("a <= (2 * b + c + d) / 4", "0.81; 0.94; 0.67; 0.67", True),
    ("1 - a > b", "0.57; 0.56", False),
    ("1 - a > b", "0.43; 0.56", True),
    ("a < 0.05", "> 0.05", False),
    ("a < 0.05", "< 0.05", True),
    ("abs(a) <= sqrt(b)", "13.03; #170", True),
    ("abs(a) <= sqrt(b)", "-13.03; #160", False),
    ("b <= sqrt(a * (1 - a) / 1000)", "0.008; 0.089", False),
    ("b <= sqrt(a * (1 - a) / 1000)", "0.008; 0.003", True),
    ("a = log(b / (1 - b)) * sqrt(c * b * (1 - b))", "-0.71; 0.497; #855", False),
    ("a = log(b / (1 - b)) * sqrt(c * b * (1 - b))", "-0.17; 0.497; #855", True),
    ("a != log(b / (1 - b))", "-0.452; 0.39", False),
    ("a != log(b / (1 - b))", "-2.09; 0.39", True),
]


@pytest.mark.parametrize(("formula", "numbers", "expected"), FORMULAS)
def test_formulas(formula, numbers, expected):
    holds, arithmetic = relations.check_formula(formula, *map(number, numbers.split("; ")))
    assert holds is expected
    assert arithmetic


@pytest.mark.parametrize(("relation", "numbers", "given", "expected"), RELATIONS)
def test_relations(relation, numbers, given, expected):
    printed = map(number, numbers.split("; "))
    holds, arithmetic = relations.RELATIONS[relation](*printed, **given)
    assert holds is expected and arithmetic


PRINTED = {"p.total": 13, "p.a": 5, "p.b": 7}
PAPER = pd.DataFrame([claim(name, n, 0, kind="count") for name, n in PRINTED.items()])


def checked(folder, **fields):
    row = dict.fromkeys(consistency.COLUMNS) | {"check_id": "sum", "relation": "a = b + c"}
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
