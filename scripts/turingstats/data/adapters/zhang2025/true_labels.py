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
        `stimuli`: truth of each side and variant; contradictions are detected when tables are joined.
    """

    path = Path(folder) / file.path
    labels = set()
    finished, _ = psiturk_table.read_sessions(file, folder)
    for row, _, session, _ in finished:
        for data in psiturk_table.list_session_trials(session, path=path, row=row):
            where = {"path": path, "row": row}
            code = records.require_field(data, "trueLabel", **where)
            conversations.check_label(code, column="trueLabel", **where)
            number = records.require_field(data, "hit", **where)
            labels.add(
                (
                    conversations.name_conversation(
                        conversations.find_collection(data, **where), number
                    ),
                    code,
                )
            )
    rows = []
    for stimulus, code in sorted(labels):
        rows += conversations.make_side_rows(stimulus, code, file, study)
    return {"stimuli": pd.DataFrame(rows, columns=list(schema.STIMULI))}
