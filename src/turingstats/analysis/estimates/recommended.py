"""Estimate every quantity with its error over judges and stimuli."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from turingstats.analysis.estimates.sides import count_units, pool_sides, split_sides
from turingstats.analysis.settings import AnalysisSettings
from turingstats.core.quantity_names import WHOSE
from turingstats.data.counts import Cells
from turingstats.stats import crossed, intervals, signal_detection
from turingstats.stats.crossed import FEWEST, CrossedError
from turingstats.stats.quantities import QUANTITIES, Quantity, differentiate_quantity

METHODS = {
    "judges and stimuli": "pooled trials; error over judges and stimuli, t interval",
    "judges": "pooled trials; error over judges, t interval",
    "stimuli": "pooled trials; error over stimuli, for these judges alone, t interval",
    "": f"pooled trials; Wilson only, fewer than {FEWEST} judges, and of stimuli if they are known",
}
ALIKE = "pooled trials; Wilson only, all judges and stimuli alike"
UNDEFINED = "not defined without verdicts on these responses"


def estimate_recommended(
    cells: Cells, with_all_people: np.ndarray, config: AnalysisSettings
) -> dict[str, dict[str, Any]]:
    """Estimate every quantity with its error over judges and stimuli.

    The cells are by judge and stimulus, or by judge where stimuli are not known or no sample. Rates also
    have the Wilson interval wilson_low, wilson_high.
    """
    _, tables, agents = cells.n.shape
    units: list[Any] = [(cells.right, cells.n, cells.unsure), None]
    if cells.pairs.stimuli is not None:
        units[1] = cells.pairs.sum_by_stimulus(tables, agents)
    counted = [
        None if unit is None else count_units(unit[1] + unit[2] > 0, with_all_people, cells.choice)
        for unit in units
    ]
    products, crossed_products = cells.pairs.sum_products(tables, agents, with_all_people)
    estimates = {}
    for name, quantity in list_quantities(cells).items():
        of = WHOSE[name]
        # By table, agent and unit.
        sides: list[list[np.ndarray] | None] = []
        for unit in units:
            if unit is None:
                sides.append(None)
                continue
            right, n = (np.moveaxis(part, 0, -1) for part in select_counts(quantity, *unit))
            sides.append(split_sides(of, right, n, with_all_people, cells.choice))
        four = [side.sum(axis=-1) for side in sides[0]]
        value = quantity.value(*four)
        enough = [number is not None and number[1][of] >= FEWEST for number in counted]
        slopes = differentiate_quantity(name, np.stack(np.broadcast_arrays(*four), axis=-1))
        split = split_products(of, products, crossed_products, with_all_people, cells.choice)
        squares = sum_squares(quantity, slopes, split)
        error = estimate_error(of, sides, slopes, squares, enough)
        low, high = crossed.compute_crossed_interval(
            value, error, config["confidence"], quantity.share
        )
        over = crossed.describe_units(error)
        method = np.vectorize(METHODS.get, otypes=[str])(over)
        alike = (over != "") & np.isfinite(value) & np.isnan(low)
        estimates[name] = {
            "value": value,
            "n_stimuli": np.full(value.shape, np.nan)
            if counted[1] is None
            else counted[1][0][of].astype(float),
            "error_over": np.where(alike, "", over),
            "se": np.where(alike, np.nan, error.se),
            "df": np.where(alike, np.nan, error.df),
            "se_judges": np.sqrt(error.judges),
            "se_stimuli": np.sqrt(error.stimuli),
            "se_verdicts": np.where(over == "", np.nan, np.sqrt(error.verdicts)),
            "ci_low": low,
            "ci_high": high,
            "method": np.where(
                np.isnan(value), explain_undefined(name, four), np.where(alike, ALIKE, method)
            ),
        } | summarize_counts(name, four, config["confidence"], cells.choice)
    return estimates


def explain_undefined(name: str, four: list[np.ndarray]) -> np.ndarray:
    """Say why a quantity is not defined, if it is not; `four` as in `estimate_error`."""
    same = signal_detection.find_same_answers(*four) & (four[1] > 0) & (four[3] > 0)
    return np.where(
        same & (name in ("d_prime", "criterion")), signal_detection.SAME_ANSWERS, UNDEFINED
    )


def split_products(
    whose: str,
    own: np.ndarray,
    crossed_products: np.ndarray,
    with_all_people: np.ndarray,
    choice: bool,
) -> list[np.ndarray]:
    """Split products of counts into those that the variance of a quantity over verdicts is made of.

    The products are those of `turingstats.data.pairs.Pairs.sum_products`, shape (tables, agents, 3, 3).
    Returns those of the counts of people's responses, of people's with the agent's, and of the agent's,
    shape (tables, agents - 1, 3, 3).
    """
    people, agents = own[:, :1], own[:, 1:]
    if whose == "human":
        return [people] * 3
    if choice:
        return [agents] * 3
    people = np.where(with_all_people[:, None, None, None], people[:1], people)
    return [people, crossed_products[:, 1:], agents]


def sum_squares(quantity: Quantity, slopes: np.ndarray, products: list[np.ndarray]) -> np.ndarray:
    """Sum the squares of what each pair of judge and stimulus adds to a quantity, shape (tables, agents).

    `slopes`, shape (tables, agents, 4), are the derivatives of the quantity by the four counts of
    `split_sides`.
    """
    # How correct verdicts and trials are made of the counts of `turingstats.data.pairs.COUNTED`.
    made_of = np.stack(select_counts(quantity, *np.eye(3)))
    people, agent = slopes[..., :2] @ made_of, slopes[..., 2:] @ made_of
    of_people, of_both, of_agent = products
    parts = (
        (1, people, of_people, people),
        (2, people, of_both, agent),
        (1, agent, of_agent, agent),
    )
    squares = sum(
        times * np.einsum("...i,...ij,...j", first, product, second)
        for times, first, product, second in parts
    )
    # Rounding may leave less than nothing.
    return np.maximum(squares, 0)


def estimate_error(
    whose: str,
    sides: list[list[np.ndarray] | None],
    slopes: np.ndarray,
    squares: np.ndarray,
    enough: Sequence[bool | np.ndarray],
) -> CrossedError:
    """Estimate the error of a quantity in every table and for every agent.

    `sides` are the counts of `split_sides` by judge and by stimulus (None if stimuli are not known), each
    of shape (tables, agents, units), `slopes` the derivatives of the quantity by these, shape (tables,
    agents, 4).
    """
    influence: list[np.ndarray | None] = []
    numbers: list[np.ndarray | None] = []
    for four in sides:
        if four is None:
            influence.append(None)
            numbers.append(None)
            continue
        moved = sum(slopes[..., i, None] * side for i, side in enumerate(four))
        influence.append(np.moveaxis(moved, -1, 0))
        people, agent = four[1] > 0, four[3] > 0
        shown = {"human": people, "agent": agent, "pair": people | agent}[whose]
        numbers.append(shown.sum(axis=-1))
    return crossed.combine_unit_sums(influence, numbers, squares, enough)


def list_quantities(cells: Cells) -> dict[str, Quantity]:
    """List the quantities that are defined for a cohort, by name."""
    unsure = cells.unsure.any()
    return {
        name: quantity
        for name, quantity in QUANTITIES.items()
        if (quantity.of_choices or not cells.choice) and (quantity.counts == "decided" or unsure)
    }


def select_counts(
    quantity: Quantity, right: np.ndarray, n: np.ndarray, unsure: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Select a quantity's correct verdicts and trials; see `turingstats.stats.quantities.Quantity`."""
    if quantity.counts == "decided":
        return right, n
    counted = {"every": right, "wrong": n - right, "unsure": unsure}
    return counted[quantity.counts], n + unsure


def summarize_counts(
    quantity: str, four: list[np.ndarray], level: float, choice: bool = False
) -> dict[str, Any]:
    """Summarize the counts behind a quantity, with an interval for independent trials where there is one.

    Rates have a Wilson interval, detectability an interval from two of them, d' and c a normal interval.
    For choices an agent is compared with itself, so its trials count once.
    """
    people_right, n_people, right, n = four
    of = WHOSE[quantity]
    if of != "pair" or choice or quantity == "accuracy":
        k, n = (right, n) if of != "pair" else pool_sides(four, choice)
        k = n - k if quantity in ("p_MH", "p_HM") else k
        low, high = intervals.wilson(k, n, level)
        return {"k": k, "n": n, "wilson_low": low, "wilson_high": high}
    if quantity in ("detectability", "identified"):
        low, high = intervals.compute_mean_proportion_interval(
            people_right, n_people, right, n, level
        )
        return {"n": n_people + n, "wilson_low": low, "wilson_high": high}
    if quantity in ("d_prime", "criterion"):
        limits = signal_detection.compute_intervals(people_right, n_people, right, n, level)
        low, high = limits[quantity == "criterion"]
        return {"n": n_people + n, "wilson_low": low, "wilson_high": high}
    return {"n": n_people + n}
