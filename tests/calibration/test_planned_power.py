"""Planned power against studies drawn and tested one by one: minutes, run with `make test-slow`."""

import numpy as np
import pytest
from judged_studies import arrange_cells, assess_contrast, judge_equivalence, simulate_study
from scipy import stats

from turingstats.stats.mixed.cumulative import arrange_effect, fit_cumulative_model
from turingstats.stats.power import draws, simulation
from turingstats.stats.power.draws import Design, Spreads

pytestmark = pytest.mark.slow
STUDIES, FEWER = 1500, 800
FITS = 300
GOALS = simulation.Goals(alpha=0.05, level=0.95, margin=0.1, width=0.1)
SHARES = (0.5, 0.25, 0.25)
# Design, shares judged human, spreads: like Object detection, like Word association, and few stimuli.
CASES = {
    "object": (Design(40, 16, 200, SHARES), (0.53, 0.36, 0.5), Spreads(0.83, 0.68, 0.26, 0.0)),
    "word": (Design(40, 24, 60, SHARES), (0.6, 0.52, 0.45), Spreads(0.78, 0.0, 0.0, 0.31)),
    "few stimuli": (Design(60, 12, 15, SHARES), (0.55, 0.4, 0.5), Spreads(0.5, 0.3, 0.5, 0.3)),
}


def plan(design, rates, spreads, asked):
    """Planned power, by question."""
    found = simulation.simulate_design(
        design, rates, spreads, GOALS, asked, 10_000, np.random.default_rng(1)
    )
    return {name: tally.successes / tally.studies for name, tally in found.items()}


def draw_studies(design, rates, spreads, number=STUDIES):
    """Draw studies, one by one, arranged as the pipeline does."""
    rng = np.random.default_rng(2)
    return [arrange_cells(simulate_study(design, rates, spreads, rng)) for _ in range(number)]


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_planned_power_is_within_three_points_of_the_pipelines(case):
    design, rates, spreads = case
    planned = plan(*case, ("people", "chance", "agents", "same_as_people"))
    studies = draw_studies(*case)
    for contrast in ("people", "chance", "agents"):
        shown = np.mean([assess_contrast(study, contrast).p < 0.05 for study in studies])
        assert shown == pytest.approx(planned[contrast], abs=0.03), contrast
    equal = draw_studies(design, (rates[0], rates[0], rates[2]), spreads, FEWER)
    judged = [judge_equivalence(study)["people"]["p_equivalence"] < 0.05 for study in equal]
    assert np.mean(judged) == pytest.approx(planned["same_as_people"], abs=0.03)


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_true_null_hypotheses_are_rejected_as_often_as_planned(case):
    design, rates, spreads = case
    people = rates[0]
    for contrast, null in (
        ("people", (people, people, rates[2])),
        ("chance", (people, 0.5, rates[2])),
        ("agents", (people, people, people)),
    ):
        planned = plan(design, null, spreads, (contrast,))[contrast]
        studies = draw_studies(design, null, spreads)
        shown = np.mean([assess_contrast(study, contrast).p < 0.05 for study in studies])
        assert shown == pytest.approx(planned, abs=0.02), contrast
        # Three standard errors of 1,500 studies.
        assert shown <= 0.05 + 3 * 0.0056, contrast


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
def test_equivalence_is_seldom_shown_at_the_margin(case):
    design, rates, spreads = case
    at_margin = (rates[0], rates[0] - GOALS.margin, rates[2])
    studies = draw_studies(design, at_margin, spreads, FEWER)
    judged = [judge_equivalence(study)["people"]["p_equivalence"] < 0.05 for study in studies]
    assert np.mean(judged) <= 0.05 + 3 * 0.0077


def test_ordinal_models_of_ratings_find_as_much_as_planned():
    design, spreads = Design(20, 20, 40, (0.5, 0.5, 0.0)), Spreads(0.6, 0.3, 0.4)
    rates = ((0.85, 0.55, 0.25), (0.75, 0.42, 0.15), np.nan)
    planned = plan(design, rates, spreads, ("people",))["people"]
    rng, found = np.random.default_rng(4), []
    for _ in range(FITS):
        (study,) = draws.draw_verdicts(design, [rates], spreads, 1, rng)
        machine = study.side.astype(float)[:, None]
        names = ("(Intercept)", "machine")
        effects = [
            arrange_effect("judge", study.judge, names, machine - 0.5),
            arrange_effect("stimulus", study.stimulus),
        ]
        fitted = fit_cumulative_model(study.human[:, 0], machine, effects)
        # As in ordinal_models.csv: df are judges less the groups compared.
        t = fitted.coefficients[0] / (fitted.se[0] * np.sqrt(20 / 18))
        found.append(abs(t) > stats.t.ppf(0.975, 18))
    error = 3 * np.sqrt(planned * (1 - planned) / FITS)
    assert np.mean(found) == pytest.approx(planned, abs=error)
