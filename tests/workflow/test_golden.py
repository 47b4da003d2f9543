"""The numbers of the default run (with fewer draws) stay what they were when last looked at."""

import sys

import pandas as pd
import pytest
from project import ROOT

GOLDEN = ROOT / "tests/golden"
NAMES = sorted(path.name for path in GOLDEN.glob("*.csv"))
REMEDY = (
    "If the change is wanted: look at the figures of a run (`snakemake figures`), then renew the "
    "golden tables with `python tests/golden/renew.py` and say in the commit why they changed."
)

sys.path.append(str(GOLDEN))
from renew import select  # noqa: E402


@pytest.fixture(scope="module")
def tables(demo):
    """Tables of the default run that have a golden counterpart."""
    return select(demo.results())


def test_every_table_has_a_golden_one(tables):
    assert sorted(tables) == NAMES, REMEDY


@pytest.mark.parametrize("name", NAMES)
def test_numbers_are_those_of_the_golden_table(tables, name):
    golden = pd.read_csv(GOLDEN / name)
    try:
        pd.testing.assert_frame_equal(
            tables[name], golden, check_dtype=False, rtol=1e-12, atol=1e-15, obj=name
        )
    except AssertionError as difference:
        pytest.fail(f"{difference}\n\n{REMEDY}", pytrace=False)


def test_golden_tables_are_small():
    assert sum((GOLDEN / name).stat().st_size for name in NAMES) < 1_500_000
