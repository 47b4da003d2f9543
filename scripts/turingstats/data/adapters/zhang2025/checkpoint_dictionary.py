"""Online Turing test: `{"51.txt": [{"groundtruth", "response"}, ...], ...}`, four records each.

A judge talks to a person and a machine at the same time and says after 1, 2, 4 and 8 exchanges which of A
and B is the person. The records give truth and choice for A; B is the opposite, so one choice gives two
judgments, both right or both wrong. The file does not name the judges (28 took part), so each
conversation has its own pseudonym.
"""

from pathlib import Path

import pandas as pd

from turingstats.core.errors import InputError
from turingstats.data import schema
from turingstats.data.adapters import records

CHECKPOINTS = (1, 2, 4, 8)
OPPOSITE = {"human": "machine", "machine": "human"}


def read(file, folder, study):
    """Read the choices of the online test.

    Parameters
    ----------
    file : RawFile
    folder : path-like
    study : Study

    Returns
    -------
    dict of str to pandas.DataFrame
        `judgments` and `judges` (one per conversation).
    """

    path = Path(folder) / file.path
    cohort = study.tasks[file.task].cohorts[file.cohort]
    (model,) = cohort.agents
    judgments, judges = [], []
    for row, choices in records.load_records(file, folder).items():
        if not isinstance(choices, list) or len(choices) != len(CHECKPOINTS):
            raise InputError(
                path,
                f"expected a list of {len(CHECKPOINTS)} choices, one per checkpoint",
                row=row,
                value=len(choices) if isinstance(choices, list) else type(choices).__name__,
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
            where = {"path": path, "row": f"{row}[{trial - 1}]"}
            truth, verdict = (
                records.require_allowed_value(
                    records.require_field(choice, column, **where),
                    schema.TRUTHS,
                    column=column,
                    **where,
                )
                for column in ("groundtruth", "response")
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
    return {
        "judgments": pd.DataFrame(judgments, columns=list(schema.JUDGMENTS)),
        "judges": pd.DataFrame(judges, columns=list(schema.JUDGES)),
    }
