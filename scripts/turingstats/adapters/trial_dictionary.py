"""Judgments of people: `{"Trial_1": {"workerID", "workerData", "trialData"}, ...}`.

The first wave keeps its records under a top-level key and removed trials with a wrong control answer;
the 2025 experiments are flat and hold the control answers: `object_groundtruth` 0 means that the
statement is true, and `response_object` is 1 for true and 2 for false.
"""

from pathlib import Path

from turingstats import schema
from turingstats.adapters import records


def read(file, folder, study):
    """Read a trial dictionary.

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
    import pandas as pd

    path = Path(folder) / file.path
    agents = records.agent_names(study)
    common = records.place(file, study)
    judgments, judges = [], {}
    for row, record in records.load(file, folder).items():
        where = {"path": path, "row": row}
        worker = records.field(record, "workerID", **where)
        if worker not in judges:
            answers = records.field(record, "workerData", **where)
            name = records.pseudonym(file, len(judges) + 1)
            judges[worker] = common | {"judge": name} | questionnaire(answers, **where)
        data = records.field(record, "trialData", **where)
        agent, truth = records.response_of(data, agents, **where)
        page = str(records.field(data, "page_name", **where))
        judgments.append(
            common
            | {
                "judge": judges[worker]["judge"],
                "trial": int(row.rsplit("_", 1)[-1]),
                "position": records.whole_number(data.get("trial"), column="trial", **where),
                "phase": "test",
                "stimulus": page.split("_", 1)[0],
                "agent": agent,
                "truth": truth,
                "verdict": records.one_of(
                    records.field(data, "response_speaker", **where),
                    schema.TRUTHS,
                    column="response_speaker",
                    **where,
                ),
                "rt_ms": records.whole_number(data.get("rt"), column="rt", **where),
                "control_ok": control_answer(data, **where),
            }
        )
    return {
        "judgments": pd.DataFrame(judgments, columns=list(schema.JUDGMENTS)),
        "judges": pd.DataFrame(list(judges.values()), columns=list(schema.JUDGES)),
    }


def questionnaire(answers, *, path, row):
    """A judge's answers about themselves, with age classes in one spelling."""
    age = str(records.field(answers, "age", path=path, row=row))
    number = {
        name: records.whole_number(answers.get(name), path=path, row=row, column=name)
        for name in ("engagement", "difficulty", "ai-experience")
    }
    return {
        "gender": answers.get("gender"),
        "age_band": records.one_of(
            records.AGE_SPELLINGS.get(age, age),
            records.AGE_BANDS,
            path=path,
            row=row,
            column="workerData.age",
        ),
        "education": answers.get("education"),
        "country": answers.get("country"),
        "native": answers.get("native"),
        "engagement": number["engagement"],
        "difficulty": number["difficulty"],
        "ai_experience": number["ai-experience"],
    }


def control_answer(data, *, path, row):
    """Whether the control question was answered right; None where it was not recorded."""
    if "object_groundtruth" not in data:
        return None
    truth = records.whole_number(
        data["object_groundtruth"], path=path, row=row, column="object_groundtruth"
    )
    answer = records.whole_number(
        records.field(data, "response_object", path=path, row=row),
        path=path,
        row=row,
        column="response_object",
    )
    return None if truth is None or answer is None else answer == truth + 1
