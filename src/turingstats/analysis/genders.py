"""Which gender judges took speakers for: shares judged female, by who spoke and by who judged.

Shares are of the answers female and male on analyzed trials, without verdicts "unsure" and without judges
who were not asked. Whether an answer is correct is not known: the speakers' genders are not in the data.
"""

from collections.abc import Iterator

import pandas as pd

from turingstats.analysis.breakdowns import estimate_share, select_human_verdicts
from turingstats.analysis.rows import tabulate
from turingstats.config.study import GenderTable, Study

ALL = "all"


def measure_perceived_genders(
    judgments: pd.DataFrame, groups: pd.DataFrame, study: Study, level: float
) -> pd.DataFrame:
    """Measure shares of speakers judged female, for each gender table of a study.

    One row per cohort, level of the condition (group), agent ("all": the machines pooled) and group of
    judges, with "all" for all levels and all judges; combinations without answers have no row.
    """
    rows = []
    for reading in study.readings:
        people = select_human_verdicts(judgments, groups, reading)
        asked = people[people["perceived_gender"].notna()]
        for table in study.gender_tables.values():
            task_answers = asked[asked["task"].astype(str) == table.task]
            for cohort, answers in task_answers.groupby(task_answers["cohort"].astype(str)):
                shared = {"study": study.study, "task": table.task, "cohort": cohort}
                shared |= {"reading": reading, "quantity": "called_female"}
                for part, spoken in split_by_condition(answers, table, study):
                    for crowd, part_answers in split_by_judge_group(spoken, table, study):
                        if part_answers.empty:
                            continue
                        female = part_answers["perceived_gender"].astype(str) == "female"
                        share = estimate_share(female, part_answers["judge"], level)
                        rows.append(shared | part | crowd | share)
    return tabulate(rows, "genders").drop_duplicates(["gender_id", "reading"])


def split_by_condition(
    answers: pd.DataFrame, table: GenderTable, study: Study
) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    """Split answers by level of the condition and by who spoke."""
    levels = answers[table.by].astype(object)
    truth, agents = answers["truth"].astype(str), answers["agent"].astype(str)
    for level in (ALL, *sorted(levels.dropna().unique())):
        here = (levels == level) | (level == ALL)
        group_by = ALL if level == ALL else table.by
        for agent in ("human", ALL, *study.tasks[table.task].agents):
            spoke = truth == "machine" if agent == ALL else agents == agent
            part = {"group_by": group_by, "group": str(level), "agent": agent}
            yield part, answers[here & spoke]


def split_by_judge_group(
    answers: pd.DataFrame, table: GenderTable, study: Study
) -> Iterator[tuple[dict[str, str], pd.DataFrame]]:
    """Split answers by group of judges, after the answers of all judges."""
    yield {"judges_by": ALL, "judges": ALL}, answers
    column = f"group:{table.judges}"
    for group in study.demographics[table.judges] if column in answers else ():
        yield {"judges_by": table.judges, "judges": group}, answers[answers[column] == group]
