"""Numbers that follow from other numbers, and reasons that are tested."""

from decimal import Decimal

import pandas as pd
import pytest
from project import ROOT

from turingstats.claims import derivations
from turingstats.claims.query import ResultTables
from turingstats.core.errors import InputError

TABLES = {
    "sizes": pd.DataFrame({"size_id": ["a.amt.all.n_judges"], "value": [49.0]}),
    "tests": pd.DataFrame({"test_id": ["t"], "reading": ["published"], "p": [0.023]}),
}
PRINTED = pd.DataFrame({"claim_id": ["first", "second"], "value": ["2290", "7620"]})


def derive(kind, expression, status, published="9910", says="{{ printed('first') }} printed"):
    row = {"claim_id": "c", "published": Decimal(published), "relation": "=", "status": status}
    ledger = pd.DataFrame([row | {"why": "needs x.json"}])
    row = {"claim_id": "c", "kind": kind, "expression": expression, "says": says}
    applied = derivations.apply_derivations(
        ledger, pd.DataFrame([row]), ResultTables(TABLES), PRINTED
    )
    return tuple(applied.iloc[0][["status", "why"]])


def test_a_number_without_data_adds_up():
    added = derive("route", "printed('first') + printed('second')", "no data")
    assert added == ("adds up", "2,290 printed; needs x.json")
    other = derive("route", "printed('first') + 1", "no data")
    assert other == ("no data", "needs x.json; other numbers give 2291: 2,290 printed")
    # Rounded as printed.
    assert derive("route", "sizes('a.amt.all.n_judges') / 6", "no data", "8.2")[0] == "adds up"
    assert derive("route", "sizes('a.amt.all.n_judges') / 6", "no data", "8.1")[0] == "no data"
    # What is computed needs no derivation.
    assert derive("route", "9910", "reproduced") == ("reproduced", "needs x.json")


@pytest.mark.parametrize(
    ("condition", "why"),
    [
        ("tests('t', 'p') < 0.05", "p = 0.023; needs x.json"),
        ("prints(p_of_z(2.3))", "p = 0.023; needs x.json"),
        ("prints(p_of_chi2(7.54, 2))", "p = 0.023; needs x.json"),
        (
            "tests('t', 'p') > 0.05",
            "the reason given before no longer holds: tests('t', 'p') > 0.05; needs x.json",
        ),
        ("tests('gone', 'p') > 0", "tests('gone', 'p') > 0 has no number here: no tests gone"),
        ("nothing('t') > 0", "nothing('t') > 0 has no number here: 'nothing' is undefined"),
    ],
)
def test_a_reason_holds_or_is_not_given(condition, why):
    says = "p = {{ tests('t', 'p') }}"
    status, told = derive("reason", condition, "differs", "0.02", says)
    assert (status, told.removeprefix("needs x.json; ")) == ("differs", why)


def test_files_are_checked(tmp_path):
    path = tmp_path / "derivations.csv"
    header, row = "claim_id,kind,expression,says", "c,route,1,one"
    for lines, problem in (
        ([row.replace("c,", "d,")], "no such claim"),
        ([row, row], "two derivations"),
        (["c,cause,1,one"], "kind"),
        (["c,route,,one"], "needs an expression"),
    ):
        path.write_text("\n".join([header, *lines]))
        with pytest.raises(InputError, match=problem):
            derivations.read_derivations(path, pd.Series(["c"]))
    assert derivations.read_derivations(tmp_path / "none.csv", pd.Series(["c"])).empty


@pytest.mark.parametrize(
    "path", sorted(ROOT.glob("data/published/*/derivations.csv")), ids=lambda p: p.parent.name
)
def test_derivations_rest_on_accepted_numbers(path):
    """Every reason and route of the project holds with the accepted results."""
    claims = pd.read_csv(path.with_name("claims.csv"), dtype=str)
    notebooks = pd.read_csv(path.with_name("notebooks.csv"), dtype=str)
    declared = derivations.read_derivations(path, claims["claim_id"])
    folder = ROOT / "tests/golden/observed/statistics"
    tables = {file.stem: pd.read_csv(file) for file in folder.glob("*.csv")}
    status = declared["kind"].map(derivations.APPLIES_TO)
    ledger = claims.set_index("claim_id").loc[declared["claim_id"]].reset_index()
    decimals = ledger["decimals"].astype(int)
    ledger["published"] = [
        Decimal(value).quantize(Decimal(1).scaleb(-places))
        for value, places in zip(ledger["value"], decimals, strict=True)
    ]
    ledger = ledger.assign(status=status.to_numpy(), why="")
    printed = pd.concat([claims, notebooks])
    applied = derivations.apply_derivations(ledger, declared, ResultTables(tables), printed)
    failed = applied[applied["why"].str.contains("no longer holds|is undefined")]
    assert not len(failed), failed[["claim_id", "why"]].to_numpy().tolist()
    # Accepted estimates are those of all conditions together.
    assert applied["why"].str.contains("no number here: no estimates").sum() < 10
