"""Errors corrected for unequal numbers of verdicts against clubSandwich (make_clustered_reference.R)."""

import numpy as np
import pytest
from project import read_reference

from turingstats.stats.clustered import correct_sums, count_freedom
from turingstats.stats.crossed import sum_by_unit

CASES = read_reference("clustered_reference")["cases"]


@pytest.mark.parametrize("case", CASES)
def test_errors_and_degrees_of_freedom_are_those_of_clubsandwich(case):
    y, weights = np.array(case["y"]), np.atleast_1d(case["weights"])
    sides = np.eye(len(weights))[np.array(case["group"]) - 1]
    n, related = sides.sum(axis=0), np.array(case["related"])
    rates = y @ sides / n
    assert weights @ rates == pytest.approx(case["estimate"])
    influence, share = (
        sum_by_unit(part, case["judge"]) for part in (sides * (y[:, None] - rates) / n, sides / n)
    )
    corrected = np.sqrt(correct_sums(share, n, related)[0]) * influence
    assert np.square(corrected @ weights).sum() == pytest.approx(case["se"] ** 2)
    # The working model of clubSandwich has the same variance in all groups.
    variances = 1 / n + related * ((share**2).sum(axis=0) - 1 / n)
    df = count_freedom(share, n, related, variances, np.outer(weights, weights))
    assert df == pytest.approx(case["df"])
