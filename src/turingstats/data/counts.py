"""Verdict counts by judge, agent and stimulus: all that later stages need from the trials.

Every rate, interval and test of the pipeline is computed from this table, since none of them depends on
the order of a judge's verdicts.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from turingstats.config.study import Study
from turingstats.core.names import SLASH, join_names
from turingstats.data import cleaning
from turingstats.data.distinct_values import (
    change_values,
    choose_cells,
    combine_columns,
    fill_column,
    make_column,
    replace_values,
    sort_categories,
    stack_tables,
)
from turingstats.data.schema import COUNTS, JUDGED

COUNTED = ("right", "decided", "unsure")
"""Columns of the counts of a pair of judge and stimulus."""


def add_pooled_cohorts(marked: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Add the trials of cohorts that pool others, such as in-lab and online judges."""
    repeated = [marked]
    for task, described in study.tasks.items():
        for name, cohort in described.cohorts.items():
            in_pool = (marked["task"] == task) & marked["cohort"].isin(cohort.pools)
            if cohort.pools and set(cohort.pools) == set(marked.loc[in_pool, "cohort"]):
                pooled = marked[in_pool].assign(cohort=name)
                # A pool may ask for more right control answers than its parts do.
                repeated.append(
                    pooled[~cleaning.find_inattentive_judges(pooled, study, "published")]
                )
    if len(repeated) == 1:
        return marked
    return pd.concat(repeated, ignore_index=True).astype({"cohort": "category"})


def map_judges_to_people(judges: pd.DataFrame) -> dict[str, str]:
    """Map judges to the person behind them, where that is known."""
    known = judges[["judge", "person"]].dropna()
    return dict(zip(known["judge"].astype(str), known["person"].astype(str), strict=True))


def map_judges_to_units(judges: Iterable[str], people: Mapping[str, str]) -> dict[str, str]:
    """Map judges to their unit in the recommended reading: the person, where known.

    Verdicts of the same person are not independent, whether or not they were given in one session.
    """
    first = {}
    return {name: first.setdefault(people.get(name, name), name) for name in sorted(set(judges))}


def merge_sessions(trials: pd.DataFrame, people: Mapping[str, str] | None) -> pd.DataFrame:
    """Merge the sessions of a person in the same cohort under the name of the first session."""
    if not people:
        return trials
    judge = trials["judge"]
    _, judges = combine_columns(trials[["task", "cohort", "judge"]])
    for (task, cohort), own in judges.groupby(["task", "cohort"], observed=True)["judge"]:
        units = map_judges_to_units(own.astype(str), people)
        if any(name != unit for name, unit in units.items()):
            rows = (trials["task"] == task) & (trials["cohort"] == cohort)
            first_sessions = [units.get(name, name) for name in judge.cat.categories]
            judge = choose_cells(rows, replace_values(judge, first_sessions), judge)
    return trials.assign(judge=judge)


def count_verdicts(
    marked: pd.DataFrame,
    study: Study,
    groups: pd.DataFrame | None = None,
    people: Mapping[str, str] | None = None,
) -> pd.DataFrame:
    """Count verdicts by judge and agent, in both readings, for all trials and by condition."""
    by = "study task cohort judge_kind judge group_by group agent stimulus".split()
    tables, needed = [], {*by, "verdict"}
    for task in study.tasks.values():
        needed |= {*task.condition_names}
    for reading in study.readings:
        kept = marked.loc[marked[f"kept_{reading}"], [name for name in marked if name in needed]]
        kept = name_counted_stimuli(kept, study, reading)
        everyone = fill_column("all", kept.index)
        repeated = [kept.assign(group_by=everyone, group=everyone)]
        for task, described in study.tasks.items():
            own = kept[kept["task"] == task]
            for condition in described.conditions:
                members = None if groups is None else groups[groups["reading"] == reading]
                level = find_levels(own, condition, members)
                at = fill_column(condition, own.index)
                repeated.append(own.assign(group_by=at, group=level)[level.notna()])
        for part in repeated:
            if reading == "recommended":
                part = merge_sessions(part, people)
            codes, table = combine_columns(part[by].astype("category"))
            numbers = {"n": np.bincount(codes, minlength=len(table))}
            for verdict in ("human", "machine"):
                said = part["verdict"].to_numpy() == verdict
                numbers[f"n_{verdict}"] = np.bincount(codes[said], minlength=len(table))
            table = table.assign(**numbers, reading=fill_column(reading, table.index))
            tables.append(table.reset_index(drop=True))
    counted = stack_tables(tables).reset_index(drop=True)
    known = people or {}
    person = change_values(counted["judge"], lambda judge: known.get(judge, ""))
    return sort_categories(counted.assign(person=person)[list(COUNTS)])


def name_counted_stimuli(kept: pd.DataFrame, study: Study, reading: str) -> pd.DataFrame:
    """Name the stimulus of each trial only where counts are by stimulus; elsewhere it is empty.

    Counts of the recommended reading are by stimulus where stimuli are a sample, and those of the published
    reading where it averages over stimuli. A cohort with a trial whose stimulus is not known has none.
    """
    if reading == "recommended":
        tasks = [name for name, task in study.tasks.items() if "stimuli" in task.samples]
    else:
        tasks = [n for n, task in study.tasks.items() if task.published_mean_over == "stimuli"]
    counted = kept["task"].isin(tasks)
    unknown = kept.loc[kept["stimulus"].isna(), ["task", "cohort"]].drop_duplicates()
    for task, cohort in unknown.itertuples(index=False):
        counted &= (kept["task"] != task) | (kept["cohort"] != cohort)
    stimulus = change_values(kept["stimulus"].astype("category"), str)
    return kept.assign(stimulus=choose_cells(counted, stimulus, fill_column("", kept.index)))


def find_levels(
    judgments: pd.DataFrame, condition: str, groups: pd.DataFrame | None = None
) -> pd.Series:
    """Find the level of a condition for each judgment; levels of crossed conditions are joined by a slash.

    A name that is not a column of the judgments is a variable of `groups`: the level is the judge's group.
    """
    names = condition.split("+")
    levels = pd.DataFrame({name: find_single_level(judgments, name, groups) for name in names})
    if len(names) == 1:
        return levels[condition]
    codes, distinct = combine_columns(levels)
    rows = distinct.astype(object).itertuples(index=False, name=None)
    texts = [None if any(pd.isna(part) for part in row) else join_names(row, SLASH) for row in rows]
    return make_column(pd.Series(codes, judgments.index), texts)


def find_single_level(judgments: pd.DataFrame, name: str, groups: pd.DataFrame | None) -> pd.Series:
    """Find the level of one condition, or the judge's group, for each judgment; missing if none."""
    if name in judgments or groups is None:
        return change_values(judgments[name].astype("category"), str)
    of_judge = groups[groups["group_by"] == name].drop_duplicates("judge").set_index("judge")
    return change_values(judgments["judge"].astype("category"), of_judge["group"].to_dict().get)


class CohortCounts(NamedTuple):
    """Counts of a cohort, in every table from which a confusion matrix is computed.

    A row is a judge's verdicts on an agent's responses to a stimulus, of all trials or of a level of a
    condition. Tables of groups of judges consist of rows of all trials.
    """

    judges: np.ndarray
    """Sorted by name, shape (judges,)."""
    stimuli: np.ndarray | None
    """Sorted by name; None where they are not known."""
    tables: list[tuple[str, str]]
    """group_by and group: all trials first, then groups of judges, then levels of conditions."""
    agents: list[str]
    """human, all (the AI agents pooled) and each AI agent."""
    judge: np.ndarray
    """Place in `judges` of each row, shape (rows,), as the next four."""
    stimulus: np.ndarray | None
    pair: np.ndarray
    """Number of the judge and stimulus of each row, or of the judge where stimuli are not known."""
    table: np.ndarray
    agent: np.ndarray
    counts: np.ndarray
    """Columns `COUNTED`, shape (rows, 3)."""
    sums: np.ndarray
    """The same by judge, table and agent, shape (judges, tables, agents, 3)."""
    members: np.ndarray
    """Groups of judges, whose tables come after that of all trials; shape (judges, groups)."""
    choice: bool
    """Trials are choices between a person's and a machine's response (`choice` of a task): an agent is
    compared with itself, since there are no verdicts on people's responses alone."""
    people: np.ndarray
    """Who the judges are; empty where not known."""
    both_roles: tuple[np.ndarray, np.ndarray] | None
    """People who are judges and were judged by others, in games of three parties: their places among the
    judges, and among the stimuli."""

    @property
    def right(self) -> np.ndarray:
        """Correct verdicts, shape (judges, tables, agents)."""
        return self.sums[..., 0]

    @property
    def n(self) -> np.ndarray:
        """Verdicts `human` or `machine`, shape (judges, tables, agents)."""
        return self.sums[..., 1]

    @property
    def unsure(self) -> np.ndarray:
        """Verdicts `unsure`, which do not count as trials of a rate; shape (judges, tables, agents)."""
        return self.sums[..., 2]

    def list_units(self) -> np.ndarray:
        """List what identifies the judges across cohorts: the person, if known."""
        return name_units(self.judges, self.people)

    def find_rows(self, table: int, agent: str | None = None) -> np.ndarray:
        """Find the rows of an agent, of all AI agents, or by default of all agents and people in a table."""
        is_of_group = 0 < table <= self.members.shape[1]
        wanted = self.table == (0 if is_of_group else table)
        if agent is not None:
            wanted &= self.agent > 1 if agent == "all" else self.agent == self.agents.index(agent)
        rows = np.flatnonzero(wanted)
        return rows[self.members[self.judge[rows], table - 1]] if is_of_group else rows


def arrange_counts(
    counts: pd.DataFrame, members: pd.DataFrame, agents: Sequence[str], choice: bool = False
) -> CohortCounts:
    """Arrange the counts of a cohort by judge, stimulus, table and agent."""
    agent_names = ["human", "all", *agents]
    codes, names = pd.factorize(counts["agent"])
    agent = pd.Index(agent_names).get_indexer(names)[codes]
    # Judges, stimuli and tables are those of all rows.
    rows = agent >= 0
    judge, judges = number_names(counts["judge"])
    first_rows = np.unique(judge, return_index=True)[1]
    people = counts["person"].iloc[first_rows].astype(object).fillna("").to_numpy(str)
    table, levels = combine_columns(counts[["group_by", "group"]].astype("category"))
    levels = list(levels.itertuples(index=False, name=None))
    # Put "all" first, whatever the order in the data.
    order = sorted(range(len(levels)), key=lambda i: (levels[i] != ("all", "all"), i))
    table, levels = np.argsort(order)[table], [levels[i] for i in order]
    stimulus, stimuli, both, pair = None, None, None, judge
    numbers, stimulus_names = number_names(counts["stimulus"])
    if "" not in stimulus_names and numbers.min(initial=0) >= 0:
        stimulus, stimuli = numbers[rows].astype(np.int32), stimulus_names
        both = find_both_roles(judges, stimuli)
        pair = np.unique(judge * len(stimuli) + numbers, return_inverse=True)[1]
    human, machine = (counts[f"n_{verdict}"].to_numpy() for verdict in ("human", "machine"))
    right = np.where(agent == 0, human, machine)
    decided = human + machine
    verdicts = np.column_stack([right, decided, counts["n"] - decided])[rows].astype(np.int32)
    judge, table, agent, pair = (part[rows] for part in (judge, table, agent, pair))
    shape = len(judges), len(levels), len(agent_names)
    bins = np.ravel_multi_index((judge, table, agent), shape)
    totals = [np.bincount(bins, column, np.prod(shape)) for column in verdicts.T]
    sums = np.stack(totals, axis=-1).reshape(*shape, -1).astype(int)
    sums[:, :, 1] = sums[:, :, 2:].sum(axis=2)
    groups, member = arrange_members(members, judges)
    of_groups = sums[:, :1] * member[:, :, None, None]
    return CohortCounts(
        judges,
        stimuli,
        [levels[0], *groups, *levels[1:]],
        agent_names,
        judge.astype(np.int32),
        stimulus,
        pair,
        np.where(table > 0, table + len(groups), 0).astype(np.int32),
        agent.astype(np.int32),
        verdicts,
        np.concatenate([sums[:, :1], of_groups, sums[:, 1:]], axis=1),
        member,
        choice,
        people,
        both,
    )


def arrange_members(
    members: pd.DataFrame, judges: np.ndarray
) -> tuple[list[tuple[str, str]], np.ndarray]:
    """List the groups of judges, group_by and group, and tell who is in each, shape (judges, groups)."""
    members = members.loc[members["judge"].isin(judges), ["judge", "group_by", "group"]]
    group, places = combine_columns(members[["group_by", "group"]].astype("category"))
    member = np.zeros((len(judges), len(places)), bool)
    member[np.searchsorted(judges, members["judge"].to_numpy(str)), group] = True
    return list(places.itertuples(index=False, name=None)), member


def find_both_roles(judges: np.ndarray, stimuli: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Find who is both a judge and, in games of three parties, was judged; names are sorted and distinct."""
    judged = np.char.add(JUDGED, judges)
    _, *places = np.intersect1d(judged, stimuli, assume_unique=True, return_indices=True)
    return places[0], places[1]


def number_names(cells: pd.Series) -> tuple[np.ndarray, np.ndarray]:
    """Number the names in a column from 0, sorted by name: the numbers (missing: -1) and the names."""
    codes, names = pd.factorize(cells)
    names, place = np.unique(names.to_numpy(str), return_inverse=True)
    return np.append(place, -1)[codes], names


def name_units(judges: np.ndarray, people: np.ndarray | None) -> np.ndarray:
    """Name judges by the person they are, where that is known; arrays of str, shape (judges,)."""
    return judges if people is None else np.where(people == "", judges, people)


def group_judges(judges: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Assign judges to the demographic groups of a study."""
    return assign_groups(judges, study.demographics)


def assign_groups(judges: pd.DataFrame, described: Mapping[str, Any]) -> pd.DataFrame:
    """Assign judges to the groups of each demographic variable, in both readings."""
    columns = {"gender": "gender", "education": "education", "age": "age_band"}
    rows = []
    for group_by, groups in described.items():
        said = judges[columns.get(group_by, group_by)].astype(object)
        of_reading = {"published": said, "recommended": unify_person_answers(judges, said)}
        for group, readings in groups.items():
            for reading, values in readings.items():
                answers = of_reading[reading]
                # An answer that a group lists verbatim belongs to that group, whatever range it is in.
                members = [value for every in groups.values() for value in every.get(reading, ())]
                ranged = match_ranges(answers, values) & ~answers.isin(members)
                own = answers.isin(values) | ranged
                rows += [
                    {"judge": judge, "reading": reading, "group_by": group_by, "group": group}
                    for judge in judges.loc[own, "judge"]
                ]
    return pd.DataFrame(rows, columns=["judge", "reading", "group_by", "group"])


def unify_person_answers(judges: pd.DataFrame, answers: pd.Series) -> pd.Series:
    """Replace each person's later answers in a cohort by the first one."""
    if "person" not in judges:
        return answers
    place = [judges[name].astype(object) for name in ("task", "cohort")]
    person = judges["person"].astype(object).where(judges["person"].notna(), judges["judge"])
    first = answers.groupby([*place, person], sort=False).transform("first")
    return first.where(first.notna(), answers)


def match_ranges(answers: pd.Series, values: Sequence[Any]) -> pd.Series:
    """Find answers that are numbers inside one of the ranges among `values`, such as 18-35 or 46+.

    Closed ranges include both ends. Fractions are dropped, since with 18-35 and 36-45 an answer of 35.5
    would otherwise be in neither range.
    """
    numbers = np.floor(pd.to_numeric(answers, errors="coerce"))
    inside = pd.Series(False, index=answers.index)
    for value in values:
        match = re.fullmatch(r"(\d+)(?:-(\d+)|\+)", str(value))
        if match:
            low, high = float(match[1]), float(match[2] or "inf")
            inside |= numbers.between(low, high)
    return inside
