"""Rates, detectability and their errors, for every cohort, group of judges and agent.

A confusion matrix is four of these rates: P(H|H) and P(M|H) of people's responses, P(H|M) and P(M|M)
of an agent's. Detectability is (P(H|H) + P(M|M)) / 2.

Two readings. The published one rounds rates to two decimals before detectability is formed, gives a
rate the standard error over trials, and detectability the spread of half-samples. The recommended one
rounds rounds nothing and resamples judges, because the trials of one judge are not independent; Wilson
intervals, which take them as independent, stand beside it for comparison.

A judge may be `unsure`. Rates are shares of the verdicts that took a side, as signal detection has
it; the unsure share of all verdicts is a quantity of its own, p_UH or p_UM; and `identified` is
detectability with `unsure` counted as not identified. Where any verdict is unsure, the recommended
reading has them all.
"""

import numpy as np

from turingstats import counts as counting
from turingstats import resampling, tests
from turingstats.counts import PEOPLE, reference
from turingstats.schema import ESTIMATES

FEWEST_JUDGES = 5
"""With fewer judges a bootstrap over judges says nothing; the Wilson interval is shown alone."""


def rate(right, n):
    """right / n, and nan where n is 0."""
    right, n = np.asarray(right, float), np.asarray(n, float)
    return np.divide(right, n, out=np.full(np.broadcast(right, n).shape, np.nan), where=n > 0)


def estimate(counts, groups, study, config):
    """Estimate every cell of every confusion matrix, in both readings.

    Parameters
    ----------
    counts : pandas.DataFrame
        Columns of `turingstats.schema.COUNTS`.
    groups : pandas.DataFrame
        From `turingstats.counts.groups_of`.
    study : Study
    config : dict
        seed, n_bootstrap, confidence.

    Returns
    -------
    pandas.DataFrame
        Columns of `turingstats.schema.ESTIMATES` but `data`.
    """
    import pandas as pd

    rows = []
    keys = ["task", "cohort", "reading"]
    for (task, cohort, reading), own in counts.groupby(keys, sort=False):
        described = study.tasks[task].cohorts[cohort]
        present = set(own["agent"])
        agents = [a for a in described.agents if a in present]
        first = None
        if reading == "published" and described.published_judges is not None:
            first = sorted(set(own["judge"]))[: described.published_judges]
        members = groups[groups["reading"] == reading]
        start = len(rows)
        for group_by, group, table in tables_of(own, members, agents, study.tasks[task]):
            part = table if first is None else table[table.index.isin(first)]
            name = f"{task}.{cohort}.{group}"
            place = {
                "study": study.study,
                "task": task,
                "cohort": cohort,
                "judge_kind": described.judge_kind,
                "group_by": group_by,
                "group": group,
                "reading": reading,
            }
            shown = [(agent, "n") for agent in ("human", "all") if (agent, "n") in part]
            trials = part[shown].sum(axis=1)
            make = published if reading == "published" else recommended
            for row in make(part, ["all", *agents], name, config):
                identity = f"{name}.{row['agent']}.{row['quantity']}"
                rows.append(place | {"estimate_id": identity, "n_judges": (trials > 0).sum()} | row)
        if reading == "published" and described.published_mean_of:
            mean_of_levels(rows[start:], described.published_mean_of)
    return pd.DataFrame(rows).reindex(columns=[c for c in ESTIMATES if c != "data"])


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


def tables_of(counts, members, agents, task):
    """Counts by judge of a cohort: all trials, each group of judges, each level of a condition.

    Parameters
    ----------
    counts : pandas.DataFrame
        Rows of one cohort and reading.
    members : pandas.DataFrame
        Groups of judges in that reading.
    agents : list of str
    task : Task

    Yields
    ------
    group_by, group : str
    table : pandas.DataFrame
        From `turingstats.counts.judge_table`.
    """

    choice = task.choice
    whole = counting.judge_table(counts[counts["group_by"] == "all"], agents, choice)
    yield "all", "all", whole
    own = members[members["judge"].isin(whole.index)]
    for (group_by, group), part in own.groupby(["group_by", "group"], sort=False):
        yield group_by, group, whole[whole.index.isin(part["judge"])]
    levels = counts[counts["group_by"] != "all"]
    for (group_by, group), part in levels.groupby(["group_by", "group"], sort=False):
        table = counting.judge_table(part, agents, choice)
        if task.pooled_humans and not choice:
            table = table.reindex(whole.index, fill_value=0)
            for column in whole["human"]:
                table[PEOPLE, column] = whole["human", column]
        yield group_by, group, table


def published(table, agents, name, config):
    """Rates and detectability as published; see the module's first lines.

    Parameters
    ----------
    table : pandas.DataFrame
        From `turingstats.counts.judge_table`, the judges of one group.
    agents : list of str
        The pooled agent "all" and each AI agent.
    name : str
        Identifies the group; seeds its draws.
    config : dict
        seed.

    Yields
    ------
    dict
        agent, quantity, value, k, n, se, method.
    """
    total = {column: int(number) for column, number in table.sum().items()}
    rounded = {}
    for agent in judged(table, agents):
        n, right = total[agent, "n"], total[agent, "right"]
        p = rate(right, n)
        rounded[agent] = np.round(p, 2)
        se = float(np.sqrt(p * (1 - p) / n)) if n else np.nan
        own, other = ("p_HH", "p_MH") if agent == "human" else ("p_MM", "p_HM")
        for quantity, k, value in ((own, right, p), (other, n - right, 1 - p)):
            yield {
                "agent": agent,
                "quantity": quantity,
                "value": float(value),
                "k": k,
                "n": n,
                "se": se,
                "method": "pooled trials; se sd/sqrt(n) over trials",
            }
    for agent in agents:
        beside = reference(table, agent)
        rounded_reference = np.round(rate(total[beside, "right"], total[beside, "n"]), 2)
        people, machine = (
            np.repeat([1, 0], [total[a, "right"], total[a, "n"] - total[a, "right"]])
            for a in (beside, agent)
        )
        generator = resampling.generator(config["seed"], f"half-sample {name}.{agent}")
        spread = np.nan
        if len(people) and len(machine):
            spread = resampling.half_sample_sd(people, machine, generator)
        yield {
            "agent": agent,
            "quantity": "detectability",
            "value": float(np.round((rounded_reference + rounded[agent]) / 2, 6)),
            "n": len(machine) + (len(people) if beside != agent else 0),
            "se": spread,
            "method": "mean of rates rounded to two decimals; se sd of half-samples of trials",
        }
    right, n = (sum(total[a, what] for a in answered(table)) for what in ("right", "n"))
    p = rate(right, n)
    yield {
        "agent": "all",
        "quantity": "accuracy",
        "value": float(p),
        "k": right,
        "n": n,
        "se": float(np.sqrt(p * (1 - p) / n)) if n else np.nan,
        "method": "share of right verdicts, pooled trials; se sd/sqrt(n) over trials",
    }


def judged(table, agents):
    """Agents with rates of their own: people too, but not in choices, where they have no verdicts."""
    return ("human", *agents) if ("human", "n") in table else tuple(agents)


def answered(table):
    """Parts of a table of counts that hold every verdict once."""
    return judged(table, ["all"])


def recommended(table, agents, name, config):
    """Rates and detectability with judge-level bootstrap errors and Wilson intervals.

    Parameters and yields as `published`, with ci_low, ci_high, wilson_low, wilson_high.
    """
    total = {column: int(number) for column, number in table.sum().items()}
    resampled = None
    if len(table) >= FEWEST_JUDGES:
        generator = resampling.generator(config["seed"], f"bootstrap {name}")
        draws = resampling.bootstrap_totals(table.to_numpy(), config["n_bootstrap"], generator)
        resampled = {column: draws[:, i] for i, column in enumerate(table.columns)}

    def spread(value_of):
        """Standard error and percentile interval of a function of (right, n) over the draws."""
        if resampled is None:
            return {"se": np.nan, "ci_low": np.nan, "ci_high": np.nan}
        values = value_of(resampled)
        values = values[np.isfinite(values)]
        if len(values) < config["n_bootstrap"] / 2:
            return {"se": np.nan, "ci_low": np.nan, "ci_high": np.nan}
        tail = 100 * (1 - config["confidence"]) / 2
        low, high = np.percentile(values, [tail, 100 - tail])
        return {"se": float(np.std(values, ddof=1)), "ci_low": low, "ci_high": high}

    method = (
        f"pooled trials; bootstrap of {len(table)} judges, {config['n_bootstrap']} draws, percentile"
        if resampled is not None
        else f"pooled trials; Wilson only, fewer than {FEWEST_JUDGES} judges"
    )
    for agent in judged(table, agents):
        n, right = total[agent, "n"], total[agent, "right"]
        own, other = ("p_HH", "p_MH") if agent == "human" else ("p_MM", "p_HM")
        for quantity, k, is_right in ((own, right, True), (other, n - right, False)):

            def value_of(sums, agent=agent, is_right=is_right):
                p = rate(sums[agent, "right"], sums[agent, "n"])
                return p if is_right else 1 - p

            low, high = tests.wilson(k, n, config["confidence"])
            yield {
                "agent": agent,
                "quantity": quantity,
                "value": float(rate(k, n)),
                "k": k,
                "n": n,
                "wilson_low": float(low),
                "wilson_high": float(high),
                "method": method,
            } | spread(value_of)
    for agent in agents:
        beside = reference(table, agent)

        def detectability(sums, agent=agent, beside=beside):
            return (
                rate(sums[beside, "right"], sums[beside, "n"])
                + rate(sums[agent, "right"], sums[agent, "n"])
            ) / 2

        counted = [total[a, what] for a in (beside, agent) for what in ("right", "n")]
        if beside == agent:
            low, high = tests.wilson(*counted[:2], config["confidence"])
        else:
            low, high = tests.mean_of_two_proportions_interval(*counted, config["confidence"])
        yield {
            "agent": agent,
            "quantity": "detectability",
            "value": float(detectability(total)),
            "n": total[agent, "n"] + (total[beside, "n"] if beside != agent else 0),
            "wilson_low": float(low),
            "wilson_high": float(high),
            "method": method,
        } | spread(detectability)

    def accuracy(sums):
        parts = answered(table)
        return rate(sum(sums[a, "right"] for a in parts), sum(sums[a, "n"] for a in parts))

    right, n = (sum(total[a, what] for a in answered(table)) for what in ("right", "n"))
    low, high = tests.wilson(right, n, config["confidence"])
    yield {
        "agent": "all",
        "quantity": "accuracy",
        "value": float(rate(right, n)),
        "k": right,
        "n": n,
        "wilson_low": float(low),
        "wilson_high": float(high),
        "method": f"share of right verdicts, {method}",
    } | spread(accuracy)
    if ("all", "unsure") in table:
        yield from undecided(table, agents, total, spread, method, config)


def undecided(table, agents, total, spread, method, config):
    """Shares of verdicts `unsure`, and detectability with these counted as not identified.

    Parameters
    ----------
    table, agents, config
        As of `recommended`.
    total : dict
        Sums of the columns of `table`.
    spread : callable
        Error and interval of a function of such sums over the bootstrap draws.
    method : str

    Yields
    ------
    dict
        As `recommended`; `n` counts all verdicts, unsure ones too.
    """

    def every(sums, agent):
        return sums[agent, "n"] + sums[agent, "unsure"]

    for agent in judged(table, agents):

        def share(sums, agent=agent):
            return rate(sums[agent, "unsure"], every(sums, agent))

        k, n = total[agent, "unsure"], every(total, agent)
        low, high = tests.wilson(k, n, config["confidence"])
        yield {
            "agent": agent,
            "quantity": "p_UH" if agent == "human" else "p_UM",
            "value": float(share(total)),
            "k": k,
            "n": n,
            "wilson_low": float(low),
            "wilson_high": float(high),
            "method": f"share of all verdicts, {method}",
        } | spread(share)
    for agent in agents:
        beside = reference(table, agent)

        def identified(sums, agent=agent, beside=beside):
            return sum(rate(sums[a, "right"], every(sums, a)) for a in (beside, agent)) / 2

        counted = [f(total, a) for a in (beside, agent) for f in (right_of, every)]
        if beside == agent:
            low, high = tests.wilson(*counted[:2], config["confidence"])
        else:
            low, high = tests.mean_of_two_proportions_interval(*counted, config["confidence"])
        yield {
            "agent": agent,
            "quantity": "identified",
            "value": float(identified(total)),
            "n": sum(every(total, a) for a in {beside, agent}),
            "wilson_low": float(low),
            "wilson_high": float(high),
            "method": f"unsure counted as not identified; {method}",
        } | spread(identified)


def right_of(sums, agent):
    """Right verdicts on an agent."""
    return sums[agent, "right"]
