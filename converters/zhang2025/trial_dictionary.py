"""Judgments of people: `{"Trial_1": {"workerID", "workerData", "trialData"}, ...}`.

Files of the first wave have their records under a top-level key and lack trials with a wrong control
answer. Those of the 2025 experiments are flat and include the control answers: `object_groundtruth` 0
means that the statement is true, and `response_object` is 1 for true and 2 for false.
"""

from pathlib import Path
from typing import Annotated, Any, Literal, Self

from pydantic import model_validator

from converters.zhang2025 import gate, records, trial_records
from converters.zhang2025.people import JudgedRecord
from converters.zhang2025.raw_files import RawFile
from converters.zhang2025.trial_files import TrialFile
from turingstats.config.study import Study


class PictureTrialData(trial_records.PageTrialData):
    """A verdict on an answer to a picture."""

    page_name: Annotated[
        gate.Text, gate.match_form(trial_records.PAGE.removesuffix("$"), "985_a_0.html/")
    ]
    imageID: Annotated[gate.Text, gate.match_form(r"[^\s]*?[0-9]{1,5}\.jpg", "985.jpg")]
    hit: gate.Text | None = None
    response_object: Literal["1", "2"] | None = None
    object_groundtruth: Literal["0", "1"] | None = None

    @model_validator(mode="after")
    def check_control(self) -> Self:
        """Refuse half of a control question, and a picture other than that of the page."""
        if (self.response_object is None) != (self.object_groundtruth is None):
            raise gate.make_contradiction(
                "a control question without its answer, or the reverse", "object_groundtruth", None
            )
        image = self.imageID.rsplit("/", 1)[-1].removesuffix(".jpg")
        if image != self.page_name.partition("_")[0]:
            raise gate.make_contradiction(
                f"the page is of another picture, {self.page_name}", "imageID", image
            )
        # In the files of 2025, which have control questions, it may name another picture.
        if self.object_groundtruth is None and self.hit not in (None, image):
            raise gate.make_contradiction(f"the picture is {image}", "hit", self.hit)
        return self

    @property
    def control_ok(self) -> bool | None:
        """Whether the control question was answered correctly; None where it was not recorded."""
        if self.object_groundtruth is None:
            return None
        return int(self.response_object) == int(self.object_groundtruth) + 1


class PictureRecord(JudgedRecord):
    """A trial."""

    trialData: PictureTrialData


RECORD = PictureRecord


def read(file: RawFile, folder: str | Path, study: Study) -> records.Tables:
    """Read `judgments` and `judges` from a trial dictionary."""
    trials = TrialFile(file, folder, study)

    def describe(record: PictureRecord, where: dict[str, Any]) -> dict[str, Any]:
        data = record.trialData
        agent, truth = trial_records.find_agent_and_truth(data, trials.agents, **where)
        return {
            "page": data.page_name,
            "stimulus": data.page_name.partition("_")[0],
            "agent": agent,
            "truth": truth,
            "control_ok": data.control_ok,
        }

    return trials.read(PictureRecord, describe)
