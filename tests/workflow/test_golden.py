"""The numbers of the default run (with few draws) stay what they were when last accepted."""

import pytest
from project import ROOT
from turingstats import baseline

GOLDEN = ROOT / "tests/golden"


def test_numbers_are_those_accepted(demo):
    results = demo.folder / "results/zhang2025"
    tables = baseline.take(results, baseline.options(GOLDEN)["compact"])
    differences = baseline.check(GOLDEN, tables, baseline.settings_of(results))
    if differences:
        remedy = "If the changes are wanted: look at the figures, then make accept."
        pytest.fail(f"{baseline.report(differences)}\n\n{remedy}", pytrace=False)


def test_golden_tables_are_small():
    assert sum(path.stat().st_size for path in GOLDEN.glob("*.csv")) < 4_000_000
