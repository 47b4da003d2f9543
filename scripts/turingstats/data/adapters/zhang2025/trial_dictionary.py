"""Judgments of people: `{"Trial_1": {"workerID", "workerData", "trialData"}, ...}`.

Files of the first wave have their records under a top-level key and lack trials with a wrong control
answer. Those of the 2025 experiments are flat and include the control answers: `object_groundtruth` 0
means that the statement is true, and `response_object` is 1 for true and 2 for false.
"""

import pandas as pd

from turingstats.data import schema
from turingstats.data.adapters import records
from turingstats.data.adapters.zhang2025 import trial_records
from turingstats.data.adapters.zhang2025.people import Judges


def read(file, folder, study):
    """Read a trial dictionary.

    Parameters
    ----------
    file : RawFile
    folder : path-like
    study : Study

    Returns
    -------
    dict of str to pandas.DataFrame
        `judgments` and `judges`.
    """

    agents = records.map_agent_names(study)
    common = records.make_common_columns(file, study)
    judges = Judges(file, study.tasks[file.task].cohorts[file.cohort], common)
    judgments = []
    for row, record, data, where in trial_records.iterate_trials(file, folder):
        position = records.parse_whole_number(data.get("trial"), column="trial", **where)
        agent, truth = trial_records.find_agent_and_truth(data, agents, **where)
        page = str(records.require_field(data, "page_name", **where))
        judgments.append(
            common
            | {
                "judge": judges.assign_pseudonym(record, position, **where),
                "trial": int(row.rsplit("_", 1)[-1]),
                "position": position,
                "phase": "test",
                "stimulus": page.split("_", 1)[0],
                "agent": agent,
                "truth": truth,
                "verdict": trial_records.read_verdict(data, **where),
                "rt_ms": records.parse_whole_number(data.get("rt"), column="rt", **where),
                "control_ok": check_control_answer(data, **where),
            }
        )
    return {
        "judgments": pd.DataFrame(judgments, columns=list(schema.JUDGMENTS)),
        "judges": judges.build_judge_table(),
    }


def check_control_answer(data, *, path, row):
    """Check whether the control question was answered correctly; None where it was not recorded."""
    if "object_groundtruth" not in data:
        return None
    truth = records.parse_whole_number(
        data["object_groundtruth"], path=path, row=row, column="object_groundtruth"
    )
    answer = records.parse_whole_number(
        records.require_field(data, "response_object", path=path, row=row),
        path=path,
        row=row,
        column="response_object",
    )
    return None if truth is None or answer is None else answer == truth + 1
