"""Judgments of conversations: `{"inlab": {"datastring": [{"questiondata", "data"}, ...]}, ...}`.

One list of judges a source (`key`), without any name of a judge. The first entry of each judge's trials
is a dummy with conversation 0. The labels of the conversations are in other files.
"""

from pathlib import Path

import pandas as pd

from turingstats.data import schema
from turingstats.data.adapters import records
from turingstats.data.adapters.zhang2025 import conversations


def read(file, folder, study):
    """Read the judges of one source.

    Parameters
    ----------
    file : RawFile
    folder : path-like
    study : Study

    Returns
    -------
    dict of str to pandas.DataFrame
        `judgments` (without agent and truth) and `judges`.
    """

    path = Path(folder) / file.path
    common = records.place(file, study)
    judgments, judges = [], []
    content = records.load(file, folder)
    for judge, record in enumerate(
        records.field(content, "datastring", path=path, row=file.key), start=1
    ):
        row = f"{file.key}.datastring[{judge - 1}]"
        own = common | {"judge": records.pseudonym(file, judge)}
        answers = records.field(record, "questiondata", path=path, row=row)
        judges.append(own | conversations.questionnaire(answers, path=path, row=row))
        for position, entry in enumerate(records.field(record, "data", path=path, row=row)):
            where = {"path": path, "row": f"{row}.data[{position}]"}
            data = records.field(entry, "trialdata", **where)
            if records.field(data, "hit", **where) == 0:
                continue
            place = own | {"trial": position, "position": position, "phase": "test"}
            judgments += [place | side for side in conversations.judgments_of(data, **where)]
    return {
        "judgments": pd.DataFrame(judgments, columns=list(schema.JUDGMENTS)),
        "judges": pd.DataFrame(judges, columns=list(schema.JUDGES)),
    }
