"""The data contract: the tables that stages pass to each other, with the columns that `schema.yaml` lists."""

import functools
from collections.abc import Collection, Hashable, Sequence
from pathlib import Path
from typing import Any

import pandas as pd

from turingstats.config.study import Study
from turingstats.core.errors import ConfigError, InputError
from turingstats.core.plain_text import show_plainly
from turingstats.core.yaml_models import read_mapping
from turingstats.data.distinct_values import sort_categories

CONTRACT: dict[str, Any] = read_mapping(Path(__file__).with_suffix(".yaml"))
JUDGMENTS, JUDGES, RESPONSES, LEFT_OUT, STIMULI, COUNTS = (
    CONTRACT[name] for name in ("judgments", "judges", "responses", "left_out", "stimuli", "counts")
)
"""Meaning of each column, by table."""
READ = ("judgments", "judges", "responses", "stimuli", "left_out")
"""Tables that are read of the files of a study."""
NUMBERS: dict[str, str] = CONTRACT["types"]
LIMITS: dict[str, tuple[float, float]] = CONTRACT["limits"]
ALLOWED = {name: tuple(values) for name, values in CONTRACT["allowed"].items()}
TRUTHS, VERDICTS, PHASES, GENDERS = (
    ALLOWED[name] for name in ("truth", "verdict", "phase", "perceived_gender")
)
RESULTS: dict[str, list[str]] = {
    name: columns.split() for name, columns in CONTRACT["results"].items()
}
"""Columns of tables of results, before the label of the data."""
IDENTITIES: dict[str, list[str]] = {
    name: columns.split() for name, columns in CONTRACT["identities"].items()
}
"""Columns of which ids of rows consist, by table of results."""
WORKER = "worker"
"""Column that adapters add to the judges: the worker's id, from which `person` is derived. It is never
written."""
MACHINE = "machine"
"""Alias of the agent that stands for machines that no file names."""
JUDGED = "person "
"""Start of the name of a stimulus that is a person, as in games of three parties; a pseudonym follows, that
of the judge if the person also judges."""


@functools.lru_cache(2**16, typed=True)
def normalize_spelling(value: Hashable) -> str:
    """Remove case, surrounding blanks and what is not seen, which do not matter in a table."""
    return show_plainly(str(value)).strip().lower()


def check_judgments(
    table: pd.DataFrame,
    file: str,
    conditions: Sequence[str] = (),
    origins: pd.Series | None = None,
) -> pd.DataFrame:
    """Check judgments, with the conditions of their study, and give them the types of the contract."""
    names = (*JUDGMENTS, *conditions)
    types = {name: NUMBERS.get(name, "category") for name in names}
    filled = ("study", "task", "cohort", "judge_kind", "judge", "phase", "verdict")
    return check_cells(table, types, filled, file, origins)


def check_cells(
    table: pd.DataFrame,
    types: dict[str, str],
    filled: Collection[str],
    file: str,
    origins: pd.Series | None = None,
) -> pd.DataFrame:
    """Give columns their types, and refuse the first cell that the contract does not allow."""
    table = table[list(types)].astype(types)
    wrong = {(name, "an empty cell"): table[name].isna() for name in filled}
    for name in (name for name in ALLOWED if name in types):
        told = f"it is none of {ALLOWED[name]}"
        wrong[name, told] = table[name].notna() & ~table[name].isin(ALLOWED[name])
    for name in (name for name in LIMITS if types.get(name, "category") != "category"):
        low, _ = LIMITS[name]
        wrong[name, f"it is below {low}"] = (table[name] < low).fillna(False)
    if "verdict" in types:
        agent, truth = table["agent"], table["truth"]
        differs = ((agent == "human") != (truth == "human")) | (agent.isna() != truth.isna())
        wrong["agent", "the truth of its row contradicts it"] = differs
    if "person" in types:
        wrong["judge", "it occurs twice"] = table["judge"].duplicated()
    for (name, problem), rows in wrong.items():
        if rows.any():
            row = rows.idxmax()
            places = [f"{at} {table.at[row, at]}" for at in ("judge", "trial") if at in table]
            raise InputError(
                file if origins is None else origins[row],
                f"the table violates the data contract ({problem})",
                row=", ".join(places) or row,
                column=name,
                value=table.at[row, name],
                fix="see the data contract in src/turingstats/data/schema.yaml",
            )
    return table


def complete_tables(
    tables: dict[str, pd.DataFrame], study: Study, optional: Collection[str] = ()
) -> tuple[pd.DataFrame, ...]:
    """Complete and check the judgments, judges, responses, rows left out and notes of all files."""
    judgments, judges, responses = (tables[name] for name in ("judgments", "judges", "responses"))
    if judgments.empty:
        asked = [f"{task}.{name}" for task, own in study.tasks.items() for name in own.cohorts]
        problem = "There are no judgments to analyze: no available raw file belongs to"
        fix = "widen tasks or cohorts, or see data/missing.csv for what the source lacks"
        raise ConfigError(f"{problem} {', '.join(asked)}.", fix=fix)
    judgments = complete_judgments(judgments, tables["stimuli"], study)
    conditions, answers = list_study_columns(study)
    of_judges = dict.fromkeys((*JUDGES, *answers), "category") | {"judge": "str", "person": "str"}
    of_responses = dict.fromkeys(RESPONSES, "str") | {"side": "category", "turn": "Int32"}
    filled = ("study", "task", "stimulus", "agent", "response")
    require_columns(judgments, set(conditions) - set(optional), "condition")
    require_columns(judges, set(answers) - set(optional), "demographic variable")
    judgments = sort_categories(judgments)
    judgments = check_judgments(judgments, "judgments", conditions, tables["origins"])
    judges = check_cells(judges, of_judges, ("study", "task", "cohort", "judge"), "judges")
    responses = check_cells(responses, of_responses, filled, "responses")
    return judgments, judges, responses, tables["left_out"], tables["notes"]


def list_study_columns(study: Study) -> tuple[list[str], list[str]]:
    """List conditions and questionnaire items of a study that the data contract has no column for."""
    declared = [name for task in study.tasks.values() for name in task.condition_names]
    declared += [name for task in study.tasks.values() for name in task.columns]
    # The number of exchanges is a column of the contract. Groups of judges, with which a condition may be
    # crossed, are questionnaire items; age is an age band.
    known = {*JUDGMENTS, *study.demographics}
    conditions = [name for name in dict.fromkeys(declared) if name not in known]
    answers = [name for name in study.demographics if name not in (*JUDGES, "age")]
    return conditions, answers


def require_columns(table: pd.DataFrame, names: Collection[str], what: str) -> None:
    """Check that the raw files have all conditions or items of a study file."""
    absent = [name for name in sorted(names) if name not in table or table[name].isna().all()]
    if absent:
        problem = f"No raw file holds the {what} {', '.join(absent)} of the study file."
        fix = "name its column under `columns` in data/sources/, or remove it from the study"
        raise ConfigError(problem, fix=fix)


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
            problem = f"two files contradict each other on who spoke as {first['side']}"
            place = {"row": f"conversation {first['stimulus']}", "column": name}
            place["value"] = " and ".join(twice.loc[twice["stimulus"] == first["stimulus"], name])
            raise InputError(
                "raw files", problem, **place, fix="restore the files from their source"
            )
    facts = stimuli.groupby(keys, sort=False)[["agent", "truth", "variant", "topic"]].first()
    matched = facts.reindex(pd.MultiIndex.from_frame(judgments.loc[unnamed, keys]))
    for name in facts:
        cells = judgments.loc[unnamed, name]
        judgments.loc[unnamed, name] = cells.where(cells.notna(), matched[name].to_numpy())
    nameless = judgments["agent"].isna()
    nameless_machines = [
        name
        for name, agent in study.agents.items()
        if MACHINE in map(str.lower, (agent.label, *agent.aliases))
    ]
    anonymous = {"human": "human", MACHINE: [*nameless_machines, MACHINE][0]}
    judgments.loc[nameless, "agent"] = judgments.loc[nameless, "truth"].map(anonymous)
    return judgments
