"""Rates, detectability and their errors, for every cohort, group of judges and agent.

A confusion matrix is four of these rates: P(H|H) and P(M|H) of people's responses, P(H|M) and P(M|M)
of an agent's. Detectability is (P(H|H) + P(M|M)) / 2.

Two readings. The published one rounds rates to two decimals before detectability is formed, gives a
rate the standard error over trials, and detectability the spread of half-samples. The recommended one
rounds nothing and resamples judges, because the trials of one judge are not independent; Wilson
intervals, which take them as independent, stand beside it for comparison. Where a few stimuli are judged
by many, a task may declare that stimuli are resampled as well (`resample` of the study file).

A judge may be `unsure`. Rates are shares of the verdicts that took a side, as signal detection has
it; the unsure share of all verdicts is a quantity of its own, p_UH or p_UM; and `identified` is
detectability with `unsure` counted as not identified. Where any verdict is unsure, the recommended
reading has them all.
"""

import numpy as np
import pandas as pd

from turingstats.core.quantity_names import WHOSE
from turingstats.data import counts as counting
from turingstats.data.schema import BY_UNIT, ESTIMATES
from turingstats.stats import intervals, resampling, signal_detection
from turingstats.stats.quantities import QUANTITIES, rate
from turingstats.stats.resampling import FEWEST

PARTS = ("se", "ci_low", "ci_high")
UNBOUNDED = ("d_prime", "criterion")
"""Quantities that are no shares."""
ALIKE = "pooled trials; Wilson only, resamples are all alike, or half of them without a trial"


def estimate(counts, groups, study, config):
    """Estimate every cell of every confusion matrix, in both readings.

    Parameters and returns as the first table of `estimate_with_units`.
    """
    return estimate_with_units(counts, groups, study, config)[0]


def estimate_with_units(counts, groups, study, config):
    """Estimate every cell of every confusion matrix, and set errors of single units beside each other.

    Parameters
    ----------
    counts : pandas.DataFrame
        Columns of `turingstats.data.schema.COUNTS`.
    groups : pandas.DataFrame
        From `turingstats.data.counts.groups_of`.
    study : Study
    config : dict
        seed, n_bootstrap, confidence.

    Returns
    -------
    estimates : pandas.DataFrame
        Columns of `turingstats.data.schema.ESTIMATES` but `data`.
    by_unit : pandas.DataFrame
        Columns of `turingstats.data.schema.BY_UNIT` but `data`: of tasks that resample judges and stimuli,
        the errors when only one of them is resampled, or single verdicts.
    """

    rows = []
    by_reading = dict(iter(groups.groupby("reading")))
    # Judges trained on different agents have people's responses of their own, and a group of judges
    # their own verdicts.
    of_judges = {"trained_on", *groups["group_by"].unique()}
    for (task, cohort, reading), own in counts.groupby(["task", "cohort", "reading"], sort=False):
        described = study.tasks[task].cohorts[cohort]
        present = set(own["agent"].unique())
        agents = [a for a in described.agents if a in present]
        choice = study.tasks[task].choice
        members = by_reading.get(reading, groups[:0])
        crossed = "stimuli" in study.tasks[task].resample
        cells = counting.cells(own, members, agents, choice, crossed)
        if reading == "published" and described.published_judges is not None:
            cells = first_judges(cells, described.published_judges)
        pooled = study.tasks[task].pooled_humans
        pooled = {name for name in pooled if not of_judges & set(name.split("+"))}
        # Tables whose agents are set against people's responses at all levels, not only at their own.
        with_all_people = np.array([group_by in pooled for group_by, _ in cells.tables])
        if reading == "published" and study.tasks[task].published_mean_over == "stimuli":
            found = means_over_stimuli(cells)
        else:
            make = published if reading == "published" else recommended
            found = make(cells, with_all_people, f"{task}.{cohort}", config)
        place = {
            "study": study.study,
            "task": task,
            "cohort": cohort,
            "judge_kind": described.judge_kind,
            "reading": reading,
        }
        of_cohort = [
            place | row for row in listed(found, cells, with_all_people, f"{task}.{cohort}")
        ]
        if reading == "published" and described.published_mean_of:
            mean_of_levels(of_cohort, described.published_mean_of)
        rows += of_cohort
    table = pd.DataFrame(rows)
    return table.reindex(columns=[c for c in ESTIMATES if c != "data"]), errors_by_unit(table)


def errors_by_unit(table):
    """Errors of each unit that was resampled, where there were several, as a table of their own."""

    parts = []
    for unit in ("judges", "stimuli", "verdicts"):
        names = {f"{unit}{part}": part for part in PARTS}
        if f"verdicts{PARTS[0]}" in table:
            own = table.rename(columns=names).assign(resampled=unit)[table["verdictsse"].notna()]
            parts.append(own.loc[:, ~own.columns.duplicated(keep="last")])
    columns = [c for c in BY_UNIT if c != "data"]
    if not parts:
        return pd.DataFrame(columns=columns)
    whole = pd.concat(parts, ignore_index=True)
    ids = whole["estimate_id"] + "." + whole["resampled"]
    return whole.assign(interval_id=ids)[columns]


def first_judges(cells, number):
    """Take all but the first judges out of all counts."""
    early = (np.unique(cells.judges, return_inverse=True)[1] < number)[:, None, None]
    kept = {name: getattr(cells, name) * early for name in ("n", "right", "unsure")}
    return cells._replace(**kept)


def present(cells, units):
    """Which units (judges, or stimuli) have a trial, in each table and of each agent.

    Parameters
    ----------
    cells : turingstats.data.counts.Cells
    units : array of str, shape (judges,)
        The judge or the stimulus of each row of `cells`.

    Returns
    -------
    array of bool, shape (different units, tables, agents)
    """
    order = np.argsort(units, kind="stable")
    _, first = np.unique(units[order], return_index=True)
    return np.logical_or.reduceat((cells.n + cells.unsure > 0)[order], first, axis=0)


def behind(cells, units, with_all_people):
    """Number of different units (judges, or stimuli) behind quantities of people, of agents and of pairs.

    Parameters
    ----------
    cells, units
        See `present`.
    with_all_people : array of bool, shape (tables,)
        See `sides`.

    Returns
    -------
    number : dict of str to array of int
        "human", shape (tables, 1); "agent" and "pair", shape (tables, agents - 1). A pair's units have a
        trial on either side.
    fewest : dict of str to array of int
        The same, but of a pair the units of the side that has fewer.
    """
    judged = present(cells, units)
    people, agents = judged[:, :, :1], judged[:, :, 1:]
    opposite = np.where(with_all_people[:, None], people[:, :1], people)
    if cells.choice:
        opposite = agents
    number = {"human": people, "agent": agents, "pair": opposite | agents}
    number = {of: units.sum(axis=0) for of, units in number.items()}
    fewer = np.minimum(opposite.sum(axis=0), number["agent"])
    return number, number | {"pair": fewer}


def quantities_of(cells):
    """Quantities that are defined for a cohort, by name."""
    unsure = cells.unsure.any()
    return {
        name: quantity
        for name, quantity in QUANTITIES.items()
        if (quantity.of_choices or not cells.choice) and (quantity.counts == "decided" or unsure)
    }


def counts_for(quantity, right, n, unsure):
    """What a quantity takes for right verdicts and trials; see `turingstats.stats.quantities.Quantity`."""
    if quantity.counts == "decided":
        return right, n
    return unsure if quantity.counts == "unsure" else right, n + unsure


def sides(whose, right, n, with_all_people, choice):
    """The four counts that a quantity is a function of.

    Parameters
    ----------
    whose : {"human", "agent", "pair"}
        On whose responses the quantity says something.
    right, n : array, shape (tables, agents, ...)
        Totals over judges; agents are human, all and each AI agent.
    with_all_people : array of bool, shape (tables,)
        Where agents are set against people's responses of the first table, which holds all trials.
    choice : bool
        An agent is set against itself.

    Returns
    -------
    list of array
        Right verdicts and trials on people's responses, shape (tables, 1, ...); right verdicts and trials
        on each agent's, shape (tables, agents - 1, ...), or on people's again for a quantity of people.
    """
    own = [right[:, :1], n[:, :1]]
    if whose == "human":
        return own + own
    if choice:
        return [right[:, 1:], n[:, 1:], right[:, 1:], n[:, 1:]]
    shape = (-1,) + (1,) * (right.ndim - 1)
    people = [np.where(with_all_people.reshape(shape), part[:1], part) for part in own]
    return [*people, right[:, 1:], n[:, 1:]]


def listed(found, cells, with_all_people, name):
    """Rows of estimates, table by table: people's rates, each agent's, then those of pairs.

    Parameters
    ----------
    found : dict of str to dict
        By quantity: arrays of shape (tables, 1) or (tables, agents - 1), or one text for all.
    cells : turingstats.data.counts.Cells
    with_all_people : array of bool, shape (tables,)
        See `sides`.
    name : str
        Task and cohort.

    Yields
    ------
    dict
        Columns of `turingstats.data.schema.ESTIMATES`, but those that are the same for the whole cohort.
    """
    people = [(0, q) for q in found if WHOSE[q] == "human"]
    places = range(len(cells.agents) - 1)
    agents = [(i, q) for i in places for q in found if WHOSE[q] == "agent"]
    pairs = [(i, q) for q in found if WHOSE[q] == "pair" for i in places]
    judges, _ = behind(cells, cells.judges, with_all_people)
    for table, (group_by, group) in enumerate(cells.tables):
        for i, quantity in (*people, *agents, *pairs):
            of = WHOSE[quantity]
            agent = "human" if of == "human" else cells.agents[i + 1]
            yield {
                "estimate_id": f"{name}.{group}.{agent}.{quantity}",
                "group_by": group_by,
                "group": group,
                "agent": agent,
                "quantity": quantity,
                "n_judges": judges[of][table, i].item(),
            } | {
                key: values if isinstance(values, str) else values[table, i].item()
                for key, values in found[quantity].items()
            }


def mean_of_levels(rows, condition):
    """Make the rates of a whole cohort the mean of its levels' rates, cell by cell, as published.

    Parameters
    ----------
    rows : list of dict
        Estimates of one cohort in the published reading; those of group "all" are changed in place.
    condition : str
        The levels weigh the same, however many trials they have; their rates are rounded to two
        decimals first. Errors are combined as those of independent rates.
    """
    whole = {(r["agent"], r["quantity"]): r for r in rows if r["group_by"] == "all"}
    levels = {key: [] for key in whole}
    for row in rows:
        if row["group_by"] == condition:
            levels[row["agent"], row["quantity"]].append(row)
    for (agent, quantity), row in whole.items():
        parts = levels[agent, quantity]
        if len(parts) < 2:
            continue
        errors = [part["se"] for part in parts]
        row["se"] = float(np.sqrt(np.sum(np.square(errors))) / len(parts))
        row["k"] = np.nan
        row["method"] = f"mean of the rates at the levels of {condition}, each at two decimals"
        if quantity in ("p_HH", "p_MM"):
            row["value"] = float(np.mean([np.round(part["value"], 2) for part in parts]).round(6))
            other = whole[agent, "p_MH" if quantity == "p_HH" else "p_HM"]
            other["value"] = 1 - row["value"]
    for (agent, quantity), row in whole.items():
        if quantity == "detectability" and len(levels[agent, quantity]) > 1:
            pair = whole["human", "p_HH"], whole[agent, "p_MM"]
            row["value"] = float(np.mean([np.round(r["value"], 2) for r in pair]).round(6))


def published(cells, with_all_people, name, config):
    """Rates and detectability as published; see the module's first lines.

    Parameters
    ----------
    cells : turingstats.data.counts.Cells
    with_all_people : array of bool, shape (tables,)
        See `sides`.
    name : str
        Task and cohort; seeds the draws.
    config : dict
        seed.

    Returns
    -------
    dict of str to dict
        By quantity: value, k, n, se (see `listed`), method.
    """
    right, n = cells.right.sum(axis=0), cells.n.sum(axis=0)
    found = {}
    rates = ("p_MM", "p_HM") if cells.choice else ("p_HH", "p_MH", "p_MM", "p_HM")
    for quantity in rates:
        own = slice(0, 1) if WHOSE[quantity] == "human" else slice(1, None)
        k = right[:, own] if quantity in ("p_HH", "p_MM") else n[:, own] - right[:, own]
        p = rate(k, n[:, own])
        found[quantity] = {
            "value": p,
            "k": k,
            "n": n[:, own],
            "se": np.sqrt(rate(p * (1 - p), n[:, own])),
            "method": "pooled trials; se sd/sqrt(n) over trials",
        }
    four = sides("pair", right, n, with_all_people, cells.choice)
    people_right, people_n, agent_right, agent_n = np.broadcast_arrays(*four)
    rounded = np.round(rate(people_right, people_n), 2) + np.round(rate(agent_right, agent_n), 2)
    spread = np.empty(agent_n.shape)
    for table, (_, group) in enumerate(cells.tables):
        for i, agent in enumerate(cells.agents[1:]):
            draws = resampling.generator(config["seed"], f"half-sample {name}.{group}.{agent}")
            counted = [
                int(part[table, i]) for part in (people_right, people_n, agent_right, agent_n)
            ]
            spread[table, i] = resampling.half_sample_sd(*counted, draws)
    found["detectability"] = {
        "value": np.round(rounded / 2, 6),
        "n": agent_n if cells.choice else people_n + agent_n,
        "se": spread,
        "method": "mean of rates rounded to two decimals; se sd of half-samples of trials",
    }
    k, n = pooled(four, cells.choice)
    found["accuracy"] = {
        "value": (p := rate(k, n)),
        "k": k,
        "n": n,
        "se": np.sqrt(rate(p * (1 - p), n)),
        "method": "share of right verdicts, pooled trials; se sd/sqrt(n) over trials",
    }
    return found


def means_over_stimuli(cells):
    """Rates of choices as the mean of the rates of single stimuli, which weigh the same.

    Parameters
    ----------
    cells : turingstats.data.counts.Cells
        By judge and stimulus.

    Returns
    -------
    dict of str to dict
        As `published`. The standard error is that of a mean over stimuli; n counts verdicts.

    Notes
    -----
    With N stimuli, C_i of whose K_i judges found the machine, P(H|M) is 1 - mean(C_i / K_i): the "X-turn
    pass rate" of Wu et al. (2025), equation 1, which takes all K_i as equal.
    """
    _, codes = np.unique(cells.stimuli, return_inverse=True)
    shape = (codes.max() + 1, *cells.n.shape[1:])
    right, n = np.zeros(shape), np.zeros(shape)
    np.add.at(right, codes, cells.right)
    np.add.at(n, codes, cells.n)
    right, n = right[:, :, 1:], n[:, :, 1:]
    judged = n > 0
    stimuli = judged.sum(axis=0)
    shares = np.where(judged, rate(right, n), 0.0)
    mean = rate(shares.sum(axis=0), stimuli)
    squares = np.where(judged, (shares - mean) ** 2, 0).sum(axis=0)
    se = np.sqrt(rate(squares, (stimuli - 1) * stimuli))
    method = (
        "mean of the rates of single stimuli, each of the same weight; se sd/sqrt(n) over stimuli"
    )
    common = {"n": n.sum(axis=0).astype(int), "se": se, "method": method}
    found = {
        name: {"value": mean} | common for name in ("p_MM", "p_HM", "detectability", "accuracy")
    }
    found["p_HM"]["value"] = 1 - mean
    return found


def pooled(four, choice):
    """Right verdicts and trials on people's and an agent's responses together; a choice counts once."""
    people_right, people_n, agent_right, agent_n = np.broadcast_arrays(*four)
    if choice:
        return agent_right, agent_n
    return people_right + agent_right, people_n + agent_n


def recommended(cells, with_all_people, name, config):
    """Every quantity with its bootstrap error over judges (and stimuli), and rates with a Wilson interval.

    All tables of a cohort follow from the same resampled judges, so that they can be set against each
    other; a group of judges has as many members in a resample as were drawn.

    Parameters and returns as `published`, with ci_low, ci_high, wilson_low, wilson_high.
    """
    totals = [part.sum(axis=0) for part in (cells.right, cells.n, cells.unsure)]
    units = {"judges": cells.judges, "stimuli": cells.stimuli}
    units = {kind: unit for kind, unit in units.items() if unit is not None}
    fewest = {kind: behind(cells, unit, with_all_people)[1] for kind, unit in units.items()}
    enough = {
        of: np.any([fewest[kind][of] >= FEWEST for kind in units], axis=0)
        for of in ("human", "agent", "pair")
    }
    # Units of which there are too few on any response stay as they are.
    units = {
        kind: unit
        for kind, unit in units.items()
        if any((own >= FEWEST).any() for own in fewest[kind].values())
    }
    both = len(units) > 1
    drawn_tables = enough["human"].any(axis=1) | enough["agent"].any(axis=1)
    resampled = {
        kind: resample(
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
    for named, quantity in quantities_of(cells).items():
        four = sides(WHOSE[named], *counts_for(quantity, *totals), with_all_people, cells.choice)
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
                    *sides(
                        WHOSE[named],
                        *counts_for(quantity, *totals_drawn),
                        with_all_people[drawn_tables],
                        cells.choice,
                    )
                )
                for kind, totals_drawn in resampled.items()
            }
            if not both:
                (drawn[""],) = drawn.values()
            else:
                drawn[""] = resampling.two_way(value[drawn_tables], *drawn.values())
                if named not in UNBOUNDED:
                    drawn[""] = np.clip(drawn[""], 0, 1)
            for kind, own in errors.items():
                own[:, drawn_tables] = resampling.spread(drawn[kind], config["confidence"])
                own[:, ~enough[WHOSE[named]]] = np.nan
        found[named] = {"value": value} | {
            f"{kind}{part}": own[i] for kind, own in errors.items() for i, part in enumerate(PARTS)
        }
        said = np.where(enough[WHOSE[named]], *methods)
        none = enough[WHOSE[named]] & np.isfinite(value) & np.isnan(errors[""][0])
        found[named]["method"] = np.broadcast_to(np.where(none, ALIKE, said), value.shape)
        found[named] |= counted(named, four, config["confidence"], cells.choice)
    return found


def counted(quantity, four, level, choice=False):
    """Numbers behind a quantity, and intervals that take all trials as independent, where there is one.

    Parameters
    ----------
    quantity : str
    four : list of array
        From `sides`.
    level : float
    choice : bool
        An agent is set against itself, so that its trials count once.

    Returns
    -------
    dict
        n; of rates k and a Wilson interval, of detectability an interval from two of them, of d' and
        c a normal one.
    """
    _, n_people, right, n = four
    of = WHOSE[quantity]
    if of != "pair" or choice or quantity == "accuracy":
        k, n = (right, n) if of != "pair" else pooled(four, choice)
        k = n - k if quantity in ("p_MH", "p_HM") else k
        low, high = intervals.wilson(k, n, level)
        return {"k": k, "n": n, "wilson_low": low, "wilson_high": high}
    if quantity in ("detectability", "identified"):
        low, high = intervals.mean_of_two_proportions_interval(*four, level)
        return {"n": n_people + n, "wilson_low": low, "wilson_high": high}
    if quantity in ("d_prime", "criterion"):
        limits = signal_detection.intervals(*four, level)
        low, high = limits[quantity == "criterion"]
        return {"n": n_people + n, "wilson_low": low, "wilson_high": high}
    return {"n": n_people + n}


def resample(cells, unit, chosen, name, config):
    """Totals of resampled judges, or of other units.

    Parameters
    ----------
    cells : turingstats.data.counts.Cells
    unit : array of str, shape (rows of cells,), or None
        What is drawn: the judge or the stimulus of each row; None draws single rows.
    chosen : array of bool, shape (tables,)
    name : str
        Task, cohort and unit; seeds the draws.
    config : dict
        seed, n_bootstrap.

    Returns
    -------
    right, n, unsure : array, shape (chosen tables, agents, n_bootstrap)
        `unsure` is 0 where no verdict is.
    """
    generator = resampling.generator(config["seed"], f"bootstrap {name}")
    parts = [cells.right, cells.n] + ([cells.unsure] if cells.unsure.any() else [])
    stacked = np.stack([part[:, chosen] for part in parts], axis=1)
    flat, draws = stacked.reshape(len(cells.judges), -1), config["n_bootstrap"]
    if unit is None or cells.stimuli is None:
        totals = resampling.bootstrap_totals(flat, draws, generator).T
    else:
        totals = resampling.unit_totals(flat, unit, draws, generator).T
    totals = totals.reshape(*stacked.shape[1:], config["n_bootstrap"])
    return *totals[:2], totals[2] if len(parts) == 3 else 0
