"""Judgments of people on eye movements: `{"Trial_FV_1": {"workerID", "workerData", "trialData"}, ...}`.

In the first wave a `workerID` identifies a session, and the control answers are not recorded. Those of
2025 are nouns, correct when equal, and the same for nearly every judge of a picture: a label rather than
an answer. In the feedback experiment the first trials of each session are training; `groundtruth` can also
be `catch` (one point fixated again and again, as no person does) and `swapped` (a person's eye movements
on another picture). Those two have the `machine_groundtruth` of an earlier trial, which is meaningless.
"""

from pathlib import Path
from typing import Annotated, Literal

import pandas as pd
from pydantic import BeforeValidator, model_validator

from converters.zhang2025 import gate, records, scanpaths, trial_records
from converters.zhang2025.people import JudgedRecord, Judges
from converters.zhang2025.repeats import TrialRepeats
from turingstats.data import schema

# Agent and truth of the trials that are neither a person's nor a model's.
TRAINING_TRIALS = {"feedback": 24}
"""Trials at the start of each session that were training but not marked as such, by cohort."""
SPECIAL = {"catch": ("catch", "machine"), "swapped": ("human", "human")}


class ScanpathTrialData(trial_records.PersonTrialData):
    """A verdict on eye movements."""

    groundtruth: Annotated[
        Literal["human", "machine", "catch", "swapped"],
        BeforeValidator(trial_records.lower_case),
    ]
    imageID: scanpaths.Address
    response_object: gate.Filled | None = None
    object_groundtruth: gate.Filled | None = None

    @model_validator(mode="after")
    def check_control(self):
        """Refuse half of a control question."""
        if (self.response_object is None) != (self.object_groundtruth is None):
            raise gate.make_contradiction(
                "a control question without its answer, or the reverse", "object_groundtruth", None
            )
        return self

    @model_validator(mode="after")
    def check_folder(self):
        """Refuse a folder that says otherwise whose eye movements they are."""
        scanpaths.check_folder(self.imageID, self.groundtruth)
        return self


class ScanpathRecord(JudgedRecord):
    """A trial."""

    trialData: ScanpathTrialData


RECORD = ScanpathRecord


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

    path = Path(folder) / file.path
    agents = records.map_agent_names(study)
    common = records.make_common_columns(file, study)
    judges = Judges(file, common, path)
    repeats = TrialRepeats(file, path)
    judgments = []
    for row, record, where in records.read_records(
        file, folder, ScanpathRecord, records.TRIAL, "Trial_FV_12"
    ):
        data = record.trialData
        judge = judges.assign_pseudonym(record, row)
        phase, agent, truth = classify_trial(data, agents, **where)
        if phase == "test" and data.trial <= TRAINING_TRIALS.get(file.cohort, 0):
            phase = "train"
        if data.groundtruth not in SPECIAL:
            scanpaths.check_agent(data.imageID, agent, agents, **where)
        control_ok = scanpaths.check_control_answer(data.response_object, data.object_groundtruth)
        repeats.refuse_different(
            "control questions in some trials only", "", control_ok is None, row
        )
        repeats.refuse_trial(
            judge, data.imageID, data.trial, data.rt, data.response_speaker, row=row, phase=phase
        )
        judgments.append(
            common
            | {
                "judge": judge,
                "trial": trial_records.number_trial(row),
                "position": data.trial,
                "phase": phase,
                "stimulus": scanpaths.name_stimulus(data.imageID),
                "variant": scanpaths.identify_variant(data.imageID, **where),
                "agent": agent,
                "truth": truth,
                "verdict": data.response_speaker,
                "rt_ms": data.rt,
                "control_ok": control_ok,
            }
        )
    return {
        "judgments": pd.DataFrame(judgments, columns=list(schema.JUDGMENTS)),
        "judges": judges.build_judge_table(),
    }


def classify_trial(data, agents, *, path, row):
    """Classify a trial by phase, agent and truth."""
    kind = data.groundtruth
    if kind in SPECIAL:
        return kind, *SPECIAL[kind]
    return "test", *trial_records.find_agent_and_truth(data, agents, path=path, row=row)
