"""Power against models fitted in R by lme4 (make_planning_reference.R)."""

import numpy as np
import pytest
from project import read_reference

from turingstats.stats.intervals import wilson
from turingstats.stats.power import simulation
from turingstats.stats.power.draws import Design, Spreads

REFERENCE = read_reference("planning_reference")


@pytest.mark.parametrize(
    "case", REFERENCE["mixed"], ids=lambda case: f"{case['judges']}x{case['trials']}"
)
def test_power_is_near_that_of_models_fitted_by_lme4(case):
    design = Design(case["judges"], case["trials"], case["stimuli"], (0.5, 0.5, 0.0))
    spreads = Spreads(case["judge"], case["judge_made_by"], case["stimulus"])
    goals = simulation.Goals(0.05, 0.95, 0.1, 0.1)
    rates = (*case["rates"], np.nan)
    rng = np.random.default_rng(11)
    tally = simulation.simulate_design(design, rates, spreads, goals, ("people",), 2000, rng)[
        "people"
    ]
    low, high = wilson(case["rejected"], case["studies"], 0.99)
    # A model uses the verdicts more fully, and its Wald test knows no degrees of freedom.
    assert low - 0.1 <= tally.successes / tally.studies <= high
