"""The numbers of the default run (with few draws), and of a generated one, stay what was accepted.

Those of the other studies: test_studies.py.
"""

from project import GOLDEN, fail_unless_accepted


def test_numbers_of_the_observed_trials_are_those_accepted(observed):
    fail_unless_accepted(observed, "results/zhang2025", "observed")


def test_numbers_of_generated_data_are_those_accepted(generated):
    fail_unless_accepted(generated, "results/generated/zhang2025", "generated")


def test_golden_tables_are_small():
    assert sum(path.stat().st_size for path in GOLDEN.rglob("*.csv")) < 7_000_000
