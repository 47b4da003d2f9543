"""Online Turing test: `{"51.txt": [{"groundtruth", "response"}, ...], ...}`, four records each.

A judge talks to a person and a machine at the same time and says after 1, 2, 4 and 8 exchanges which of A
and B is the person. The records give truth and choice for A; B is the opposite, so one choice gives two
judgments, both right or both wrong. The file does not name the judges (28 took part), so each
conversation has its own pseudonym.
"""

import re
from pathlib import Path
from typing import Any

from converters.zhang2025 import gate, records
from converters.zhang2025.raw_files import RawFile
from converters.zhang2025.repeats import Repeats
from converters.zhang2025.trial_records import Side
from turingstats.config.study import Study
from turingstats.core.errors import InputError

CHECKPOINTS = (1, 2, 4, 8)
KEY = re.compile(r"(0|[1-9][0-9]{0,5})\.txt")
OPPOSITE = {"human": "machine", "machine": "human"}


class Choice(gate.Record):
    """What A is, and what the judge took A for at one checkpoint."""

    groundtruth: Side
    response: Side
    reason: gate.Unread = None


RECORD = Choice


def read(file: RawFile, folder: str | Path, study: Study) -> records.Tables:
    """Read `judgments` and `judges`, one per conversation, of the online test."""
    path = Path(folder) / file.path
    cohort = study.tasks[file.task].cohorts[file.cohort]
    (model,) = cohort.agents
    judgments: list[dict[str, Any]] = []
    judges: list[dict[str, Any]] = []
    repeats = Repeats(path)
    for row, choices in records.load_records(file, folder).items():
        records.check_key(row, KEY, "51.txt", path)
        if not isinstance(choices, list) or len(choices) != len(CHECKPOINTS):
            raise InputError(
                path,
                f"expected a list of {len(CHECKPOINTS)} choices, one per checkpoint",
                row=row,
                value=gate.show_value(choices),
                fix="restore the record from its source",
            )
        judge_columns = {
            "study": study.study,
            "task": file.task,
            "cohort": file.cohort,
            "judge_kind": cohort.judge_kind,
            "judge": records.make_pseudonym(file, len(judges) + 1),
        }
        judges.append(judge_columns)
        for trial, (exchanges, choice) in enumerate(
            zip(CHECKPOINTS, choices, strict=True), start=1
        ):
            place = f"{row}[{trial - 1}]"
            choice = gate.check_record(Choice, choice, path=path, row=place)
            truth, verdict = choice.groundtruth, choice.response
            repeats.refuse_different(
                "two ground truths of one conversation", row, truth, place, "groundtruth"
            )
            for side in "AB":
                judgments.append(
                    judge_columns
                    | {
                        "trial": trial,
                        "position": trial,
                        "phase": "test",
                        "stimulus": f"online.{len(judges):03d}",
                        "exchanges": exchanges,
                        "side": side,
                        "agent": "human" if truth == "human" else model,
                        "truth": truth,
                        "verdict": verdict,
                    }
                )
                truth, verdict = OPPOSITE[truth], OPPOSITE[verdict]
    return records.build_tables(judgments, judges)
