"""Adapters: one module a raw format, each turning a file into tables of the data contract.

Identifiers of people and machines (worker ids, addresses, browser strings) are dropped here, while
reading; judges get pseudonyms in the order of their first appearance in a file, and people numbers in
that of their first appearance in the study.
"""

import importlib

from turingstats import schema
from turingstats.adapters.persons import Persons
from turingstats.errors import ConfigError, InputError

FORMATS = {
    "trial_dictionary": "judgments of people, one record a trial (JSON)",
    "prediction_dictionary": "verdicts of a machine judge, one record a trial (JSON)",
    "scanpath_dictionary": "judgments of people on eye movements, one record a trial (JSON)",
    "psiturk_attention": "judgments of people on eye movements, one row a session (CSV with JSON)",
    "word_trials": "judgments of word associations by people (JSON)",
    "word_predictions": "verdicts on word associations by several machine judges (JSON)",
    "caption_trials": "judgments of image captions by people (JSON)",
    "verdict_table": "judgments, a row a verdict, in columns of any names (CSV or parquet)",
    "response_table": "responses, a row a response, in columns of any names (CSV or parquet)",
    "observed_table": "observed trials that come with the project (CSV with a data package)",
    "companion": "read with another file, by its adapter",
    "answer_dictionary": "answers of people and models, a list for each stimulus (JSON)",
    "conversation_dictionary": "judgments of conversations, a list of judges a source (JSON)",
    "psiturk_table": "judgments of conversations, a row a session (CSV of psiTurk)",
    "checkpoint_dictionary": "choices of the online test, four a conversation (JSON)",
    "true_labels": "labels of conversations, from the trials that show them (CSV of psiTurk)",
    "topic_dictionary": "topics of conversations, from the trials sorted by topic (JSON)",
    "conversation_turns": "what was said in conversations, a row a turn (CSV)",
    "conversation_register": "who spoke in each conversation (CSV)",
}


def read(files, folder, study):
    """Read raw files, each with the adapter of its format, into the tables of the data contract.

    Parameters
    ----------
    files : sequence of RawFile
    folder : path-like
        Top of the raw data.
    study : Study

    Returns
    -------
    judgments, judges, responses : pandas.DataFrame
        Columns as in `turingstats.schema`.

    Raises
    ------
    InputError
        The content of a file is not what its format promises.
    ConfigError
        None of the files holds judgments.
    """
    tables = collect(files, folder, study)
    if tables["judgments"].empty:
        asked = [f"{task}.{name}" for task, own in study.tasks.items() for name in own.cohorts]
        raise ConfigError(
            f"There are no judgments to analyse: no raw file at hand belongs to {', '.join(asked)}.\n"
            "Widen tasks or cohorts, or see data/missing.csv for what the source lacks."
        )
    judges, responses = tables["judges"], tables["responses"]
    judgments = completed(tables["judgments"], tables["stimuli"])
    conditions, answers = own_columns(study)
    optional = {name for file in files for name in file.optional}
    require_columns(judgments, set(conditions) - optional, "condition")
    require_columns(judges, set(answers) - optional, "demographic variable")
    judgments = schema.checked(schema.judgments_schema(conditions), judgments, "judgments")
    judges = schema.checked(schema.judges_schema(answers), judges, "judges")
    responses = schema.checked(schema.responses_schema(), responses, "responses")
    return judgments, judges, responses


def collect(files, folder, study):
    """Read raw files as they are, before files complete each other and the contract is checked.

    Parameters
    ----------
    files, folder, study
        As of `read`.

    Returns
    -------
    dict of str to pandas.DataFrame
        `judgments`, `judges`, `responses` and `stimuli`, of all files.

    Raises
    ------
    InputError, ConfigError
        As `read`.
    """
    import pandas as pd

    tables = {
        "judgments": [pd.DataFrame(columns=list(schema.JUDGMENTS))],
        "judges": [pd.DataFrame(columns=list(schema.JUDGES))],
        "responses": [pd.DataFrame(columns=list(schema.RESPONSES))],
        "stimuli": [pd.DataFrame(columns=list(schema.STIMULI))],
    }
    persons = Persons()
    for file in files:
        if file.format not in FORMATS:
            raise ConfigError(
                f"data/sources: {file.path} has the unknown format {file.format!r}\n"
                f"  allowed: {', '.join(sorted(FORMATS))}"
            )
        adapter = importlib.import_module(f"turingstats.adapters.{file.format}")
        for name, table in adapter.read(file, folder, study).items():
            if name == "judges":
                table = persons.told(table, file.workers or study.study)
            tables[name].append(table)
    return {
        name: pd.concat([table.astype(object) for table in parts], ignore_index=True)
        for name, parts in tables.items()
    }


def own_columns(study):
    """Conditions and questionnaire items of a study that the data contract has no column for.

    Returns
    -------
    conditions, answers : list of str
        In the order in which the study file names them.
    """
    named = [
        name
        for task in study.tasks.values()
        for condition in task.conditions
        for name in condition.split("+")
    ]
    named += [name for task in study.tasks.values() for name in task.columns]
    # A number of exchanges is a column; groups of judges, which a condition may be crossed with, are
    # questionnaire items, age an age band.
    known = {*schema.JUDGMENTS, *study.demographics}
    conditions = [name for name in dict.fromkeys(named) if name not in known]
    answers = [name for name in study.demographics if name not in (*schema.JUDGES, "age")]
    return conditions, answers


def require_columns(table, names, what):
    """Say which condition or item of a study file no raw file holds."""
    absent = [name for name in sorted(names) if name not in table or table[name].isna().all()]
    if absent:
        raise ConfigError(
            f"No raw file holds the {what} {', '.join(absent)} of the study file.\n"
            "  remedy:  name its column under `columns` in data/sources/, or take it out of the study"
        )


def completed(judgments, stimuli):
    """Fill in who and what was judged, where the files of the judgments do not say.

    Parameters
    ----------
    judgments : pandas.DataFrame
        With `agent`, `truth`, `variant` or `topic` empty where another file holds them.
    stimuli : pandas.DataFrame
        Columns of `turingstats.schema.STIMULI`; a stimulus and side may have several rows.

    Returns
    -------
    pandas.DataFrame
        `judgments` without those whose truth is not known; a machine whose name no file tells is
        the agent `machine`.

    Raises
    ------
    InputError
        Two files contradict each other.
    """
    import pandas as pd

    unnamed = judgments["agent"].isna()
    if not unnamed.any():
        return judgments
    keys = ["task", "stimulus", "side"]
    told = judgments.loc[unnamed & judgments["truth"].notna(), [*keys, "truth"]]
    for name in ("truth", "agent"):
        known = pd.concat([stimuli, told])[[*keys, name]].dropna().drop_duplicates()
        twice = known[known.duplicated(keys, keep=False)]
        if len(twice):
            first = twice.iloc[0]
            raise InputError(
                "raw files",
                f"two files contradict each other on who spoke as {first['side']}",
                row=f"conversation {first['stimulus']}",
                column=name,
                value=" and ".join(twice.loc[twice["stimulus"] == first["stimulus"], name]),
                remedy="restore the files from their source",
            )
    facts = stimuli.groupby(keys, sort=False)[["agent", "truth", "variant", "topic"]].first()
    found = facts.reindex(pd.MultiIndex.from_frame(judgments.loc[unnamed, keys]))
    for name in facts:
        own = judgments.loc[unnamed, name]
        judgments.loc[unnamed, name] = own.where(own.notna(), found[name].to_numpy())
    nameless = judgments["agent"].isna()
    judgments.loc[nameless, "agent"] = judgments.loc[nameless, "truth"]
    unknown = judgments["truth"].isna()
    if unknown.any():
        print(f"{unknown.sum()} judgments left out: no file says who was judged")
    return judgments[~unknown].reset_index(drop=True)
