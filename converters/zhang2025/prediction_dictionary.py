"""Verdicts of a machine judge: `{"Trial_1": {"trialData": {...}}, ...}`.

The predictions name neither a judge nor a stimulus. A file has one judge, or several whose predictions
follow each other in parts of equal size (`judges` of the raw file). Where the study has variants, the
list of sources says to which one the file belongs.
"""

from pathlib import Path

from converters.zhang2025 import gate, records, trial_records
from converters.zhang2025.gate import Unread
from converters.zhang2025.raw_files import RawFile
from turingstats.config.study import Study
from turingstats.core.errors import InputError

KEY = records.TRIAL + "(?:_[0-9A-Za-z]{1,20})?"
"""Form of the key of a prediction, which may end with the seed of a judge."""


class PredictionData(trial_records.TrialData):
    """A verdict of a machine judge."""

    imgtype: Unread = None


class Prediction(gate.Record):
    """A trial."""

    trialData: PredictionData


RECORD = Prediction


def read(file: RawFile, folder: str | Path, study: Study) -> records.Tables:
    """Read `judgments` and `judges` from a dictionary of predictions."""
    path = Path(folder) / file.path
    agents = records.map_agent_names(study)
    common = records.make_common_columns(file, study)
    predictions = list(records.read_records(file, folder, Prediction, KEY, "Trial_12"))
    if len(predictions) % file.judges:
        raise InputError(
            path,
            f"{len(predictions)} predictions cannot be divided equally among {file.judges} judges",
            fix="restore the file from its source, or correct `judges` in converters/zhang2025/files/",
        )
    share = len(predictions) // file.judges
    names = [records.make_pseudonym(file, number) for number in range(1, file.judges + 1)]
    judgments = []
    for number, (_, prediction, where) in enumerate(predictions, start=1):
        data = prediction.trialData
        agent, truth = trial_records.find_agent_and_truth(data, agents, **where)
        judgments.append(
            common
            | {
                "judge": names[(number - 1) // share],
                "trial": number,
                "position": (number - 1) % share + 1,
                "phase": "test",
                "variant": file.variant,
                "agent": agent,
                "truth": truth,
                "verdict": data.response_speaker,
            }
        )
    return records.build_tables(judgments, [common | {"judge": name} for name in names])
