"""Tables of choices between options: one row per choice, with the agents of the options and the winner.

The option shown first is in the first column. Of several options, the chosen one makes a row with each other.
Judges are replaced by pseudonyms.
"""

import itertools
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from turingstats.config.raw_files import RawFile
from turingstats.config.study import Study
from turingstats.core.errors import InputError
from turingstats.data.adapters import columns, repeated_rows, verdict_table
from turingstats.data.adapters.messages import make_source_error
from turingstats.data.adapters.places import locate_choices
from turingstats.data.adapters.shapes import Shaped
from turingstats.data.distinct_values import are_equal
from turingstats.data.exclusion_log import STEPS, list_steps
from turingstats.data.notes import NOTE_COLUMNS, describe

OPTIONS = tuple(f"option_{letter}" for letter in "abcdefgh")
TIE = "tie"
WHEN = ("trial", "position")
"""Columns that distinguish two choices of a judge between the same options."""
SHARED = ["cohort", "judge", "stimulus", "aspect"]
COMPARISONS = ["task", *SHARED, "trial", "first", "second", "outcome"]
"""`outcome` is 1 if the first was chosen, 0 if the second, 0.5 for a tie."""
SAME = "all options are by the same agent"


def read_study(listed: Iterable[RawFile], folder: str | Path, study: Study) -> dict[str, Any]:
    """Read the comparisons of a study, and count the rows that are left out."""
    files = [file for file in listed if file.format == "pairs"]
    if not files:
        raise InputError(
            folder, "no file of pairs", fix="list one with format: pairs in data/sources/"
        )
    read = [read_choices(file, folder, study) for file in files]
    names = ("comparisons", "exclusions", "record_checks")
    tables = {
        name: pd.concat(tables, ignore_index=True)
        for name, tables in zip(names, zip(*read, strict=True), strict=True)
    }
    checks = [*check_choices(tables["comparisons"]), *tables["record_checks"].to_dict("records")]
    place = {"study": study.study, "task": "", "cohort": ""}
    tables["record_checks"] = pd.DataFrame([place | row for row in checks], columns=NOTE_COLUMNS)
    return tables


def read_choices(
    file: RawFile, folder: str | Path, study: Study
) -> tuple[pd.DataFrame, pd.DataFrame, pd.DataFrame]:
    """Read the comparisons of one table, what is left out of it, and what was noted."""
    task = study.tasks[file.task]
    options = [name for name in OPTIONS if name in file.columns]
    if len(options) < 2 or "winner" not in file.columns:
        raise make_source_error(file, "lacking_options")
    known = ("judge", "cohort", "stimulus", "aspect", *WHEN, *OPTIONS, "winner")
    table, left_out, shaped = columns.load_columns(file, folder, known)
    with shaped.name_sources():
        table = table.assign(cohort=verdict_table.assign_cohorts(shaped, table, task))
        table["identity"] = verdict_table.identify_judges(shaped, table, task)
        table["judge"] = verdict_table.assign_pseudonyms(table, task, file.task)
        if "stimulus" in table:
            shaped.require_filled(table, "stimulus")
        agents = resolve_options(shaped, table[options], study)
        winner = locate_winners(shaped, table, agents)
    shaped.notes.extend(check_cohorts(table, file))
    # Agents and winners, however they are written.
    meant, first = table.assign(**agents, winner=winner), agents[options[0]]
    several = pd.concat([agents[n].notna() & ~are_equal(agents[n], first) for n in options], axis=1)
    is_choice = several.any(axis=1)
    same = pd.DataFrame({"reason": SAME, "cohort": table["cohort"].astype(object)})[~is_choice]
    meant, repeated = verdict_table.leave_out_repeats(shaped, meant[is_choice], task)
    lost = pd.concat([left_out, same, *repeated]).sort_index()
    cohorts = lost["cohort"].fillna(file.cohort or "not known")
    counted = lost["reason"].groupby([cohorts, lost["reason"]], sort=False).size()
    trials = meant.astype(object)
    comparisons = list_comparisons(trials, agents.loc[trials.index].astype(object))
    comparisons = comparisons.assign(task=file.task)[COMPARISONS]
    reasons = [(cohort, why, n) for (cohort, why), n in counted.items()]
    noted = pd.DataFrame(shaped.notes).assign(task=file.task, cohort=file.cohort or "")
    return comparisons, log_exclusions(study, file.task, trials, reasons), noted


def check_cohorts(table: pd.DataFrame, file: RawFile) -> list[dict[str, Any]]:
    """Check whether judges of several cohorts are the same people."""
    known = table[["cohort", "identity"]].drop_duplicates()
    several = known["identity"].duplicated().sum()
    if not several:
        return []
    number = known["identity"].nunique()
    check = "the same judges in several cohorts: each cohort is ranked as if others had judged"
    done = "nothing; if cohorts are what was asked (fluency, meaning), the column is an aspect"
    return [describe("warning", check, [f"{number} judges, {len(known)} in cohorts"], number, done)]


def check_choices(comparisons: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Check whether judges who compared the same agents about the same stimulus again chose the same."""
    known = comparisons[comparisons["stimulus"].notna()]
    first, second = known["first"].astype(str), known["second"].astype(str)
    swapped = first > second
    gained = known["outcome"].where(~swapped, 1 - known["outcome"])
    # In whatever order they were shown.
    responses = known[["task", *SHARED]].assign(
        first=first.where(~swapped, second), second=second.where(~swapped, first)
    )
    done = "every choice counts; if a column says what differed (aspect, turn), name it"
    return repeated_rows.check_repeats(responses, gained, "warning", "the same two responses", done)


def resolve_options(shaped: Shaped, cells: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Convert the options to agents of the study file; a row may have fewer options than others."""
    names = verdict_table.map_named_agents(study)
    agents = {}
    for number, option in enumerate(cells):
        if number < 2:
            shaped.require_filled(cells, option)
        filled = cells[option][cells[option].notna()]
        resolved = verdict_table.resolve_names(shaped, filled, names, option)
        agents[option] = resolved.reindex(cells.index)
    return pd.DataFrame(agents)


def locate_winners(shaped: Shaped, table: pd.DataFrame, agents: pd.DataFrame) -> pd.Series:
    """Locate the winner of each row: the name of its option, or a tie.

    A winner is called like its column, by what distinguishes its column (a, left), or like its agent.
    """
    cells = shaped.require_filled(table, "winner")
    labels = {option: shaped.file.labels[option] for option in agents}
    located = locate_choices(cells, table[[*agents]], labels, {TIE: TIE})
    located = located.fillna(locate_choices(cells, agents, {}, {}))
    absent = pd.concat([(located == option) & agents[option].isna() for option in agents], axis=1)
    wrong = cells[located.isna() | absent.any(axis=1)]
    allowed = [*labels.values(), TIE, "names of the agents"]
    shaped.refuse(wrong, "winner", "no_winner", allowed)
    return located


def list_comparisons(trials: pd.DataFrame, agents: pd.DataFrame) -> pd.DataFrame:
    """List the comparisons of each choice; a tie of several options is one of each two."""
    winner = trials["winner"]
    shared = trials.reindex(columns=SHARED).assign(trial=trials.index)
    tables = []
    for one, another in itertools.combinations(agents, 2):
        outcome = np.select([winner == one, winner == another, winner == TIE], [1, 0, 0.5], np.nan)
        part = shared.assign(first=agents[one], second=agents[another], outcome=outcome)
        tables.append(part[(part["first"] != part["second"]) & part["outcome"].notna()])
    table = pd.concat(tables).dropna(subset=["first", "second"])
    return table.sort_values("trial", kind="stable", ignore_index=True)


def log_exclusions(
    study: Study, task: str, trials: pd.DataFrame, lost: list[tuple[str, str, int]]
) -> pd.DataFrame:
    """Count the choices of each cohort, and those left out by reason, as for verdicts."""
    rows = []
    analyzed = trials["cohort"].value_counts()
    for cohort in dict.fromkeys([*analyzed.index, *(cohort for cohort, _, _ in lost)]):
        steps = [("filter", why, n) for of, why, n in lost if of == cohort]
        place = (study.study, task, cohort, "all", "recommended")
        rows += list_steps(place, steps, int(analyzed.get(cohort, 0)))
    return pd.DataFrame(rows, columns=STEPS)
