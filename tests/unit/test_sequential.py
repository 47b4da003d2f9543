"""Group-sequential boundaries: printed tables, what they promise, and studies that keep the promise."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from turingstats.stats import sequential
from turingstats.stats.sequential import KINDS, design_boundaries

SPENDING = [kind for kind in KINDS if kind.startswith("spending")]


@pytest.mark.parametrize(
    ("kind", "looks", "alpha", "constant"),
    [
        # Jennison & Turnbull 2000, Tables 2.1 (Pocock) and 2.3 (O'Brien & Fleming).
        ("pocock", 2, 0.05, 2.178),
        ("pocock", 3, 0.05, 2.289),
        ("pocock", 5, 0.05, 2.413),
        ("pocock", 10, 0.05, 2.555),
        ("pocock", 4, 0.01, 2.939),
        ("obrien_fleming", 2, 0.05, 1.977),
        ("obrien_fleming", 3, 0.05, 2.004),
        ("obrien_fleming", 5, 0.05, 2.040),
        ("obrien_fleming", 4, 0.01, 2.609),
    ],
)
def test_boundaries_are_those_of_the_printed_tables(kind, looks, alpha, constant):
    z = sequential.find_boundaries(kind, np.arange(1, looks + 1) / looks, alpha)
    assert z[-1] == pytest.approx(constant, abs=6e-4)
    assert z == pytest.approx(
        z[-1] * (np.sqrt(looks / np.arange(1, looks + 1)) if "b" in kind else 1)
    )


@pytest.mark.parametrize(
    ("kind", "looks", "inflation"),
    # Jennison & Turnbull 2000, Tables 2.2 and 2.4: power 0.8, two-sided 0.05.
    [
        ("pocock", 2, 1.110),
        ("pocock", 5, 1.229),
        ("obrien_fleming", 2, 1.008),
        ("obrien_fleming", 5, 1.028),
    ],
)
def test_the_most_judges_are_those_of_the_printed_tables(kind, looks, inflation):
    found = design_boundaries(kind, np.arange(1, looks + 1) / looks, 0.05, 0.8)
    assert found.inflation == pytest.approx(inflation, abs=6e-4)


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
    sides=st.sampled_from([1, 2]),
    alpha=st.sampled_from([0.005, 0.05, 0.1]),
)
def test_the_error_of_all_looks_adds_up_to_the_level(steps, kind, sides, alpha):
    fractions = np.cumsum(steps) / np.sum(steps)
    fractions[-1] = 1
    found = design_boundaries(kind, fractions, alpha, 0.8, sides)
    assert found.spent[-1] == pytest.approx(alpha, rel=1e-6)
    assert found.power[-1] == pytest.approx(0.8, rel=1e-6)
    assert (np.diff(found.spent) > -1e-15).all()
    assert found.inflation >= 1 - 1e-9
    # Looks save data if there is an effect, and cost little if there is none.
    assert found.expected_effect <= found.inflation
    assert found.expected_null <= found.inflation
    if kind in SPENDING:
        allowed = sides * sequential.spend_alpha(kind, fractions, alpha / sides)
        assert found.spent == pytest.approx(allowed, abs=1e-9)


@pytest.mark.parametrize("fractions", [[], [0.5], [0.5, 0.5, 1], [0, 1], [0.6, 0.4, 1], [0.5, 1.5]])
def test_fractions_must_rise_to_one(fractions):
    with pytest.raises(ValueError, match="fraction"):
        design_boundaries("pocock", fractions, 0.05, 0.8)
