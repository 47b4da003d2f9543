"""Contrasts of printed counts against R's glm (make_counts_reference.R)."""

import numpy as np
import pytest
from project import read_reference

from turingstats.analysis import published_counts

REFERENCE = read_reference("counts_reference")["cases"]


@pytest.mark.parametrize("case", REFERENCE, ids=lambda case: case["name"])
def test_contrast_is_that_of_glm(case):
    found = published_counts.contrast_log_odds(
        case["k1"], case["n1"], case.get("k2"), case.get("n2"), case.get("against", 0.5)
    )
    expected = [case[name] for name in ("log_odds", "se", "z", "p")]
    np.testing.assert_allclose(found[:4], expected, rtol=1e-7)
