"""Estimate every quantity with its error over judges and stimuli."""

import numpy as np

from turingstats.analysis.estimates.sides import count_units, pool_sides, split_sides
from turingstats.core.quantity_names import WHOSE
from turingstats.stats import crossed, intervals, signal_detection
from turingstats.stats.crossed import FEWEST
from turingstats.stats.quantities import QUANTITIES, differentiate_quantity

METHODS = {
    "judges and stimuli": "pooled trials; error over judges and stimuli, t interval",
    "judges": "pooled trials; error over judges, t interval",
    "stimuli": "pooled trials; error over stimuli, for these judges alone, t interval",
    "": f"pooled trials; Wilson only, fewer than {FEWEST} judges, and of stimuli if they are known",
}
ALIKE = "pooled trials; Wilson only, all judges and stimuli alike"
UNDEFINED = "not defined without verdicts on these responses"


def estimate_recommended(cells, with_all_people, config):
    """Estimate every quantity with its error over judges and stimuli.

    Parameters
    ----------
    cells : turingstats.data.counts.Cells
        By judge and stimulus, or by judge where stimuli are not known or no sample.
    with_all_people : array of bool, shape (tables,)
        See `sides`.
    config : dict
        confidence.

    Returns
    -------
    dict of str to dict
        By quantity: value, k, n, n_stimuli, error_over, se, df, se_judges, se_stimuli, se_verdicts, ci_low,
        ci_high, method, and for rates the Wilson interval wilson_low, wilson_high. See
        `turingstats.analysis.estimates.estimate.list_estimate_rows`.
    """
    units = (cells.judges, cells.stimuli)
    counted = [
        None if unit is None else count_units(cells, unit, with_all_people) for unit in units
    ]
    found = {}
    for name, quantity in list_quantities(cells).items():
        of = WHOSE[name]
        counts = select_counts(quantity, cells.right, cells.n, cells.unsure)
        # By table, agent and row.
        sides = split_sides(
            of, *(np.moveaxis(part, 0, -1) for part in counts), with_all_people, cells.choice
        )
        four = [side.sum(axis=-1) for side in sides]
        value = quantity.value(*four)
        enough = [number is not None and number[1][of] >= FEWEST for number in counted]
        error = estimate_error(name, sides, four, units, enough)
        low, high = crossed.compute_crossed_interval(
            value, error, config["confidence"], quantity.share
        )
        over = crossed.describe_units(error)
        method = np.vectorize(METHODS.get, otypes=[str])(over)
        alike = (over != "") & np.isfinite(value) & np.isnan(low)
        found[name] = {
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
    return found


def explain_undefined(name, four):
    """Say why a quantity is not defined, if it is not; `four` as in `estimate_error`."""
    same = signal_detection.find_same_answers(*four) & (four[1] > 0) & (four[3] > 0)
    return np.where(
        same & (name in ("d_prime", "criterion")), signal_detection.SAME_ANSWERS, UNDEFINED
    )


def estimate_error(name, sides, four, units, enough):
    """Estimate the error of a quantity in every table and for every agent.

    Parameters
    ----------
    name : str
        Quantity.
    sides : list of array, shape (tables, agents, rows)
        From `split_sides`, by judge (and stimulus).
    four : list of array, shape (tables, agents)
        Their sums over rows.
    units : (array, array)
        Judges and stimuli of the rows; None for stimuli that are not known.
    enough : (array, array)
        See `turingstats.stats.crossed.estimate_crossed_error`.

    Returns
    -------
    turingstats.stats.crossed.CrossedError
    """
    slopes = differentiate_quantity(name, np.stack(np.broadcast_arrays(*four), axis=-1))
    influence = sum(
        slopes[..., i, None] * np.where(side > 0, side, 0) for i, side in enumerate(sides)
    )
    people, agent = sides[1] > 0, sides[3] > 0
    shown = {"human": people, "agent": agent, "pair": people | agent}[WHOSE[name]]
    by_row = [np.moveaxis(part, -1, 0) for part in (influence, shown)]
    return crossed.estimate_crossed_error(by_row[0], *units, by_row[1], enough)


def list_quantities(cells):
    """List the quantities that are defined for a cohort, by name."""
    unsure = cells.unsure.any()
    return {
        name: quantity
        for name, quantity in QUANTITIES.items()
        if (quantity.of_choices or not cells.choice) and (quantity.counts == "decided" or unsure)
    }


def select_counts(quantity, right, n, unsure):
    """Select a quantity's correct verdicts and trials; see `turingstats.stats.quantities.Quantity`."""
    if quantity.counts == "decided":
        return right, n
    counted = {"every": right, "wrong": n - right, "unsure": unsure}
    return counted[quantity.counts], n + unsure


def summarize_counts(quantity, four, level, choice=False):
    """Summarize the counts behind a quantity, with an interval for independent trials where there is one.

    Parameters
    ----------
    quantity : str
    four : list of array
        From `split_sides`.
    level : float
    choice : bool
        An agent is compared with itself, so its trials count once.

    Returns
    -------
    dict
        n; for rates also k and a Wilson interval, for detectability an interval from two of them, for d'
        and c a normal interval.
    """
    _, n_people, right, n = four
    of = WHOSE[quantity]
    if of != "pair" or choice or quantity == "accuracy":
        k, n = (right, n) if of != "pair" else pool_sides(four, choice)
        k = n - k if quantity in ("p_MH", "p_HM") else k
        low, high = intervals.wilson(k, n, level)
        return {"k": k, "n": n, "wilson_low": low, "wilson_high": high}
    if quantity in ("detectability", "identified"):
        low, high = intervals.compute_mean_proportion_interval(*four, level)
        return {"n": n_people + n, "wilson_low": low, "wilson_high": high}
    if quantity in ("d_prime", "criterion"):
        limits = signal_detection.compute_intervals(*four, level)
        low, high = limits[quantity == "criterion"]
        return {"n": n_people + n, "wilson_low": low, "wilson_high": high}
    return {"n": n_people + n}
