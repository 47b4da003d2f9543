"""Verdicts of a machine judge: `{"Trial_1": {"trialData": {...}}, ...}`.

One judge for the whole file: the predictions carry no name of a judge, and no stimulus. Where the
study knows variants, the list of sources says of which one the file is.
"""

from pathlib import Path

from turingstats import schema
from turingstats.adapters import records


def read(file, folder, study):
    """Read a dictionary of predictions.

    Parameters
    ----------
    file : RawFile
    folder : path-like
    study : Study

    Returns
    -------
    dict of str to pandas.DataFrame
        `judgments` and `judges` (one).
    """
    import pandas as pd

    path = Path(folder) / file.path
    cohort = study.tasks[file.task].cohorts[file.cohort]
    agents = records.agent_names(study)
    common = {
        "study": study.study,
        "task": file.task,
        "cohort": file.cohort,
        "judge_kind": cohort.judge_kind,
        "judge": records.pseudonym(file, 1),
    }
    judgments = []
    for number, (row, record) in enumerate(records.load(file, folder).items(), start=1):
        where = {"path": path, "row": row}
        data = records.field(record, "trialData", **where)
        agent, truth = records.response_of(data, agents, **where)
        verdict = records.one_of(
            records.field(data, "response_speaker", **where),
            schema.TRUTHS,
            column="response_speaker",
            **where,
        )
        judgments.append(
            common
            | {
                "trial": number,
                "position": number,
                "phase": "test",
                "variant": file.variant,
                "agent": agent,
                "truth": truth,
                "verdict": verdict,
            }
        )
    return {
        "judgments": pd.DataFrame(judgments, columns=list(schema.JUDGMENTS)),
        "judges": pd.DataFrame([common], columns=list(schema.JUDGES)),
    }
