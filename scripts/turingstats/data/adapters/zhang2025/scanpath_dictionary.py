"""Judgments of people on eye movements: `{"Trial_FV_1": {"workerID", "workerData", "trialData"}, ...}`.

In the first wave a `workerID` identifies a session, and the control answers are not recorded. Those of
2025 are nouns, correct when equal, and the same for nearly every judge of a picture: a label rather than
an answer. In the feedback experiment the first trials of each session are training; `groundtruth` can also
be `catch` (one point fixated again and again, as no person does) and `swapped` (a person's eye movements
on another picture). Those two have the `machine_groundtruth` of an earlier trial, which is meaningless.
"""

import pandas as pd

from turingstats.data import schema
from turingstats.data.adapters import records
from turingstats.data.adapters.zhang2025 import scanpaths, trial_records
from turingstats.data.adapters.zhang2025.people import Judges

# Agent and truth of the trials that are neither a person's nor a model's.
SPECIAL = {"catch": ("catch", "machine"), "swapped": ("human", "human")}


def read(file, folder, study):
    """Read a dictionary of trials.

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
    cohort = study.tasks[file.task].cohorts[file.cohort]
    common = records.make_common_columns(file, study)
    judges = Judges(file, cohort, common)
    judgments = []
    for row, record, data, where in trial_records.iterate_trials(file, folder):
        position = records.parse_whole_number(data.get("trial"), column="trial", **where)
        judge = judges.assign_pseudonym(record, position, **where)
        phase, agent, truth = classify_trial(data, agents, **where)
        if phase == "test" and position <= cohort.training_trials:
            phase = "train"
        address = str(records.require_field(data, "imageID", **where))
        judgments.append(
            common
            | {
                "judge": judge,
                "trial": records.parse_whole_number(row.rsplit("_", 1)[-1], column="key", **where),
                "position": position,
                "phase": phase,
                "stimulus": scanpaths.name_stimulus(address),
                "variant": scanpaths.identify_variant(address, **where),
                "agent": agent,
                "truth": truth,
                "verdict": trial_records.read_verdict(data, **where),
                "rt_ms": records.parse_whole_number(data.get("rt"), column="rt", **where),
                "control_ok": scanpaths.check_control_answer(
                    data.get("response_object"), data.get("object_groundtruth")
                ),
            }
        )
    return {
        "judgments": pd.DataFrame(judgments, columns=list(schema.JUDGMENTS)),
        "judges": judges.build_judge_table(),
    }


def classify_trial(data, agents, *, path, row):
    """Classify a trial by phase, agent and truth."""
    kind = records.require_allowed_value(
        records.require_field(data, "groundtruth", path=path, row=row),
        (*schema.TRUTHS, *SPECIAL),
        path=path,
        row=row,
        column="groundtruth",
    )
    if kind in SPECIAL:
        return kind, *SPECIAL[kind]
    return "test", *trial_records.find_agent_and_truth(data, agents, path=path, row=row)
