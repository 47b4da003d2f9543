"""People's judgments of image captions: `{"Trial_1": {"workerID", "workerData", "trialData"}, ...}`.

The kind of an image follows from its number. The files have a kind, too (`imagetype`), but it is the same
for all trials of a judge (that of the last trial), so it is not read.
"""

from pathlib import Path
from typing import Annotated, Any

from converters.zhang2025 import gate, records, trial_records
from converters.zhang2025.people import JudgedRecord
from converters.zhang2025.raw_files import RawFile
from converters.zhang2025.trial_files import TrialFile
from turingstats.config.study import Study

DOMAINS = ("COCO", "in-domain", "near-domain", "out-of-domain")
PER_DOMAIN = 250
"""Images 1 to 250 are from COCO, the next 250 from each part of nocaps."""


class CaptionTrialData(trial_records.PersonTrialData):
    """A verdict on a caption."""

    imageID: Annotated[
        gate.Text,
        gate.match_form(
            r"\S*?/?(?!0000)(0[0-9]{3}|1000)\.jpg", "0728.jpg, numbered from 0001 to 1000"
        ),
    ]
    caption: gate.Text = ""

    @property
    def image(self) -> int:
        """Number of the image."""
        return int(self.imageID[-8:-4])


class CaptionRecord(JudgedRecord):
    """A trial."""

    trialData: CaptionTrialData


RECORD = CaptionRecord


def read(file: RawFile, folder: str | Path, study: Study) -> records.Tables:
    """Read `judgments` and `judges` from a file of people's judgments."""
    trials = TrialFile(file, folder, study)

    def describe(record: CaptionRecord, where: dict[str, Any]) -> dict[str, Any]:
        data = record.trialData
        agent, truth = trial_records.find_agent_and_truth(data, trials.agents, **where)
        return {
            "page": (data.image, agent, data.human_groundtruth, data.caption),
            "stimulus": f"{data.image:04d}",
            "domain": DOMAINS[(data.image - 1) // PER_DOMAIN],
            "agent": agent,
            "truth": truth,
        }

    return trials.read(CaptionRecord, describe)
