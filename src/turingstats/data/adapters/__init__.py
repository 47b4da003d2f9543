"""Adapters: one module per kind of table that users have, each reading it to tables of the data contract.

A format is a module of this package with a function ``read(file, folder, study)``. Files in data/sources/
refer to it by name.

Identifiers of people and machines (worker ids, addresses, browser strings) are dropped while reading.
Judges get pseudonyms in order of first appearance in a file, people get numbers in order of first
appearance in the study.
"""

import importlib
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from turingstats.config.raw_files import RawFile
from turingstats.config.study import Study
from turingstats.core.errors import ConfigError, InputError
from turingstats.data import distinct_values, notes, schema
from turingstats.data.adapters.persons import Persons
from turingstats.data.distinct_values import sort_categories

MACHINE = "machine"
"""Alias of the agent that stands for machines that no file names."""
FORMATS = ("response_table", "verdict_table")
"""Modules of this package with a function `read`."""
ALL_ROWS = "all rows of the file"
"""Cohort of rows that are left out, where the cohort is not known."""
RESPONSES = "responses"
"""Cohort of rows of a table of responses."""


def read_with_left_out(
    files: Sequence[RawFile], folder: str | Path, study: Study
) -> tuple[pd.DataFrame, ...]:
    """Read raw files into the tables of the data contract, with the rows that are left out, and notes."""
    tables = collect_tables(files, folder, study)
    optional = {name for file in files for name in file.optional}
    return complete_tables(tables, study, optional)


def complete_tables(
    tables: dict[str, pd.DataFrame], study: Study, optional: Collection[str] = ()
) -> tuple[pd.DataFrame, ...]:
    """Complete and check the judgments, judges, responses, rows left out and notes of all files."""
    judgments, judges, responses = (tables[name] for name in ("judgments", "judges", "responses"))
    if judgments.empty:
        asked = [f"{task}.{name}" for task, own in study.tasks.items() for name in own.cohorts]
        raise ConfigError(
            f"There are no judgments to analyze: no available raw file belongs to {', '.join(asked)}.\n"
            "Widen tasks or cohorts, or see data/missing.csv for what the source lacks."
        )
    judgments = complete_judgments(judgments, tables["stimuli"], study)
    conditions, answers = list_study_columns(study)
    require_columns(judgments, set(conditions) - set(optional), "condition")
    require_columns(judges, set(answers) - set(optional), "demographic variable")
    judgments = schema.check_contract(
        schema.build_judgments_schema(conditions),
        sort_categories(judgments),
        "judgments",
        tables["origins"],
    )
    judges = schema.check_contract(schema.build_judges_schema(answers), judges, "judges")
    responses = schema.check_contract(schema.build_responses_schema(), responses, "responses")
    return judgments, judges, responses, tables["left_out"], tables["notes"]


class TracedRows(NamedTuple):
    """Which rows of a table are read, and which are not."""

    identity: tuple[str, str]
    """The file, and the columns with the verdicts or responses."""
    read: pd.Index
    """Numbers in the file of the rows that are read."""
    left_out: pd.DataFrame
    """study, task, cohort, file, reason of the other rows, indexed by row number."""


def trace_rows(
    file: RawFile, study: Study, read: pd.Index, left_out: pd.DataFrame, place: str | None = None
) -> TracedRows:
    """Record which rows of a table are read, and why the others are not."""
    answers = ("verdict", "rating", "right", "chosen", "response")
    asked = [file.labels.get(name, "") for name in answers]
    cohort = left_out["cohort"] if place is None else place
    lost = left_out.assign(study=study.study, task=file.task, file=file.path, cohort=cohort)
    return TracedRows((file.path, " ".join(asked)), read, lost)


def count_unread_rows(traced: Sequence[TracedRows]) -> pd.DataFrame:
    """Count the rows that no entry of the sources reads, by reason.

    Several entries may share the rows of a file, for example one entry per task. A row that any of them
    reads is not left out, and a row that none of them reads is counted once.
    """
    place, lost = ["study", "task", "cohort", "file", "reason"], []
    for identity in dict.fromkeys(rows.identity for rows in traced):
        own = [rows for rows in traced if rows.identity == identity]
        rows = pd.concat([part.left_out for part in own])
        for part in own:
            rows = rows[~rows.index.isin(part.read)]
        rows["cohort"] = rows["cohort"].astype(object).fillna(ALL_ROWS)
        several = rows.groupby(level=0)["cohort"].transform("nunique") > 1
        rows["cohort"] = rows["cohort"].where(~several, ALL_ROWS)
        lost.append(rows[~rows.index.duplicated()])
    if not lost:
        return pd.DataFrame(columns=list(schema.LEFT_OUT))
    counted = pd.concat(lost).groupby(place, sort=False).size()
    return counted.rename("rows").reset_index()[list(schema.LEFT_OUT)]


def collect_tables(
    files: Sequence[Any],
    folder: str | Path,
    study: Study,
    read: Callable[..., dict[str, pd.DataFrame]] | None = None,
) -> dict[str, pd.DataFrame]:
    """Read raw files as they are, before joining them and validating the data contract."""
    tables = {
        "judgments": [pd.DataFrame(columns=list(schema.JUDGMENTS))],
        "judges": [pd.DataFrame(columns=list(schema.JUDGES))],
        "responses": [pd.DataFrame(columns=list(schema.RESPONSES))],
        "stimuli": [pd.DataFrame(columns=list(schema.STIMULI))],
        "left_out": [pd.DataFrame(columns=list(schema.LEFT_OUT))],
        "notes": [pd.DataFrame(columns=notes.COLUMNS)],
    }
    persons, traced, origins = Persons(), [], [pd.Series(dtype=object)]
    for file in files:
        for name, table in (read or read_file)(file, folder, study).items():
            if name == "rows":
                traced.append(table)
                continue
            if name == "judges":
                table = persons.assign_person_numbers(table, study.study)
            tables[name].append(table)
            if name == "judgments":
                origins.append(pd.Series(file.path, table.index, dtype=object))
    tables["left_out"].insert(0, count_unread_rows(traced))
    stacked = {name: stack_parts(parts) for name, parts in tables.items()}
    return stacked | {"origins": pd.concat(origins, ignore_index=True)}


def read_file(file: RawFile, folder: str | Path, study: Study) -> dict[str, Any]:
    """Read a raw file with the adapter of its format; a companion is read with the file that names it."""
    if file.format == "companion":
        return {}
    if file.format not in FORMATS:
        raise ConfigError(
            f"data/sources: {file.path} has the unknown format {file.format!r}\n"
            f"  allowed: {', '.join(FORMATS)}, companion\n"
            "  fix:     correct it, or add its adapter (docs/extending.md)"
        )
    return importlib.import_module(f"{__name__}.{file.format}").read(file, folder, study)


def stack_parts(tables: Sequence[pd.DataFrame]) -> pd.DataFrame:
    """Stack tables; columns that have a type of the data contract in all of them keep it."""
    filled = [table for table in tables if len(table)]
    # Types of the data contract, rather than any Python values.
    has_types = all(
        pd.api.types.is_extension_array_dtype(kind) and kind != "str"
        for table in filled
        for kind in table.dtypes
    )
    if not filled or not has_types:
        return pd.concat([table.astype(object) for table in tables], ignore_index=True)
    return distinct_values.stack_tables(filled).reset_index(drop=True)


def list_study_columns(study: Study) -> tuple[list[str], list[str]]:
    """List conditions and questionnaire items of a study that the data contract has no column for."""
    named = [
        name
        for task in study.tasks.values()
        for condition in task.conditions
        for name in condition.split("+")
    ]
    named += [name for task in study.tasks.values() for name in task.columns]
    # The number of exchanges is a column of the contract. Groups of judges, with which a condition may be
    # crossed, are questionnaire items; age is an age band.
    known = {*schema.JUDGMENTS, *study.demographics}
    conditions = [name for name in dict.fromkeys(named) if name not in known]
    answers = [name for name in study.demographics if name not in (*schema.JUDGES, "age")]
    return conditions, answers


def require_columns(table: pd.DataFrame, names: Collection[str], what: str) -> None:
    """Check that the raw files have all conditions or items of a study file."""
    absent = [name for name in sorted(names) if name not in table or table[name].isna().all()]
    if absent:
        raise ConfigError(
            f"No raw file holds the {what} {', '.join(absent)} of the study file.\n"
            "  fix:     name its column under `columns` in data/sources/, or remove it from the study"
        )


def complete_judgments(
    judgments: pd.DataFrame, stimuli: pd.DataFrame, study: Study
) -> pd.DataFrame:
    """Fill in who and what was judged, where the files with the judgments do not say."""
    unnamed = judgments["agent"].isna()
    if not unnamed.any():
        return judgments
    keys = ["task", "stimulus", "side"]
    stated = judgments.loc[unnamed & judgments["truth"].notna(), [*keys, "truth"]]
    for name in ("truth", "agent"):
        known = pd.concat([stimuli, stated])[[*keys, name]].dropna().drop_duplicates()
        twice = known[known.duplicated(keys, keep=False)]
        if len(twice):
            first = twice.iloc[0]
            raise InputError(
                "raw files",
                f"two files contradict each other on who spoke as {first['side']}",
                row=f"conversation {first['stimulus']}",
                column=name,
                value=" and ".join(twice.loc[twice["stimulus"] == first["stimulus"], name]),
                fix="restore the files from their source",
            )
    facts = stimuli.groupby(keys, sort=False)[["agent", "truth", "variant", "topic"]].first()
    matched = facts.reindex(pd.MultiIndex.from_frame(judgments.loc[unnamed, keys]))
    for name in facts:
        cells = judgments.loc[unnamed, name]
        judgments.loc[unnamed, name] = cells.where(cells.notna(), matched[name].to_numpy())
    nameless = judgments["agent"].isna()
    named = [
        name
        for name, agent in study.agents.items()
        if MACHINE in map(str.lower, (agent.label, *agent.aliases))
    ]
    anonymous = {"human": "human", MACHINE: [*named, MACHINE][0]}
    judgments.loc[nameless, "agent"] = judgments.loc[nameless, "truth"].map(anonymous)
    return judgments
