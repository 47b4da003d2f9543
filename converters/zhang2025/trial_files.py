"""Read a JSON file of people's trials: `{"Trial_1": {"workerID", "workerData", "trialData"}, ...}`."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from converters.zhang2025 import records, trial_records
from converters.zhang2025.people import JudgedRecord, Judges
from converters.zhang2025.raw_files import RawFile
from converters.zhang2025.repeats import TrialRepeats
from turingstats.config.study import Study

Describe = Callable[[Any, dict[str, Any]], dict[str, Any]]
"""Takes a record, and path and row for errors; returns columns of a judgment, and the page that was shown."""


class TrialFile:
    """What the trials of one file share: agents by raw name, judges, and trials met so far."""

    def __init__(self, file: RawFile, folder: str | Path, study: Study) -> None:
        self.file, self.folder = file, folder
        self.path = Path(folder) / file.path
        self.agents = records.map_agent_names(study)
        self.common = records.make_common_columns(file, study)
        self.judges = Judges(file, self.common, self.path)
        self.repeats = TrialRepeats(file, self.path)

    def read(
        self, model: type[JudgedRecord], describe: Describe, example: str = "Trial_12"
    ) -> records.Tables:
        """Read `judgments` and `judges`; `example` is a key of a record, for messages."""
        judgments = []
        for row, record, where in records.read_records(
            self.file, self.folder, model, records.TRIAL, example
        ):
            data = record.trialData
            judgment = self.common | {
                "judge": self.judges.assign_pseudonym(record, row),
                "trial": trial_records.number_trial(row),
                "position": data.trial,
                "phase": "test",
                "verdict": data.response_speaker,
                "rt_ms": data.rt,
            }
            judgment |= describe(record, where)
            self.repeats.refuse_trial(
                judgment["judge"],
                judgment.pop("page"),
                data.trial,
                data.rt,
                data.response_speaker,
                row=row,
                phase=judgment["phase"],
            )
            problem = "control questions in some trials only"
            self.repeats.refuse_different(problem, "", judgment.get("control_ok") is None, row)
            judgments.append(judgment)
        return records.build_tables(judgments, list(self.judges.rows.values()))
