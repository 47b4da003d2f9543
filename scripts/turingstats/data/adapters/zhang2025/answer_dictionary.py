"""Answers to each stimulus: `{"1017.jpg": [{"response", "groundtruth", "machine_groundtruth"}, ...]}`."""

from pathlib import Path

import pandas as pd

from turingstats.core.errors import InputError
from turingstats.data import schema
from turingstats.data.adapters import records
from turingstats.data.adapters.zhang2025 import trial_records


def read(file, folder, study):
    """Read a dictionary of answers.

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
    agents = records.map_agent_names(study)
    responses = []
    for row, answers in records.load_records(file, folder).items():
        where = {"path": path, "row": row}
        if not isinstance(answers, list):
            raise InputError(path, "expected a list of answers", row=row)
        for answer in answers:
            agent, _ = trial_records.find_agent_and_truth(answer, agents, **where)
            responses.append(
                {
                    "study": study.study,
                    "task": file.task,
                    "stimulus": Path(row).stem,
                    "agent": agent,
                    "responder": find_responder(answer),
                    "response": str(records.require_field(answer, "response", **where)),
                }
            )
    return {"responses": pd.DataFrame(responses, columns=list(schema.RESPONSES))}


def find_responder(answer):
    """Find who answered, where people are identified; some files say only that it was a person."""
    name = answer.get("human_groundtruth")
    return None if name in (None, "", "human") else name
