"""Data packages: tidy tables of trials, one folder per study.

A folder, such as those of `data/observed/`, holds CSV files and `datapackage.json` (a Frictionless Data
Package), which describes every column and its allowed values, names the public files that the tables were
made from, and gives a checksum for each table. For each task there may be five tables:

- ``<task>_trials.csv``: one row per trial. Where a trial is about two speakers (``conversation``), the
  columns ``verdict_a`` and ``verdict_b`` hold the verdict on each.
- ``<task>_judges.csv``: one row per judge.
- ``<task>_stimuli.csv``: one row per stimulus, where the truth is a fact about the stimulus.
- ``<task>_responses.csv``: one row per response, where responses may be passed on.
- ``<task>_left_out.csv``: how many trials of the public files are left out, and why.

This module reads them; `turingstats.data.package_writer` writes them. Study, task and kind of judge are not
in the tables, because they follow from the file name and the study file. Neither is the truth of a trial: a
response is a person's if its agent is `human`, otherwise a machine's.
"""

import functools
import io
from collections.abc import Collection, Sequence
from pathlib import Path

import pandas as pd

from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import InputError
from turingstats.data import notes, schema
from turingstats.data.data_package import (
    BY_SPEAKER,
    PACKAGE,
    PUBLISHED_AGENT,
    WHOLE,
    YES_NO,
    Table,
    explain_restoring,
    list_tables,
    load_package,
)


def read_package(folder: str | Path, study: Study) -> tuple[pd.DataFrame, ...]:
    """Read a data package into the tables of the data contract; see `schema.complete_tables`."""
    return schema.complete_tables(collect_tables(folder, study), study)


def collect_tables(folder: str | Path, study: Study) -> dict[str, pd.DataFrame]:
    """Read the tables of a data package as they are."""
    tables = {name: [pd.DataFrame(columns=[*schema.CONTRACT[name]])] for name in schema.READ}
    origins = [pd.Series(dtype=object)]
    for described in list_tables(folder, study.tasks):
        for name, table in read_table(described, folder, study).items():
            tables[name].append(table)
            if name == "judgments":
                origins.append(pd.Series(described.path, table.index, dtype=object))
    noted = pd.DataFrame(load_package(folder).notes, columns=notes.NOTE_COLUMNS)
    stacked = {name: pd.concat(parts, ignore_index=True) for name, parts in tables.items()}
    stacked |= {"notes": noted[noted["task"].isin(study.tasks)]}
    return stacked | {"origins": pd.concat(origins, ignore_index=True)}


def count_trials(folder: str | Path, table: Table, cohorts: Collection[str]) -> int | None:
    """Count the trials of some cohorts in a table; None for a table of another kind."""
    if table.kind != "trials":
        return None
    return int(load_table(folder, table.path)["cohort"].isin(cohorts).sum())


@functools.cache
def load_table(folder: str | Path, path: str) -> pd.DataFrame:
    """Read a table as text once, after its checksum has shown that it is the one that is described."""
    described = next(table for table in load_package(folder).resources if table.path == path)
    file = Path(folder) / path
    fix = explain_restoring(file)
    if not file.exists():
        raise InputError(file, "file not found", fix=fix)
    content = file.read_bytes()
    if files.digest_bytes(content) != described.hash:
        raise InputError(file, f"checksum mismatch with {PACKAGE}", fix=fix)
    table = pd.read_csv(io.BytesIO(content), dtype=str, keep_default_na=False, na_filter=False)
    key = described.columns.primaryKey
    if key and (twice := table.duplicated(key)).any():
        row = twice.idxmax()
        same = (table[key] == table.loc[row, key]).all(axis=1).idxmax() + 2
        raise InputError(file, f"the same {', '.join(key)} as in row {same}", row=row + 2, fix=fix)
    return table.astype(object).where(table != "", None)


def read_table(described: Table, folder: str | Path, study: Study) -> dict[str, pd.DataFrame]:
    """Read the rows of a table that belong to the study's cohorts, by its name in the data contract."""
    table, task = load_table(folder, described.path).copy(), described.task
    cohorts = study.tasks[task].cohorts
    table.insert(0, "study", study.study)
    table.insert(1, "task", task)
    if "cohort" in table:
        table = table[table["cohort"].isin(cohorts)]
        kinds = {name: cohort.judge_kind for name, cohort in cohorts.items()}
        table = table.assign(judge_kind=table["cohort"].map(kinds))
    if "judge" in table:
        table = table.assign(judge=f"{task}." + table["cohort"] + "." + table["judge"])
    table = table.reset_index(drop=True)
    for name in table.columns.intersection(WHOLE):
        table[name] = table[name].astype("Int64")
    for name in table.columns.intersection(YES_NO):
        table[name] = table[name].map({"yes": True, "no": False})
    conditions, answers = schema.list_study_columns(study)
    more: list[str] = []
    if described.kind == "trials":
        table, more = split_speakers(split_readings(table)), conditions
    elif described.kind == "stimuli":
        table = repeat_by_speaker(table, ["agent"])
        table["truth"] = derive_truth(table["agent"])
    elif described.kind == "judges":
        more = answers
    name = "judgments" if described.kind == "trials" else described.kind
    return {name: table.reindex(columns=[*schema.CONTRACT[name], *more])}


def split_readings(trials: pd.DataFrame) -> pd.DataFrame:
    """Make two rows of a trial whose response is another agent's in the published analysis."""
    if PUBLISHED_AGENT not in trials:
        return trials
    differs = trials[PUBLISHED_AGENT].notna()
    rows = trials.loc[trials.index.repeat(1 + differs)].copy()
    published = ~rows.index.duplicated() & differs[rows.index]
    rows["agent"] = rows["agent"].where(~published, rows[PUBLISHED_AGENT])
    rows["reading"] = published.map({True: "published", False: "recommended"})
    rows["reading"] = rows["reading"].where(differs[rows.index], None)
    return rows.reset_index(drop=True)


def split_speakers(trials: pd.DataFrame) -> pd.DataFrame:
    """Make one row per verdict: two per trial of a conversation, A before B."""
    if "verdict_a" not in trials:
        return trials.assign(truth=derive_truth(trials["agent"]))
    return repeat_by_speaker(trials, [name for name in BY_SPEAKER if f"{name}_a" in trials])


def repeat_by_speaker(table: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Make one row per speaker of a conversation, with what columns say about this one."""
    rows = table.loc[table.index.repeat(2)].assign(side=["A", "B"] * len(table))
    for name in names:
        rows[name] = rows[f"{name}_a"].where(rows["side"] == "A", rows[f"{name}_b"])
    return rows.reset_index(drop=True)


def derive_truth(agent: pd.Series) -> pd.Series:
    """Derive the truth (human or machine) from the agent; missing where the agent is not known."""
    return agent.where(agent.isna() | (agent == "human"), "machine")
