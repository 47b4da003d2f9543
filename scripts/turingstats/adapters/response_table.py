"""Responses of any study: a table with a row a response, and its columns named in data/sources/."""

from pathlib import Path

from turingstats import schema
from turingstats.adapters import columns, records
from turingstats.adapters.verdict_table import known


def read(file, folder, study):
    """Read a table of responses.

    Parameters
    ----------
    file : RawFile
    folder : path-like
    study : Study

    Returns
    -------
    dict of str to pandas.DataFrame
        `responses`.
    """
    path = Path(folder) / file.path
    names = ["stimulus", "agent", "responder", "response"]
    table = columns.load(file, folder, names)
    for name in ("stimulus", "response"):
        table[name] = columns.filled(table[name], name, file.columns[name], path)
    agent = known(table["agent"].fillna(""), records.agent_names(study), "agent", file, path)
    table = table.assign(study=study.study, task=file.task, agent=agent)
    if "responder" in table:
        # People who answered get pseudonyms as judges do.
        number = {name: n for n, name in enumerate(table["responder"].dropna().unique(), start=1)}
        table["responder"] = (
            table["responder"].map(number).map("r{:03.0f}".format, na_action="ignore")
        )
    return {"responses": table.reindex(columns=list(schema.RESPONSES))}
