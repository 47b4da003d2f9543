"""Contrasts of printed counts against R's glm (make_counts_reference.R) and against statsmodels."""

import numpy as np
import pytest
from project import read_reference

from turingstats.analysis import published_counts
from turingstats.stats.mixed.fit import fit_model

REFERENCE = read_reference("counts_reference")["cases"]


@pytest.mark.parametrize("case", REFERENCE, ids=lambda case: case["name"])
def test_contrast_is_that_of_glm(case):
    found = published_counts.contrast_log_odds(
        case["k1"], case["n1"], case.get("k2"), case.get("n2"), case.get("against", 0.5)
    )
    expected = [case[name] for name in ("log_odds", "se", "z", "p")]
    np.testing.assert_allclose(found[:4], expected, rtol=1e-7)


def test_contrast_is_that_of_the_models_of_trials():
    import pandas as pd

    table = pd.DataFrame(
        {"agent": ["dragon", "human"], "called_human": [425, 523], "called_machine": [430, 270]}
    )
    fitted = fit_model(table, "cbind(called_human, called_machine) ~ agent")
    z = fitted.estimate[1] / np.sqrt(fitted.covariance[1, 1])
    assert z == pytest.approx(published_counts.contrast_log_odds(523, 793, 425, 855).z, abs=1e-6)
