"""Tests of quantities with errors over judges and stimuli.

A test over judges asks whether other judges of the same stimuli would differ from chance, or between groups.
If every judge sees the same few stimuli, the answer may hold for these stimuli alone. The tests here treat
judges, stimuli, or both as samples (`turingstats.stats.crossed`): the first two correspond to F1 and F2 of
psycholinguistics, the third to min F' (Clark 1973, Journal of Verbal Learning and Verbal Behavior 12,
335-359).
Every recommended test over judges has all three next to it, as far as stimuli are known.
"""

import itertools
from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from scipy.linalg import block_diag
from scipy.special import chdtrc

from turingstats.analysis.comparisons.registry import (
    Compared,
    Outcomes,
    Question,
    compare_agents,
    declare_test,
)
from turingstats.analysis.estimates.sides import measure_cells
from turingstats.core.names import VS, join_names, split_level
from turingstats.core.quantity_names import CALLED_HUMAN, resolve_quantity
from turingstats.data.counts import CohortCounts
from turingstats.stats import clustered, crossed
from turingstats.stats.clustered import SMALLEST, UnitSums
from turingstats.stats.crossed import MIN_UNITS, Contrast
from turingstats.stats.hypothesis import ranks
from turingstats.stats.hypothesis.outcome import NAN, Outcome, make_undefined_outcome

BOTH = "judges and stimuli"
SAMPLES = {BOTH: (True, True), "judges": (True, False), "stimuli": (False, True)}
"""What an error may be over: whether judges, and whether stimuli, are taken for a sample."""
UNITS = {BOTH: "judge and stimulus", "judges": "judge", "stimuli": "stimulus"}


@dataclass(frozen=True)
class Element:
    """A quantity of one agent in one group of judges, and what verdicts add to it."""

    value: float
    # Who has verdicts, or what was judged, how much they move the quantity, and their trials by side;
    # `stimuli` is None if they are not known.
    judges: tuple[np.ndarray, UnitSums]
    stimuli: tuple[np.ndarray, UnitSums] | None
    # Products of how much each pair of judge and stimulus moves it on two sides, summed.
    squares: np.ndarray
    # Variance if all verdicts were independent.
    independent: float
    # Number of judges, and of stimuli, on the side (people's or the agent's responses) that has fewer.
    fewest: dict[str, int]
    # Whether a judge was also judged, as in games of three parties.
    has_both_roles: bool


@declare_test(unit="judge and stimulus", needs="groups", takes_rows=True)
def crossed_t(question: Question) -> Outcomes:
    """Compare a quantity with a value, or between groups, with errors over judges and stimuli.

    Student's t for one difference, F for several. Errors are over judges alone where stimuli are not known,
    and over stimuli alone where there are fewer than five judges.
    """
    against, quantity = question.comparison.against, question.comparison.quantity
    for compared, by_name in list_compared_elements(question):
        elements, dropped = [*by_name.values()], ""
        if against is None:
            elements, dropped = drop_small_elements(by_name)
        outcome = compare_elements(elements, against, question.level, quantity)
        dropped = "; ".join(filter(None, [dropped, outcome.dropped]))
        yield compared, replace(outcome, dropped=dropped)


def list_compared_elements(question: Question) -> Iterator[tuple[Compared, dict[str, Element]]]:
    """List what a test compares: the quantity in each group, for each agent, or by agent in one group.

    Yields elements by the name of the group or agent: one if the quantity is compared with a value.
    """
    comparison, quantity = question.comparison, question.comparison.quantity
    if not question.samples:
        return
    if comparison.rows:
        known = question.source.study.agents
        yield (
            Compared(question.label),
            {
                row: build_element(question, row, CALLED_HUMAN, split_level(row, known)[0])
                for row in comparison.rows
            },
        )
    elif comparison.against is not None:
        for group in question.iterate_groups():
            element = build_element(question, group.name, quantity, group.agent)
            yield group.compared, {group.name: element}
    elif len(question.samples) > 1:
        for compared, agent in question.iterate_agents():
            yield (
                compared,
                {name: build_element(question, name, quantity, agent) for name in question.samples},
            )
    else:
        (name,) = question.samples
        elements = {a: build_element(question, name, quantity, a) for a in question.agents}
        if question.procedure.test == "friedman_pairs":
            for pair in itertools.combinations(elements, 2):
                yield compare_agents(*pair), {agent: elements[agent] for agent in pair}
        else:
            yield Compared(join_names(elements, VS)), elements


def build_element(question: Question, name: str, quantity: str, agent: str) -> Element:
    """Build the element of one agent in a group of judges, without people who are left out of its sample."""
    cells, table = question.source.find_cells(question.comparison, name)
    chosen = np.isin(cells.list_units(), question.samples[name].list_units())
    return measure_element(cells, table, chosen, quantity, agent)


def measure_element(
    cohort: CohortCounts, table: int, chosen: np.ndarray, quantity: str, agent: str
) -> Element:
    """Measure a quantity of one agent in a table of a cohort; `chosen` masks the judges who are included."""
    quantity, same = resolve_quantity(quantity, agent), cohort.choice or agent == "human"
    of_sides = [cohort.find_rows(table, name) for name in ((agent,) if same else ("human", agent))]
    of_sides = [rows[chosen[cohort.judge[rows]]] for rows in of_sides]
    place = np.repeat(np.arange(len(of_sides)), [len(rows) for rows in of_sides])
    sides = np.array([[0, len(of_sides) - 1]])
    cells = measure_cells(cohort, np.concatenate(of_sides), place, 2, sides, [quantity])
    names = [cohort.list_units(), cohort.stimuli]
    has_both = cohort.both_roles is not None and len(cohort.both_roles[0]) > 0
    if has_both:
        # Who is judged has the same name as in the role of a judge.
        names[1] = cohort.stimuli.astype(object)
        names[1][cohort.both_roles[1]] = names[0][cohort.both_roles[0]]
    by_unit: list[tuple[np.ndarray, UnitSums] | None] = []
    # A quantity without verdicts has sides without trials.
    used = cells.moved[0].trials[0].any(axis=0)
    used = used | ~used.any()
    for name, units, moved in zip(names, cells.units, cells.moved, strict=False):
        if moved is None:
            by_unit.append(None)
            continue
        seen = moved.trials[0].any(axis=1)
        sums = UnitSums(*(part[0][seen][:, used] for part in moved))
        by_unit.append((name[units[seen]], sums))
    judges, stimuli = by_unit
    return Element(
        value=float(cells.value[0]),
        judges=judges,
        stimuli=stimuli,
        squares=cells.squares[0][np.ix_(used, used)],
        independent=compute_independent_variance(cells.four[0], cells.slopes[0], same),
        fewest={
            kind: min(len(np.unique(unit[0][side])) for side in unit[1].trials.T > 0)
            for kind, unit in (("judges", judges), ("stimuli", stimuli))
            if unit is not None
        },
        has_both_roles=has_both,
    )


def compute_independent_variance(four: np.ndarray, slopes: np.ndarray, same: bool) -> float:
    """Compute the variance for independent verdicts; `same`: both sides are the same verdicts."""
    by_side = slopes.reshape(2, 2)
    sides = (
        [(four[2:], by_side.sum(axis=0))] if same else zip(four.reshape(2, 2), by_side, strict=True)
    )
    return float(sum(k * (a + b) ** 2 + (n - k) * b**2 for (k, n), (a, b) in sides))


def compare_elements(
    elements: list[Element], against: float | None, level: float, quantity: str
) -> Outcome:
    """Test whether an element differs from a value, or whether elements differ."""
    several = "F" if len(elements) > 2 else "t"
    effect = f"difference of {quantity}" if against is None else f"{quantity} less {against:g}"
    tests = assess_elements(elements, against)
    sizes = [len(np.unique(element.judges[0])) for element in elements]
    used = choose_sample(tests)
    if used is None and against is not None and sizes[0] >= MIN_UNITS:
        # All judges and stimuli are alike, such as if all verdicts are right: there is no error, and every
        # judge departs from the value by as much.
        everyone = np.full(sizes[0], elements[0].value)
        outcome = ranks.wilcoxon(everyone, against, True, level, exact_p=True)
        method = f"all judges and stimuli alike, so ranks over judges: {outcome.method}"
        return replace(outcome, method=method, unit="judge")
    if used is None:
        reason = f"fewer than {MIN_UNITS} judges, and of stimuli if they are known, or all alike"
        return make_undefined_outcome(f"not computed: {reason}", several, effect, sum(sizes))
    test, (values, _) = tests[used], contrast_elements(elements, against)
    difference, reach = NAN, NAN
    if len(values) == 1:
        difference = float(values[0])
        reach = test.compute_reach(level)
    method = f"{quantity} of all verdicts, errors over {used} (two-way clustered, Satterthwaite)"
    n1, n2 = sizes if len(sizes) == 2 else (sum(sizes), NAN)
    limits = difference, difference - reach, difference + reach
    return make_undefined_outcome("", several, effect, n1, n2, method).report(
        test.statistic, test.p, limits, format_freedom(test), sizes, unit=UNITS[used]
    )


def format_freedom(test: Contrast) -> str:
    """Format the degrees of freedom of a test."""
    return ", ".join(f"{number:.6g}" for number in test.df)


def drop_small_elements(elements: dict[str, Element]) -> tuple[list[Element], str]:
    """Drop groups of too few judges, or without such verdicts, of several that are compared, and say why."""
    kept = {
        name: element
        for name, element in elements.items()
        if np.isfinite(element.value) and element.fewest["judges"] >= MIN_UNITS
    }
    dropped = ", ".join(name for name in elements if name not in kept)
    note = f"fewer than {MIN_UNITS} judges, left out: {dropped}" if dropped else ""
    return [*kept.values()], note


def contrast_elements(
    elements: list[Element], against: float | None
) -> tuple[np.ndarray, np.ndarray]:
    """Contrast an element with a value, or each other element with the first.

    Returns the values, and the weights of the elements in each contrast, shape (contrasts, elements).
    """
    values = np.array([element.value for element in elements])
    if against is not None:
        return values - against, np.eye(len(values))
    weights = np.eye(len(values))[1:] - np.eye(len(values))[:1]
    # The difference of two groups is that of the first to the second, as in other tests.
    weights = -weights if len(values) == 2 else weights
    return weights @ values, weights


def assess_elements(
    elements: list[Element], against: float | None = None, over: Collection[str] = tuple(SAMPLES)
) -> dict[str, Contrast]:
    """Test the same contrasts with errors over judges and stimuli, over judges, and over stimuli.

    Results are by name of `SAMPLES`; not tested where not asked for by `over`, where stimuli are not known,
    and where judges or stimuli are too few.
    """
    tests = dict.fromkeys(SAMPLES, crossed.NOT_TESTED)
    if len(elements) < (2 if against is None else 1):
        return tests
    values, weights = contrast_elements(elements, against)
    with_stimuli = all(element.stimuli is not None for element in elements)
    units = [("judges", [element.judges for element in elements])]
    units += [("stimuli", [element.stimuli for element in elements])] if with_stimuli else []
    sums, moves = {}, {}
    for kind, measured in units:
        influence = [
            part.influence.sum(axis=1)[:, None] * weights[:, i]
            for i, (_, part) in enumerate(measured)
        ]
        moves[kind] = np.concatenate([names for names, _ in measured]), np.concatenate(influence)
        sums[kind] = clustered.align_units(measured)
    verdicts = block_diag(*(element.squares for element in elements))
    of_sides = np.repeat(weights, [len(element.squares) for element in elements], axis=1)
    shared = 0.0
    if any(element.has_both_roles for element in elements):
        shared = crossed.relate_both_roles(*moves.values())
    # As for intervals, units are a sample if there are enough on either side.
    enough = {
        unit: with_stimuli and min(element.fewest[unit] for element in elements) >= MIN_UNITS
        for unit, with_stimuli in (("judges", True), ("stimuli", with_stimuli))
    }
    for kind, (by_judge, by_stimulus) in SAMPLES.items():
        if kind in over and enough["judges"] >= by_judge and enough["stimuli"] >= by_stimulus:
            chosen = [("judges", by_judge), ("stimuli", by_stimulus)]
            samples = [sums[unit] for unit, is_sample in chosen if is_sample]
            tests[kind] = crossed.assess_contrasts(values, samples, verdicts, of_sides, shared)
    return tests


def assess_independent(elements: list[Element], against: float | None) -> float:
    """Compute p of the same contrasts if all verdicts were independent (Wald); nan without an error."""
    if len(elements) < (2 if against is None else 1):
        return NAN
    values, weights = contrast_elements(elements, against)
    variance = (weights * [element.independent for element in elements]) @ weights.T
    if not (np.isfinite(variance).all() and np.linalg.eigvalsh(variance).min() > SMALLEST**2):
        return NAN
    return float(chdtrc(len(values), values @ np.linalg.solve(variance, values)))


def choose_sample(tests: dict[str, Contrast]) -> str | None:
    """Choose the widest sample that a test was possible for, of those of `assess_elements`; None if none."""
    return next((kind for kind in SAMPLES if np.isfinite(tests[kind].p)), None)


def list_companions(question: Question) -> dict[str, dict[str, Any]]:
    """List p with other errors next to each outcome of a test, by its id."""
    return {
        identity: {
            "crossed_statistic": tests[BOTH].statistic,
            "crossed_df": format_freedom(tests[BOTH]),
            "p_independent": assess_independent(elements, question.comparison.against),
            "p_judges": tests["judges"].p,
            "p_stimuli": tests["stimuli"].p,
            "p_crossed": tests[BOTH].p,
        }
        for identity, elements, tests in assess_compared(question)
    }


def assess_compared(
    question: Question, over: Collection[str] = tuple(SAMPLES)
) -> Iterator[tuple[str, list[Element], dict[str, Contrast]]]:
    """Test what a test compares as `assess_elements` does; yields its id, the elements and the results."""
    against = question.comparison.against
    for compared, by_name in list_compared_elements(question):
        elements = [*by_name.values()] if against is not None else drop_small_elements(by_name)[0]
        yield question.make_id(compared), elements, assess_elements(elements, against, over)
