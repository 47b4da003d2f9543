"""People's judgments of image captions: `{"Trial_1": {"workerID", "workerData", "trialData"}, ...}`.

The kind of an image follows from its number. The files have a kind, too (`imagetype`), but it is the same
for all trials of a judge (that of the last trial), so it is not read.
"""

from pathlib import Path
from typing import Annotated

import pandas as pd

from converters.zhang2025 import gate, records, trial_records
from converters.zhang2025.people import JudgedRecord, Judges
from converters.zhang2025.repeats import TrialRepeats
from turingstats.data import schema

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
    def image(self):
        """Number of the image."""
        return int(self.imageID[-8:-4])


class CaptionRecord(JudgedRecord):
    """A trial."""

    trialData: CaptionTrialData


RECORD = CaptionRecord


def read(file, folder, study):
    """Read a file of people's judgments.

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
        file, folder, CaptionRecord, records.TRIAL, "Trial_12"
    ):
        data = record.trialData
        agent, truth = trial_records.find_agent_and_truth(data, agents, **where)
        judge = judges.assign_pseudonym(record, row)
        page = data.image, agent, data.human_groundtruth, data.caption
        repeats.refuse_trial(judge, page, data.trial, data.rt, data.response_speaker, row=row)
        judgments.append(
            common
            | {
                "judge": judge,
                "trial": trial_records.number_trial(row),
                "position": data.trial,
                "phase": "test",
                "stimulus": f"{data.image:04d}",
                "domain": DOMAINS[(data.image - 1) // PER_DOMAIN],
                "agent": agent,
                "truth": truth,
                "verdict": data.response_speaker,
                "rt_ms": data.rt,
            }
        )
    return {
        "judgments": pd.DataFrame(judgments, columns=list(schema.JUDGMENTS)),
        "judges": judges.build_judge_table(),
    }
