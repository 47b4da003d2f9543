"""Judgments of people on eye movements: `{"Trial_FV_1": {"workerID", "workerData", "trialData"}, ...}`.

In the first wave a `workerID` identifies a session, and the control answers are not recorded. Those of
2025 are nouns, correct when equal, and the same for nearly every judge of a picture: a label rather than
an answer. In the feedback experiment the first trials of each session are training; `groundtruth` can also
be `catch` (one point fixated again and again, as no person does) and `swapped` (a person's eye movements
on another picture). Those two have the `machine_groundtruth` of an earlier trial, which is meaningless.
"""

from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import BeforeValidator, model_validator

from converters.zhang2025 import gate, records, scanpaths, trial_records
from converters.zhang2025.people import JudgedRecord
from converters.zhang2025.raw_files import RawFile
from converters.zhang2025.trial_files import TrialFile
from turingstats.config.study import Study

TRAINING_TRIALS = {"feedback": 24}
"""Trials at the start of each session that were training but not marked as such, by cohort."""
# Agent and truth of the trials that are neither a person's nor a model's.
SPECIAL = {"catch": ("catch", "machine"), "swapped": ("human", "human")}


class ScanpathTrialData(trial_records.PersonTrialData):
    """A verdict on eye movements."""

    groundtruth: Annotated[  # type: ignore[assignment]
        Literal["human", "machine", "catch", "swapped"],
        BeforeValidator(trial_records.lower_case),
    ]
    imageID: scanpaths.Address
    response_object: gate.Filled | None = None
    object_groundtruth: gate.Filled | None = None

    @model_validator(mode="after")
    def check_control(self) -> Self:
        """Refuse half of a control question."""
        if (self.response_object is None) != (self.object_groundtruth is None):
            raise gate.make_contradiction(
                "a control question without its answer, or the reverse", "object_groundtruth", None
            )
        return self

    @model_validator(mode="after")
    def check_folder(self) -> Self:
        """Refuse a folder that says otherwise whose eye movements they are."""
        scanpaths.check_folder(self.imageID, self.groundtruth)
        return self


class ScanpathRecord(JudgedRecord):
    """A trial."""

    trialData: ScanpathTrialData


RECORD = ScanpathRecord


def read(file: RawFile, folder: str | Path, study: Study) -> records.Tables:
    """Read `judgments` and `judges` from a dictionary of trials."""
    trials = TrialFile(file, folder, study)

    def describe(record: ScanpathRecord, where: dict[str, Any]) -> dict[str, Any]:
        data = record.trialData
        phase = kind = data.groundtruth
        if kind in SPECIAL:
            agent, truth = SPECIAL[kind]
        else:
            agent, truth = trial_records.find_agent_and_truth(data, trials.agents, **where)
            phase = "train" if data.trial <= TRAINING_TRIALS.get(file.cohort or "", 0) else "test"
            scanpaths.check_agent(data.imageID, agent, trials.agents, **where)
        control_ok = scanpaths.check_control_answer(data.response_object, data.object_groundtruth)
        return {
            "page": data.imageID,
            "phase": phase,
            "stimulus": scanpaths.name_stimulus(data.imageID),
            "variant": scanpaths.identify_variant(data.imageID, **where),
            "agent": agent,
            "truth": truth,
            "control_ok": control_ok,
        }

    return trials.read(ScanpathRecord, describe, "Trial_FV_12")
