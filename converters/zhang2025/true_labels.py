"""Labels of conversations, from the trials of a psiTurk table that has them (`trueLabel`)."""

from pathlib import Path
from typing import Any

import pandas as pd

from converters.zhang2025 import conversations, psiturk_table, records
from converters.zhang2025.raw_files import RawFile
from converters.zhang2025.repeats import Repeats
from turingstats.config.study import Study
from turingstats.data import schema

RECORD = conversations.LabelledTrial


def choose_labelled_model(
    trials: list[dict[str, Any]],
) -> type[conversations.LabelledTrial]:
    """Choose the model of the trials; all must have a label."""
    model = conversations.choose_trial_model(trials)
    return model if issubclass(model, conversations.LabelledTrial) else conversations.LabelledTrial


def read(file: RawFile, folder: str | Path, study: Study) -> records.Tables:
    """Read `stimuli` of finished sessions: truth of each side and variant."""
    path = Path(folder) / file.path
    repeats = Repeats(path)
    labels = set()
    finished, _ = psiturk_table.read_sessions(file, folder, choose_labelled_model)
    for session in finished:
        for data in session.trials:
            row = f"{session.row}, trial {data.trial}"
            repeats.refuse_different(
                "two labels of one conversation", data.stimulus, data.trueLabel, row, "trueLabel"
            )
            labels.add((data.stimulus, data.trueLabel))
    rows = []
    for stimulus, code in sorted(labels):
        rows += conversations.make_side_rows(stimulus, code, file, study)
    return {"stimuli": pd.DataFrame(rows, columns=list(schema.STIMULI))}
