"""Adapters: one module a raw format, each turning a file into tables of the data contract.

Identifiers of people and machines (worker ids, addresses, browser strings) are dropped here, while
reading; judges get pseudonyms in the order of their first appearance in a file.
"""

import importlib

from turingstats import schema

FORMATS = {
    "trial_dictionary": "judgments of people, one record a trial (JSON)",
    "prediction_dictionary": "verdicts of a machine judge, one record a trial (JSON)",
    "word_trials": "judgments of word associations by people (JSON)",
    "word_predictions": "verdicts on word associations by several machine judges (JSON)",
    "caption_trials": "judgments of image captions by people (JSON)",
    "companion": "read with another file, by its adapter",
    "answer_dictionary": "answers of people and models, a list for each stimulus (JSON)",
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
    """
    import pandas as pd

    tables = {
        "judgments": [pd.DataFrame(columns=list(schema.JUDGMENTS))],
        "judges": [pd.DataFrame(columns=list(schema.JUDGES))],
        "responses": [pd.DataFrame(columns=list(schema.RESPONSES))],
    }
    for file in files:
        adapter = importlib.import_module(f"turingstats.adapters.{file.format}")
        for name, table in adapter.read(file, folder, study).items():
            tables[name].append(table)
    judgments, judges, responses = (
        pd.concat([t.astype(object) for t in tables[name]], ignore_index=True)
        for name in ("judgments", "judges", "responses")
    )
    judgments = schema.checked(schema.judgments_schema(), judgments, "judgments")
    judges = schema.checked(schema.judges_schema(), judges, "judges")
    return judgments, judges, responses.astype(str).replace("None", None)
