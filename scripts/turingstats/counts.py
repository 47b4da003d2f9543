"""Verdicts counted by judge and agent: all that later stages need of the trials.

Every rate, interval and test of the pipeline follows from this table, since the order of a judge's
verdicts plays no part in any of them.
"""

import re

import numpy as np

from turingstats.schema import COUNTS


def with_pools(marked, study):
    """Add the trials of cohorts that put others together, such as in-lab and online judges.

    Parameters
    ----------
    marked : pandas.DataFrame
        From `turingstats.cleaning.clean`.
    study : Study

    Returns
    -------
    pandas.DataFrame
        `marked`, and each trial of a pooled cohort once more under the cohort that pools it; where a
        part is without data, so is the pool.
    """
    import pandas as pd

    parts = [marked]
    for task, described in study.tasks.items():
        for name, cohort in described.cohorts.items():
            own = (marked["task"] == task) & marked["cohort"].isin(cohort.pools)
            if cohort.pools and set(cohort.pools) == set(marked.loc[own, "cohort"]):
                parts.append(marked[own].assign(cohort=name))
    if len(parts) == 1:
        return marked
    return pd.concat(parts, ignore_index=True).astype({"cohort": "category"})


def count(marked, study):
    """Count verdicts by judge and agent, in both readings, for all trials and by condition.

    Parameters
    ----------
    marked : pandas.DataFrame
        From `turingstats.cleaning.clean`.
    study : Study
        Its tasks name the conditions to count by.

    Returns
    -------
    pandas.DataFrame
        Columns of `turingstats.schema.COUNTS`; only pairs of judge and agent that occur.
    """
    import pandas as pd

    by = ["study", "task", "cohort", "judge_kind", "judge", "group_by", "group", "agent"]
    tables = []
    for reading in study.readings:
        kept = marked[marked[f"kept_{reading}"]]
        parts = [kept.assign(group_by="all", group="all")]
        for task, described in study.tasks.items():
            own = kept[kept["task"] == task]
            for condition in described.conditions:
                level = level_of(own, condition)
                parts.append(own.assign(group_by=condition, group=level)[level.notna()])
        for part in parts:
            verdict = part["verdict"]
            table = (
                part[by]
                .assign(n=1, n_human=verdict == "human", n_machine=verdict == "machine")
                .groupby(by, observed=True, sort=False)
                .sum()
                .reset_index()
            )
            tables.append(table.assign(reading=reading))
    counted = pd.concat(tables, ignore_index=True)[list(COUNTS)]
    texts = [name for name in COUNTS if not name.startswith("n")]
    return counted.astype(dict.fromkeys(texts, "str") | dict.fromkeys(COUNTS.keys() - texts, int))


def level_of(judgments, condition):
    """Level of a condition for each judgment; crossed conditions join theirs with a slash."""
    level, *others = (judgments[name].astype("string") for name in condition.split("+"))
    for other in others:
        level = level + "/" + other
    return level


PEOPLE = "human, all levels"
"""Column of a table of counts: people's responses at all levels of a condition, to set a level's
agents against."""


def judge_table(counts, agents, choice=False):
    """One row a judge with the counts that rates are made of.

    A verdict `unsure` is no trial of a rate: rates are shares of the verdicts that took a side.

    Parameters
    ----------
    counts : pandas.DataFrame
        Rows of one cohort and reading.
    agents : sequence of str
        AI agents; the pooled agent "all" is added in front.
    choice : bool
        Trials are choices between a person's and a machine's response (`choice` of a task): there
        are no verdicts on people's responses alone, and no columns of theirs.

    Returns
    -------
    pandas.DataFrame
        Index judge (in order of name); columns (agent, "n") and (agent, "right") for human, all
        and each agent: verdicts human or machine, and of these the right ones. Where any verdict is
        `unsure`, (agent, "unsure") too.
    """
    import pandas as pd

    judges, rows = np.unique(counts["judge"].to_numpy(str), return_inverse=True)
    made_by = counts["agent"].to_numpy(str)
    decided = counts["n_human"] + counts["n_machine"]
    parts = {
        "n": decided,
        "right": counts["n_human"].where(made_by == "human", counts["n_machine"]),
        "unsure": counts["n"] - decided,
    }
    if not parts["unsure"].any():
        del parts["unsure"]
    table = {}
    for agent in ("all", *agents) if choice else ("human", "all", *agents):
        own = np.isin(made_by, list(agents) if agent == "all" else [agent])
        for column, numbers in parts.items():
            weights = numbers.to_numpy()[own]
            table[agent, column] = np.bincount(rows[own], weights, len(judges)).astype(int)
    return pd.DataFrame(table, index=pd.Index(judges, name="judge"))


def reference(table, agent):
    """What an agent is set against: people, at all levels where so declared; in choices, itself.

    Parameters
    ----------
    table : pandas.DataFrame
        From `judge_table`.
    agent : str

    Returns
    -------
    str
        First level of the columns of `table` that hold the counts.
    """
    for name in (PEOPLE, "human"):
        if (name, "n") in table:
            return name
    return agent


def groups_of(judges, described):
    """Sort judges into the groups of each demographic variable, in both readings.

    Parameters
    ----------
    judges : pandas.DataFrame
        The data contract's table.
    described : dict
        `demographics` of the study: variable, group, reading, answers that belong to it.

    Returns
    -------
    pandas.DataFrame
        judge, reading, group_by, group; a judge whose answer is in no group has no row there.
    """
    import pandas as pd

    columns = {"gender": "gender", "education": "education", "age": "age_band"}
    rows = []
    for group_by, groups in described.items():
        answers = judges[columns.get(group_by, group_by)].astype(object)
        for group, readings in groups.items():
            for reading, values in readings.items():
                own = answers.isin(values) | within(answers, values)
                rows += [
                    {"judge": judge, "reading": reading, "group_by": group_by, "group": group}
                    for judge in judges.loc[own, "judge"]
                ]
    return pd.DataFrame(rows, columns=["judge", "reading", "group_by", "group"])


def within(answers, values):
    """Answers that are numbers inside one of the ranges among `values`, such as 18-35 or 46+.

    The end of a closed range is inside: with 18-35 and 36-45, 35.5 would be in neither, so answers
    count as whole years, the fraction left off.
    """
    import pandas as pd

    numbers = np.floor(pd.to_numeric(answers, errors="coerce"))
    inside = pd.Series(False, index=answers.index)
    for value in values:
        found = re.fullmatch(r"(\d+)(?:-(\d+)|\+)", str(value))
        if found:
            low, high = float(found[1]), float(found[2] or "inf")
            inside |= numbers.between(low, high)
    return inside
