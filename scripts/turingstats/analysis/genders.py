"""Which gender judges took speakers for: shares called female, by who spoke and by who judged.

A share is of the answers female and male on trials that are analyzed, verdicts "unsure" left out; judges
who were not asked have no part in it. Whether an answer is right is not known: the speakers' own genders
are not in the data.
"""

import pandas as pd

from turingstats.analysis.breakdowns import estimate_share, select_human_verdicts

GENDERS = (
    "gender_id study task cohort reading quantity group_by group agent judges_by judges value k n n_judges "
    "ci_low ci_high method"
).split()
ALL = "all"


def measure_perceived_genders(judgments, groups, study, level):
    """Shares of speakers called female, for each table of genders of a study.

    Parameters
    ----------
    judgments : pandas.DataFrame
        From `turingstats.data.cleaning.mark_exclusions`.
    groups : pandas.DataFrame
        From `turingstats.data.counts.assign_groups`.
    study : Study
    level : float
        Confidence of the intervals.

    Returns
    -------
    pandas.DataFrame
        Columns `GENDERS`; one row a cohort, level of the condition (group), agent ("all": the machines
        pooled) and group of judges, with "all" for all levels and all judges. k of n answers are female;
        the interval is that of `turingstats.analysis.breakdowns.estimate_share`. Without answers there is no
        row.
    """

    rows = []
    for reading in study.readings:
        people = select_human_verdicts(judgments, groups, reading)
        asked = people[people["perceived_gender"].notna()]
        for table in study.gender_tables.values():
            own = asked[asked["task"].astype(str) == table.task]
            for cohort, answers in own.groupby(own["cohort"].astype(str)):
                place = {"study": study.study, "task": table.task, "cohort": cohort}
                place |= {"reading": reading, "quantity": "called_female"}
                for part, spoken in split_by_condition(answers, table, study):
                    for crowd, said in split_by_judge_group(spoken, table, study):
                        if said.empty:
                            continue
                        names = [table.task, cohort, part["group"], part["agent"], crowd["judges"]]
                        female = said["perceived_gender"].astype(str) == "female"
                        found = estimate_share(female, said["judge"], level)
                        rows.append({"gender_id": ".".join(names)} | place | part | crowd | found)
    return pd.DataFrame(rows, columns=GENDERS).drop_duplicates(["gender_id", "reading"])


def split_by_condition(answers, table, study):
    """Answers by level of the condition and by who spoke."""
    levels = answers[table.by].astype(object)
    truth, agents = answers["truth"].astype(str), answers["agent"].astype(str)
    for level in (ALL, *sorted(levels.dropna().unique())):
        here = (levels == level) | (level == ALL)
        group_by = ALL if level == ALL else table.by
        for agent in ("human", ALL, *study.tasks[table.task].agents):
            spoke = truth == "machine" if agent == ALL else agents == agent
            part = {"group_by": group_by, "group": str(level), "agent": agent}
            yield part, answers[here & spoke]


def split_by_judge_group(answers, table, study):
    """Answers of all judges and of each group of them."""
    yield {"judges_by": ALL, "judges": ALL}, answers
    column = f"group:{table.judges}"
    for group in study.demographics[table.judges] if column in answers else ():
        yield {"judges_by": table.judges, "judges": group}, answers[answers[column] == group]
