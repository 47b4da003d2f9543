"""The cohort whose judges stand for a task wherever one answer per task is given.

It is the largest cohort of people who were neither trained with feedback nor pooled.
"""

import pandas as pd

from turingstats.config.study import Study


def list_headline_cohorts(study: Study, judged: pd.DataFrame) -> dict[str, list[str]]:
    """List by task the headline cohort, then the other cohorts of people who judged the same machines.

    `judged` are the comparisons of `statistics/equivalence.csv`; tasks without one are left out.
    """
    compared = judged.set_index("equivalence_id")["n_judges"]
    listed = {}
    for name, task in study.tasks.items():
        baseline = "chance" if task.choice else "people"
        judges = {
            cohort: compared[key]
            for cohort, described in task.cohorts.items()
            if described.judge_kind == "human"
            and not described.pools
            and described.setting != "feedback"
            and (key := f"{name}.{cohort}.all.{baseline}") in compared.index
        }
        if judges:
            order = sorted(judges, key=lambda cohort: -judges[cohort])
            machines = {cohort: set(task.cohorts[cohort].agents) for cohort in order}
            listed[name] = [cohort for cohort in order if machines[cohort] == machines[order[0]]]
    return listed
