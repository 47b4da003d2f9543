"""People's judgments of image captions: `{"Trial_1": {"workerID", "workerData", "trialData"}, ...}`.

The kind of an image follows from its number. The files have a kind, too (`imagetype`), but it is the same
for all trials of a judge (that of the last trial), so it is not read.
"""

import re

import pandas as pd

from turingstats.core.errors import InputError
from turingstats.data import schema
from turingstats.data.adapters import records
from turingstats.data.adapters.zhang2025 import trial_records
from turingstats.data.adapters.zhang2025.people import Judges

DOMAINS = ("COCO", "in-domain", "near-domain", "out-of-domain")
PER_DOMAIN = 250
"""Images 1 to 250 are from COCO, the next 250 from each part of nocaps."""


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

    agents = records.map_agent_names(study)
    cohort = study.tasks[file.task].cohorts[file.cohort]
    common = records.make_common_columns(file, study)
    judges = Judges(file, cohort, common)
    judgments = []
    for row, record, data, where in trial_records.iterate_trials(file, folder):
        position = records.parse_whole_number(
            records.require_field(data, "trial", **where), column="trial", **where
        )
        agent, truth = trial_records.find_agent_and_truth(data, agents, **where)
        image = parse_image_number(data, **where)
        judgments.append(
            common
            | {
                "judge": judges.assign_pseudonym(record, position, **where),
                "trial": int(row.rsplit("_", 1)[-1]),
                "position": position,
                "phase": "test",
                "stimulus": f"{image:04d}",
                "domain": DOMAINS[(image - 1) // PER_DOMAIN],
                "agent": agent,
                "truth": truth,
                "verdict": trial_records.read_verdict(data, **where),
                "rt_ms": records.parse_whole_number(data.get("rt"), column="rt", **where),
            }
        )
    return {
        "judgments": pd.DataFrame(judgments, columns=list(schema.JUDGMENTS)),
        "judges": judges.build_judge_table(),
    }


def parse_image_number(data, *, path, row):
    """Parse the number of the image from its file name."""
    image = str(records.require_field(data, "imageID", path=path, row=row))
    found = re.search(r"(\d{4})\.jpg$", image)
    if found is None or not 1 <= int(found[1]) <= PER_DOMAIN * len(DOMAINS):
        raise InputError(
            path,
            "an image that is not named 0001.jpg to 1000.jpg",
            row=row,
            column="imageID",
            value=image,
            fix="restore the record from its source",
        )
    return int(found[1])
