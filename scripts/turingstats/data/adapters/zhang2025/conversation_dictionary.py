"""Judgments of conversations: `{"inlab": {"datastring": [{"questiondata", "data"}, ...]}, ...}`.

One list of judges per source (`key`), without names of judges. The first entry of each judge's trials
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
    common = records.make_common_columns(file, study)
    judgments, judges = [], []
    content = records.load_records(file, folder)
    for judge, record in enumerate(
        records.require_field(content, "datastring", path=path, row=file.key), start=1
    ):
        row = f"{file.key}.datastring[{judge - 1}]"
        judge_columns = common | {"judge": records.make_pseudonym(file, judge)}
        answers = records.require_field(record, "questiondata", path=path, row=row)
        judges.append(judge_columns | conversations.read_questionnaire(answers, path=path, row=row))
        for position, entry in enumerate(records.require_field(record, "data", path=path, row=row)):
            where = {"path": path, "row": f"{row}.data[{position}]"}
            data = records.require_field(entry, "trialdata", **where)
            if records.require_field(data, "hit", **where) == 0:
                continue
            place = judge_columns | {"trial": position, "position": position, "phase": "test"}
            judgments += [place | side for side in conversations.extract_judgments(data, **where)]
    return {
        "judgments": pd.DataFrame(judgments, columns=list(schema.JUDGMENTS)),
        "judges": pd.DataFrame(judges, columns=list(schema.JUDGES)),
    }
