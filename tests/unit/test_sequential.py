"""Group-sequential boundaries: printed tables, what they promise, and studies that keep the promise."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turingstats.stats import sequential
from turingstats.stats.sequential import KINDS, design_boundaries


def test_one_look_is_a_single_test():
    for kind in KINDS:
        found = design_boundaries(kind, [1], 0.05, 0.8)
        assert found.z == pytest.approx([1.959964], abs=1e-6)
        assert (found.inflation, found.expected_null) == pytest.approx((1, 1))
        assert found.nominal == pytest.approx([0.05])


@settings(max_examples=20, deadline=None)
@given(
    steps=st.lists(st.floats(0.05, 1), min_size=1, max_size=6),
    kind=st.sampled_from(list(KINDS)),
    alpha=st.sampled_from([0.005, 0.05, 0.1]),
)
def test_the_error_of_all_looks_adds_up_to_the_level(steps, kind, alpha):
    fractions = np.cumsum(steps) / np.sum(steps)
    fractions[-1] = 1
    found = design_boundaries(kind, fractions, alpha, 0.8)
    assert found.spent[-1] == pytest.approx(alpha, rel=1e-6)
    assert found.power[-1] == pytest.approx(0.8, rel=1e-6)
    assert (np.diff(found.spent) > -1e-15).all()
    assert found.inflation >= 1 - 1e-9
    # Looks save data if there is an effect, and cost little if there is none.
    assert found.expected_effect <= found.inflation
    assert found.expected_null <= found.inflation
    allowed = 2 * sequential.spend_alpha(kind, fractions, alpha / 2)
    assert found.spent == pytest.approx(allowed, abs=1e-9)


@pytest.mark.parametrize("fractions", [[], [0.5], [0.5, 0.5, 1], [0, 1], [0.6, 0.4, 1], [0.5, 1.5]])
def test_fractions_must_rise_to_one(fractions):
    with pytest.raises(ValueError, match="fraction"):
        design_boundaries("spending_pocock", fractions, 0.05, 0.8)
