"""Estimate every quantity with errors from resampled judges."""

import numpy as np

from turingstats.analysis.estimates.sides import count_units, pool_sides, split_sides
from turingstats.core.quantity_names import WHOSE
from turingstats.stats import crossed, intervals, resampling, signal_detection
from turingstats.stats.quantities import QUANTITIES
from turingstats.stats.resampling import FEWEST

PARTS = ("se", "ci_low", "ci_high")

UNBOUNDED = ("d_prime", "criterion")
"""Quantities that are not shares."""

ALIKE = "pooled trials; Wilson only, resamples are all alike, or half of them without a trial"


def estimate_recommended(cells, with_all_people, name, config):
    """Estimate every quantity with its bootstrap error over judges (and stimuli).

    All tables of a cohort are based on the same resampled judges, so that they can be compared with each
    other; a group of judges has as many members in a resample as were drawn.

    Parameters and return value are as for `turingstats.analysis.estimates.published.estimate_published`,
    plus ci_low, ci_high and, for rates, the Wilson interval wilson_low, wilson_high.
    """
    totals = [part.sum(axis=0) for part in (cells.right, cells.n, cells.unsure)]
    units = {"judges": cells.judges, "stimuli": cells.stimuli}
    units = {kind: unit for kind, unit in units.items() if unit is not None}
    fewest = {kind: count_units(cells, unit, with_all_people)[1] for kind, unit in units.items()}
    enough = {
        of: np.any([fewest[kind][of] >= FEWEST for kind in units], axis=0)
        for of in ("human", "agent", "pair")
    }
    # Units that are too few for every kind of response are not resampled.
    units = {
        kind: unit
        for kind, unit in units.items()
        if any((own >= FEWEST).any() for own in fewest[kind].values())
    }
    both = len(units) > 1
    drawn_tables = enough["human"].any(axis=1) | enough["agent"].any(axis=1)
    resampled = {
        kind: resample_totals(
            cells, unit, drawn_tables, name if kind == "judges" else f"{name} {kind}", config
        )
        for kind, unit in (units | ({"verdicts": None} if both else {})).items()
    }
    sizes = " and ".join(f"{len(np.unique(unit))} {kind}" for kind, unit in units.items())
    methods = (
        f"pooled trials; bootstrap of the cohort's {sizes}, {config['n_bootstrap']} draws, percentile",
        f"pooled trials; Wilson only, fewer than {FEWEST} judges",
    )
    found = {}
    for named, quantity in list_quantities(cells).items():
        four = split_sides(
            WHOSE[named], *select_counts(quantity, *totals), with_all_people, cells.choice
        )
        value = quantity.value(*four)
        kinds = ("", *resampled) if both else ("",)
        errors = {kind: np.full((3, *value.shape), np.nan) for kind in kinds}
        if quantity.complement:
            other = found[quantity.complement]
            for kind, own in errors.items():
                se, low, high = (other[f"{kind}{part}"] for part in PARTS)
                own[:] = se, 1 - high, 1 - low
        elif resampled:
            drawn = {
                kind: quantity.value(
                    *split_sides(
                        WHOSE[named],
                        *select_counts(quantity, *totals_drawn),
                        with_all_people[drawn_tables],
                        cells.choice,
                    )
                )
                for kind, totals_drawn in resampled.items()
            }
            if not both:
                (drawn[""],) = drawn.values()
            else:
                drawn[""] = crossed.combine_draws(value[drawn_tables], *drawn.values())
                if named not in UNBOUNDED:
                    drawn[""] = np.clip(drawn[""], 0, 1)
            for kind, own in errors.items():
                own[:, drawn_tables] = resampling.summarize_draws(drawn[kind], config["confidence"])
                own[:, ~enough[WHOSE[named]]] = np.nan
        found[named] = {"value": value} | {
            f"{kind}{part}": own[i] for kind, own in errors.items() for i, part in enumerate(PARTS)
        }
        methods_used = np.where(enough[WHOSE[named]], *methods)
        none = enough[WHOSE[named]] & np.isfinite(value) & np.isnan(errors[""][0])
        found[named]["method"] = np.broadcast_to(np.where(none, ALIKE, methods_used), value.shape)
        found[named] |= summarize_counts(named, four, config["confidence"], cells.choice)
    return found


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
    return unsure if quantity.counts == "unsure" else right, n + unsure


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


def resample_totals(cells, unit, chosen, name, config):
    """Compute totals of resampled judges, or of other units.

    Parameters
    ----------
    cells : turingstats.data.counts.Cells
    unit : array of str, shape (rows of cells,), or None
        The unit to draw, as the judge or the stimulus of each row; None draws single rows.
    chosen : array of bool, shape (tables,)
    name : str
        Task, cohort and unit; seeds the draws.
    config : dict
        seed, n_bootstrap.

    Returns
    -------
    right, n, unsure : array, shape (chosen tables, agents, n_bootstrap)
        `unsure` is the number 0 if no verdict is unsure.
    """
    generator = resampling.make_generator(config["seed"], f"bootstrap {name}")
    parts = [cells.right, cells.n] + ([cells.unsure] if cells.unsure.any() else [])
    stacked = np.stack([part[:, chosen] for part in parts], axis=1)
    flat, draws = stacked.reshape(len(cells.judges), -1), config["n_bootstrap"]
    if unit is None or cells.stimuli is None:
        totals = resampling.bootstrap_totals(flat, draws, generator).T
    else:
        totals = resampling.bootstrap_unit_totals(flat, unit, draws, generator).T
    totals = totals.reshape(*stacked.shape[1:], config["n_bootstrap"])
    return *totals[:2], totals[2] if len(parts) == 3 else 0
