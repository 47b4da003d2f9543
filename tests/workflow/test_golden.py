"""The numbers of the default run (with few draws), and of a generated one, stay what was accepted."""

import pytest
from project import ROOT
from turingstats import baseline

GOLDEN = ROOT / "tests/golden"


@pytest.mark.parametrize(
    ("run", "results"),
    [("observed", "results/zhang2025"), ("generated", "results/generated/zhang2025")],
)
def test_numbers_are_those_accepted(observed, generated, run, results):
    folder = {"observed": observed, "generated": generated}[run].folder / results
    tables = baseline.take(folder, baseline.options(GOLDEN / run)["compact"])
    differences = baseline.check(GOLDEN / run, tables, baseline.settings_of(folder))
    if differences:
        remedy = "If the changes are wanted: look at the figures, then make accept."
        pytest.fail(f"{baseline.report(differences)}\n\n{remedy}", pytrace=False)


def test_golden_tables_are_small():
    assert sum(path.stat().st_size for path in GOLDEN.rglob("*.csv")) < 5_000_000
