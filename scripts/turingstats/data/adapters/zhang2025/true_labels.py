"""Labels of conversations, from the trials of a psiTurk table that has them (`trueLabel`)."""

from pathlib import Path

import pandas as pd

from turingstats.data import schema
from turingstats.data.adapters import records
from turingstats.data.adapters.zhang2025 import conversations, psiturk_table


def read(file, folder, study):
    """Read the label of every conversation that was shown in finished sessions.

    Parameters
    ----------
    file : RawFile
    folder : path-like
    study : Study

    Returns
    -------
    dict of str to pandas.DataFrame
        `stimuli`: truth of each side and variant; contradictions are found when tables are joined.
    """

    path = Path(folder) / file.path
    found = set()
    finished, _ = psiturk_table.sessions(file, folder)
    for row, _, session, _ in finished:
        for data in psiturk_table.trials_of(session, path=path, row=row):
            where = {"path": path, "row": row}
            code = records.field(data, "trueLabel", **where)
            conversations.label(code, column="trueLabel", **where)
            number = records.field(data, "hit", **where)
            found.add(
                (conversations.name(conversations.collection_of(data, **where), number), code)
            )
    rows = []
    for stimulus, code in sorted(found):
        rows += conversations.sides_of(stimulus, code, file, study)
    return {"stimuli": pd.DataFrame(rows, columns=list(schema.STIMULI))}
