"""Verdicts counted by judge and agent: all that later stages need of the trials.

Every rate, interval and test of the pipeline follows from this table, since the order of a judge's
verdicts plays no part in any of them.
"""

import numpy as np

from turingstats.config import READINGS
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
    for reading in READINGS:
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


def judge_table(counts, agents):
    """One row a judge with the counts that rates are made of.

    Parameters
    ----------
    counts : pandas.DataFrame
        Rows of one cohort and reading.
    agents : sequence of str
        AI agents; the pooled agent "all" is added in front.

    Returns
    -------
    pandas.DataFrame
        Index judge (in order of name); columns (agent, "n") and (agent, "right") for human, all
        and each agent: trials, and of these those judged correctly.
    """
    import pandas as pd

    judges, rows = np.unique(counts["judge"].to_numpy(str), return_inverse=True)
    made_by = counts["agent"].to_numpy(str)
    right = counts["n_human"].where(made_by == "human", counts["n_machine"])
    table = {}
    for agent in ("human", "all", *agents):
        own = np.isin(made_by, list(agents) if agent == "all" else [agent])
        for column, numbers in (("n", counts["n"]), ("right", right)):
            weights = numbers.to_numpy()[own]
            table[agent, column] = np.bincount(rows[own], weights, len(judges)).astype(int)
    return pd.DataFrame(table, index=pd.Index(judges, name="judge"))


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
                rows += [
                    {"judge": judge, "reading": reading, "group_by": group_by, "group": group}
                    for judge in judges.loc[answers.isin(values), "judge"]
                ]
    return pd.DataFrame(rows, columns=["judge", "reading", "group_by", "group"])


def members_of(groups, chosen):
    """The judges of one group by reading, as sets; None where no group is chosen.

    Parameters
    ----------
    groups : pandas.DataFrame
        From `groups_of`.
    chosen : tuple of str, optional
        Demographic variable and group.
    """
    if chosen is None:
        return None
    by, group = chosen
    own = groups[(groups["group_by"] == by) & (groups["group"] == group)]
    return {reading: set(own.loc[own["reading"] == reading, "judge"]) for reading in READINGS}
