"""Summary of a run, one row per task: how well people discriminated machines from people.

The task's judges are its largest human cohort that was neither trained with feedback nor pooled; every
number is from the statistics tables.
"""

from typing import Any

import pandas as pd

from turingstats.config.study import Study, Task
from turingstats.core.claim_statuses import CHECKED, HOLD
from turingstats.stats.equivalence import VERDICTS

COLUMNS = [
    "task", "task_label", "cohort", "cohort_label", "n_judges", "n_people", "n_trials",
    "detectability", "ci_low", "ci_high", "people_called_human", "machines_called_human", "answer",
    "conclusion", "claims_checked", "claims_hold", "data",
]  # fmt: skip
CONCLUSIONS = {
    VERDICTS[0]: ("told apart", "machines are judged human {direction} often than people"),
    VERDICTS[1]: (
        "not told apart",
        "machines are judged human as often as people, within {points:g} percentage points",
    ),
    VERDICTS[2]: ("undecided", "neither a difference nor equivalence is shown"),
    VERDICTS[3]: (
        "barely told apart",
        "machines are judged human {direction} often than people, by less than {points:g} percentage points",
    ),
}
"""Answer and conclusion, by that of the test of equivalence with people (`turingstats.stats.equivalence`)."""


def summarize_tasks(
    study: Study,
    estimates: pd.DataFrame,
    equivalence: pd.DataFrame,
    sizes: pd.DataFrame,
    claims: pd.DataFrame,
    data: str,
) -> pd.DataFrame:
    """Summarize each task with judgments of people in one row.

    Choices have no shares judged human; their detectability is the share of right ones. Otherwise
    detectability is the mean of the shares of people judged human and of machines judged machine (0.5 at
    chance), recommended reading, with its interval. `answer` says whether judges told machines from
    people, `conclusion` how it shows; `claims_checked` counts the published results of the task that were
    checked, `claims_hold` those that hold.
    """
    detectabilities = estimates[
        (estimates["reading"] == "recommended") & (estimates["group_by"] == "all")
    ]
    detectabilities = detectabilities[detectabilities["quantity"] == "detectability"].set_index(
        "estimate_id"
    )
    against = equivalence[equivalence["against"] == "people"].set_index("equivalence_id")
    sized = sizes[sizes["reading"] == "recommended"].set_index("size_id")["value"]
    results = claims[claims["kind"] == "result"]
    rows = []
    for name, task in study.tasks.items():
        cohort = choose_cohort(name, task, detectabilities)
        if cohort is None:
            continue
        detectability = detectabilities.loc[f"{name}.{cohort}.all.all.detectability"]
        if task.choice:
            compared = conclude_choices(detectability)
        elif f"{name}.{cohort}.all.people" in against.index:
            compared = conclude_against_people(against.loc[f"{name}.{cohort}.all.people"])
        else:
            continue
        checked = results[(results["task"] == name) & results["status"].isin(CHECKED)]
        rows.append(
            {
                "task": name,
                "task_label": task.label,
                "cohort": cohort,
                "cohort_label": task.cohorts[cohort].label,
                "n_judges": int(detectability["n_judges"]),
                "n_people": sized.get(f"{name}.{cohort}.all.n_people"),
                "n_trials": sized.get(f"{name}.{cohort}.all.n_trials"),
                "detectability": detectability["value"],
                "ci_low": detectability["ci_low"],
                "ci_high": detectability["ci_high"],
                **compared,
                "claims_checked": len(checked),
                "claims_hold": int(checked["status"].isin(HOLD).sum()),
                "data": data,
            }
        )
    return pd.DataFrame(rows, columns=COLUMNS)


def conclude_against_people(decided: pd.Series) -> dict[str, Any]:
    """Say what the test of equivalence with people concluded, with both shares judged human."""
    direction = "less" if decided["difference"] < 0 else "more"
    answer, conclusion = CONCLUSIONS[decided["conclusion"]]
    return {
        "people_called_human": decided["baseline"],
        "machines_called_human": decided["rate"],
        "answer": answer,
        "conclusion": conclusion.format(direction=direction, points=100 * decided["margin"]),
    }


def conclude_choices(detectability: pd.Series) -> dict[str, Any]:
    """Say whether choices between a person and a machine differ from chance, by their interval."""
    if detectability["ci_low"] > 0.5:
        return {"answer": "told apart", "conclusion": "choices are right more often than by chance"}
    if detectability["ci_high"] < 0.5:
        conclusion = "machines are taken for the person more often than people"
        return {"answer": "told apart", "conclusion": conclusion}
    return {"answer": "undecided", "conclusion": "the interval of right choices includes chance"}


def choose_cohort(name: str, task: Task, detectability: pd.DataFrame) -> str | None:
    """Choose the human cohort that represents a task; None if there is none."""
    judges = {
        cohort: detectability.loc[key, "n_judges"]
        for cohort, described in task.cohorts.items()
        if described.judge_kind == "human"
        and not described.pools
        and described.setting != "feedback"
        and (key := f"{name}.{cohort}.all.all.detectability") in detectability.index
    }
    return max(judges, key=judges.get) if judges else None
