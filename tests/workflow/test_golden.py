"""The numbers of the default run (with few draws) stay what was accepted.

Those of the other studies: test_studies.py; of zhang2025 on generated data: `make check`.
"""

from project import GOLDEN, fail_unless_accepted


def test_numbers_of_the_observed_trials_are_those_accepted(observed):
    fail_unless_accepted(observed, "results/zhang2025", "observed")


def test_golden_tables_are_small():
    assert sum(path.stat().st_size for path in GOLDEN.rglob("*.csv")) < 7_000_000
