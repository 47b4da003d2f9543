"""Power of planned studies: the simulated tests are those of the pipeline."""

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from judged_studies import arrange_cells, assess_contrast, judge_equivalence

from turingstats.stats import crossed, equivalence
from turingstats.stats.power import draws, simulation, tests
from turingstats.stats.power.draws import Design, Spreads

SPREADS = Spreads(0.6, 0.3, 0.4, 0.2)
RATES = (0.55, 0.42, 0.48)
SHARES = (0.5, 0.25, 0.25)
GOALS = simulation.Goals(alpha=0.05, level=0.95, margin=0.1, width=0.1, d_prime_width=0.2)
DESIGNS = {
    "crossed": Design(12, 15, 20, SHARES),
    "own stimuli": Design(12, 15, None, SHARES),
    "losses": Design(14, 15, 20, SHARES, unsure=0.1),
    "few stimuli": Design(30, 6, 8, SHARES),
    "uneven": Design(11, 13, 40, (0.3, 0.3, 0.2)),
}


def draw(design, rates, spreads, studies, rng):
    (verdicts,) = draws.draw_verdicts(design, [rates], spreads, studies, rng)
    return verdicts


def list_verdicts(verdicts, study):
    shape = verdicts.human.shape
    human, given = (
        np.broadcast_to(part, shape)[:, study].astype(bool)
        for part in (verdicts.human, verdicts.given)
    )
    units = {name: getattr(verdicts, name) for name in ("judge", "stimulus", "side")}
    units["human"] = human
    return pd.DataFrame(units)[given]


@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
@pytest.mark.parametrize("contrast", tests.CONTRASTS)
def test_simulated_tests_are_those_of_the_pipeline(design, contrast):
    rng = np.random.default_rng(3)
    verdicts = draw(design, RATES, SPREADS, 2, rng)
    found = tests.estimate_contrast(*tests.tabulate_units(verdicts), contrast)
    p = crossed.compute_p(*found)
    for study in range(2):
        expected = assess_contrast(arrange_cells(list_verdicts(verdicts, study)), contrast)
        assert found.value[study] == pytest.approx(expected.effect, abs=1e-6)
        assert p[study] == pytest.approx(expected.p, rel=1e-4)
    few = draw(design._replace(judges=4), RATES, SPREADS, 2, rng)
    found = tests.estimate_contrast(*tests.tabulate_units(few), contrast)
    assert np.isnan(found.error.se).all()


@pytest.mark.parametrize("design", DESIGNS.values(), ids=DESIGNS)
def test_simulated_equivalence_and_intervals_are_those_of_the_pipeline(design):
    rng = np.random.default_rng(4)
    verdicts = draw(design, RATES, SPREADS, 2, rng)
    tables = tests.tabulate_units(verdicts)
    pair, single = (tests.estimate_contrast(*tables, name) for name in ("people", "chance"))
    widths = tests.compute_widths(pair, 0.95)
    # Detectability is half of the difference from people, whose variances are averaged.
    for name, found, scale in (("people", pair, 2), ("chance", single, 1)):
        variance, floor, width = simulation.average_errors(simulation.QUESTIONS[name], found, GOALS)
        assert variance == pytest.approx(np.mean((scale * found.error.se) ** 2))
        of_stimuli = np.mean(found.error.stimuli - found.error.verdicts)
        assert floor == pytest.approx(max(scale**2 * of_stimuli, 0))
        assert width == pytest.approx(widths.mean() if name == "people" else np.nan, nan_ok=True)
    for study in range(2):
        judged = judge_equivalence(arrange_cells(list_verdicts(verdicts, study)))
        for name, found, scale in (("people", pair, 2), ("chance", single, 1)):
            value, se = scale * found.value[study], scale * found.error.se[study]
            p, row = equivalence.tost(value, se, 0.1, found.error.df[study]), judged[name]
            assert abs(value) == pytest.approx(abs(row["difference"]), abs=1e-6)
            assert p == pytest.approx(row["p_equivalence"], rel=1e-4)
            for alpha in (0.999 * p, 1.001 * p) if name == "people" else ():
                asked = simulation.QUESTIONS["same_as_people"], pair, GOALS._replace(alpha=alpha)
                assert simulation.decide(*asked)[study] == (p < alpha)
        assert widths[study] == pytest.approx(judged["width"], rel=1e-4)


def test_ratings_are_spread_as_asked_for_and_tested_as_their_means_are():
    rates, design = ((0.9, 0.7, 0.4), (0.7, 0.4, 0.2), np.nan), Design(200, 40, 300, (0.5, 0.5, 0))
    verdicts = draw(design, rates, SPREADS, 40, np.random.default_rng(5))
    for side, above in enumerate(rates[:2]):
        own = verdicts.human[verdicts.side == side]
        assert [np.mean(own > k / 3 - 0.1) for k in (1, 2, 3)] == pytest.approx(above, abs=0.012)
    design = Design(12, 15, 20, (0.5, 0.5, 0))
    verdicts = draw(design, rates, SPREADS, 3, np.random.default_rng(5))
    found = tests.estimate_contrast(*tests.tabulate_units(verdicts), "people")
    for study, p in enumerate(crossed.compute_p(*found)):
        machine = verdicts.side == 1
        weight = np.where(machine, 1 / machine.sum(), -1 / (~machine).sum())
        ratings = verdicts.human[:, study].astype(float)
        means = np.where(machine, ratings[machine].mean(), ratings[~machine].mean())
        sides = np.column_stack([~machine, machine]).astype(float)
        influence = (weight * (ratings - means))[:, None] * sides
        error = crossed.estimate_crossed_error(influence, verdicts.judge, verdicts.stimulus, sides)
        assert p == pytest.approx(crossed.compute_p(weight @ ratings, error), rel=1e-4)


def test_spreads_that_are_estimates_are_drawn_for_each_study():
    rng, errors = np.random.default_rng(7), Spreads(0.2, 0.0, 0.1, 0.3)
    drawn = draws.draw_spreads(SPREADS, errors, 20_000, rng)
    assert np.mean(drawn.judge) == pytest.approx(0.6, abs=0.01)
    assert np.std(drawn.judge) == pytest.approx(0.2, abs=0.01)
    assert (drawn.judge_made_by == 0.3).all() and min(drawn.stimulus_made_by) >= 0
    totals = drawn.total[:5]
    exact = [draws.find_constant(0.7, float(total)) for total in totals]
    assert draws.find_constants(0.7, drawn.total)[:5] == pytest.approx(exact, abs=1e-6)
    # Uncertain differences between judges cost power, and shares remain as asked for.
    design, goals = Design(12, 15, 60, (0.5, 0.5, 0.0)), GOALS
    rates = (0.6, 0.4, np.nan)
    given = (design, rates, Spreads(0.5, 0.5), goals, ("people",), 2000, rng)
    plain, averaged = (
        simulation.simulate_design(*given, Spreads(0, error))["people"] for error in (0.0, 0.5)
    )
    assert averaged.variance > 1.1 * plain.variance and averaged.successes < plain.successes


def test_judges_differ_as_asked_for():
    design = Design(400, 100, None, (0.5, 0.5, 0.0))
    spreads = Spreads(judge=0.8, judge_made_by=0.5)
    verdicts = draw(design, (0.5, 0.5, np.nan), spreads, 5, np.random.default_rng(6))
    counts = draws.count_units(verdicts, verdicts.judge)
    # Variances on the logit scale, of judges' means and of their differences between the sides.
    people, agent = (
        np.log((counts.human[:, s] + 0.5) / (50.5 - counts.human[:, s])) for s in (0, 1)
    )
    within = 2 / (50 * 0.22)
    assert np.var(people + agent) / 4 == pytest.approx(0.8**2 + 0.5**2 / 2 + within / 4, rel=0.15)
    assert np.var(people - agent) == pytest.approx(2 * 0.5**2 + within, rel=0.15)


@settings(max_examples=30, deadline=None)
@given(*[st.integers(1, 30)] * 2, st.floats(0.1, 0.6), st.floats(0.05, 0.4), st.floats(0, 0.2))
def test_every_run_of_trials_has_the_sides_asked_for(judges, trials, people, agent, other):
    if people + agent + other > 1:
        people, agent, other = (share / 1.5 for share in (people, agent, other))
    sides = draws.assign_sides(Design(judges, trials, None, (people, agent, other)))
    assert sides.shape == (judges, trials)
    total = np.bincount(sides.ravel(), minlength=4)
    assert np.abs(total[:3] - judges * trials * np.array([people, agent, other])).max() <= 2
    for own in sides:
        counted = np.bincount(own, minlength=4)[:2]
        assert np.abs(counted - trials * np.array([people, agent])).max() <= 2


def test_needed_variance_is_the_one_with_the_power():
    # The variance that each question needs is that of a normal estimate with just this power.
    for name, question in simulation.QUESTIONS.items():
        se = simulation.find_needed_variance(question, 0.12, GOALS, 0.8) ** 0.5
        z = np.random.default_rng(9).standard_normal(200_000) * se
        if question.goal == "difference":
            share = (np.abs(z + 0.12) / se > 1.959964).mean()
        elif question.goal == "equivalence":
            share = (np.abs(z) + 1.644854 * se < 0.1).mean()
        else:
            # Detectability has half the error of the difference of the shares.
            assert 2 * 1.959964 * se / 2 == pytest.approx(0.1), name
            continue
        assert share == pytest.approx(0.8, abs=0.005), name
