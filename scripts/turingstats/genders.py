"""Which gender judges took speakers for: shares called female, by who spoke and by who judged.

A share is of the answers female and male on trials that are analysed, verdicts "unsure" left out; judges
who were not asked have no part in it. Whether an answer is right is not known: the speakers' own genders
are not in the data.
"""

from turingstats.breakdowns import people_only, share

GENDERS = (
    "gender_id study task cohort reading quantity group_by group agent judges_by judges value k n n_judges "
    "ci_low ci_high method"
).split()
ALL = "all"


def measure(judgments, groups, study, level):
    """Shares of speakers called female, for each table of genders of a study.

    Parameters
    ----------
    judgments : pandas.DataFrame
        From `turingstats.cleaning.clean`.
    groups : pandas.DataFrame
        From `turingstats.counts.groups_of`.
    study : Study
    level : float
        Confidence of the intervals.

    Returns
    -------
    pandas.DataFrame
        Columns `GENDERS`; one row a cohort, level of the condition (group), agent ("all": the machines
        pooled) and group of judges, with "all" for all levels and all judges. k of n answers are female;
        the interval is that of `turingstats.breakdowns.share`. Without answers there is no row.
    """
    import pandas as pd

    rows = []
    for reading in study.readings:
        people = people_only(judgments, groups, reading)
        asked = people[people["perceived_gender"].notna()]
        for table in study.gender_tables.values():
            own = asked[asked["task"].astype(str) == table.task]
            for cohort, answers in own.groupby(own["cohort"].astype(str)):
                place = {"study": study.study, "task": table.task, "cohort": cohort}
                place |= {"reading": reading, "quantity": "called_female"}
                for part, spoken in parts(answers, table, study):
                    for crowd, said in crowds(spoken, table, study):
                        if said.empty:
                            continue
                        names = [table.task, cohort, part["group"], part["agent"], crowd["judges"]]
                        female = said["perceived_gender"].astype(str) == "female"
                        found = share(female, said["judge"], level)
                        rows.append({"gender_id": ".".join(names)} | place | part | crowd | found)
    return pd.DataFrame(rows, columns=GENDERS).drop_duplicates(["gender_id", "reading"])


def parts(answers, table, study):
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


def crowds(answers, table, study):
    """Answers of all judges and of each group of them."""
    yield {"judges_by": ALL, "judges": ALL}, answers
    column = f"group:{table.judges}"
    for group in study.demographics[table.judges] if column in answers else ():
        yield {"judges_by": table.judges, "judges": group}, answers[answers[column] == group]


def build(table, study, genders, lacking, reading):
    """Fill a table of genders.

    Parameters
    ----------
    table : turingstats.study.GenderTable
    study : Study
    genders : pandas.DataFrame
        From `measure`.
    lacking : str
        What to say in place of a share that cannot be had.
    reading : {"published", "recommended"}

    Returns
    -------
    pandas.DataFrame
        One row a cohort, speaker and level of the condition; cells as text: share called female in percent
        with its interval, and answers with their judges.
    """
    import pandas as pd

    task = study.tasks[table.task]
    own = genders[
        (genders["task"] == table.task)
        & (genders["reading"] == reading)
        & genders["group_by"].isin([ALL, table.by])
        & genders["judges_by"].isin([ALL, table.judges])
    ]
    known = own.set_index("gender_id")
    levels = list(dict.fromkeys(own["group"])) or [ALL]
    groups = list(dict.fromkeys(own["judges"])) or [ALL]
    rows = []
    for name, cohort in task.cohorts.items():
        if cohort.judge_kind != "human" or cohort.pools:
            continue
        for agent in ("human", ALL, *(a for a in cohort.agents if a != "machine")):
            for level in levels:
                row = {
                    "Judges": cohort.label,
                    "Speaker": "All machines" if agent == ALL else study.agents[agent].label,
                    table.label: level,
                }
                ids = {g: f"{table.task}.{name}.{level}.{agent}.{g}" for g in groups}
                # People do not speak in M-M; a speaker without any answers keeps one row.
                if level != ALL and ids[ALL] not in known.index:
                    continue
                for group, key in ids.items():
                    said = f"{group} judges".capitalize()
                    found = known.loc[key] if key in known.index else None
                    row[f"{said}: female (%)"] = lacking if found is None else percent(found)
                    row[f"{said}: answers (judges)"] = "" if found is None else numbers(found)
                rows.append(row)
    return pd.DataFrame(rows)


def percent(found):
    """A share in percent with its interval."""
    value, low, high = (100 * found[name] for name in ("value", "ci_low", "ci_high"))
    return f"{value:.1f} [{low:.1f}, {high:.1f}]"


def numbers(found):
    """How many answers of how many judges a share rests on."""
    return f"{found['n']:,.0f} ({found['n_judges']:,.0f})"
