"""Identify the judges of a file of people's judgments, and give them pseudonyms."""

import pandas as pd

from turingstats.data import schema
from turingstats.data.adapters import records

AGE_BANDS = ("18-20", "21-25", "26-30", "31-35", "36-40", "41-45", "46-50", "51+")
# Two spellings of the same age band, and the open band without its plus sign.
AGE_SPELLINGS = {"45-50": "46-50", "51": "51+"}


class Judges:
    """Pseudonyms and questionnaires of the judges of one file, in order of first appearance.

    Where the judges of a cohort share one id (the test account of the laboratory), a new judge begins when
    the questionnaire changes or the trial counter does not increase.

    Parameters
    ----------
    file : RawFile
    cohort : Cohort
    common : dict
        Columns that all rows of the file share.
    """

    def __init__(self, file, cohort, common):
        self.file, self.cohort, self.common = file, cohort, common
        self.rows = {}
        self.answers, self.position = None, None

    def assign_pseudonym(self, record, position, *, path, row):
        """Assign a pseudonym to the judge of a record."""
        worker = records.require_field(record, "workerID", path=path, row=row)
        # The first wave of Attention prediction joins the worker and the session by a colon.
        person = str(worker).partition(":")[0] if self.file.workers else None
        if self.cohort.shared_ids:
            person = None
            answers = records.require_field(record, "workerData", path=path, row=row)
            same = self.rows and answers == self.answers and position > self.position
            worker = len(self.rows) if same else len(self.rows) + 1
            self.answers, self.position = answers, position
        if worker not in self.rows:
            answers = records.require_field(record, "workerData", path=path, row=row)
            name = records.make_pseudonym(self.file, len(self.rows) + 1)
            said = read_questionnaire(answers, path=path, row=row)
            self.rows[worker] = self.common | {"judge": name, schema.WORKER: person} | said
        return self.rows[worker]["judge"]

    def build_judge_table(self):
        """Build the judges table of the data contract for the file, with worker ids."""

        return pd.DataFrame(list(self.rows.values()), columns=[*schema.JUDGES, schema.WORKER])


def read_questionnaire(answers, *, path, row):
    """Read a judge's answers about themselves, with a uniform spelling of age bands."""
    age = str(records.require_field(answers, "age", path=path, row=row))
    return {
        "gender": answers.get("gender"),
        "age_band": records.require_allowed_value(
            AGE_SPELLINGS.get(age, age),
            AGE_BANDS,
            path=path,
            row=row,
            column="workerData.age",
        ),
        "education": answers.get("education"),
    }
