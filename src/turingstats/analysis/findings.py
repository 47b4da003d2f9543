"""Summary of a run: how well people discriminated machines from people, by task and by agent.

The task's judges are its largest human cohort that was neither trained with feedback nor pooled; every
number is from the statistics tables.
"""

from typing import Any

import numpy as np
import pandas as pd

from turingstats.config.study import Study, Task
from turingstats.core.claim_statuses import CHECKED, HOLD
from turingstats.core.labels import join_with_and
from turingstats.stats.equivalence import VERDICTS

COLUMNS = [
    "task", "task_label", "cohort", "cohort_label", "agent", "agent_label", "n_judges", "n_people",
    "n_trials", "detectability", "ci_low", "ci_high", "people_called_human",
    "machines_called_human", "answer", "conclusion", "claims_checked", "claims_hold", "data",
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


CHOICES = {
    VERDICTS[0]: "{direction} often than the person",
    VERDICTS[1]: "as often as the person, within {points:g} percentage points",
    VERDICTS[2]: "neither a difference from the person nor equivalence is shown",
    VERDICTS[3]: "{direction} often than the person, by less than {points:g} percentage points",
}
"""Conclusion of choices between a person and a machine, by that of the test of equivalence with one half."""
SAME = CONCLUSIONS[VERDICTS[1]][0]
OPPOSITE = "depends on the machine"
"""Answer of a task some of whose agents are judged human more often than people, and others less often."""


def summarize_tasks(
    study: Study,
    estimates: pd.DataFrame,
    equivalence: pd.DataFrame,
    sizes: pd.DataFrame,
    claims: pd.DataFrame,
    data: str,
) -> pd.DataFrame:
    """Summarize each task with judgments of people: one row for all agents, then one for each of several.

    The detectability of choices is the share of right ones; a machine is judged human where it was chosen
    in place of the person. Otherwise detectability is the mean of the shares of people judged human and of
    machines judged machine (0.5 at chance), recommended reading, with its interval. `answer` says whether
    judges told machines from people, `conclusion` how it shows; `claims_checked` counts the published
    results of the task that were checked, `claims_hold` those that hold.
    """
    detectabilities = estimates[
        (estimates["reading"] == "recommended")
        & (estimates["group_by"] == "all")
        & (estimates["quantity"] == "detectability")
    ].set_index("estimate_id")
    against = equivalence.set_index("equivalence_id")
    sized = sizes[sizes["reading"] == "recommended"].set_index("size_id")["value"]
    results = claims[claims["kind"] == "result"]
    rows = []
    for name, task in study.tasks.items():
        cohort = choose_cohort(name, task, detectabilities)
        place, baseline = f"{name}.{cohort}.all", "chance" if task.choice else "people"
        if cohort is None or f"{place}.{baseline}" not in against.index:
            continue
        of_task = []
        for agent in ("all", *task.agents):
            key = f"{name}.{cohort}.{agent}.{baseline}"
            if key not in against.index:
                continue
            detectability = detectabilities.loc[f"{place}.{agent}.detectability"]
            if task.choice:
                of = "games" if task.design == "three_party" else "choices"
                compared = conclude_choices(against.loc[key], detectability, of)
            else:
                compared = conclude_against_people(against.loc[key])
            label = "all machines" if agent == "all" else study.agents[agent].label
            described = {
                "task": name,
                "task_label": task.label,
                "cohort": cohort,
                "cohort_label": task.cohorts[cohort].label,
                "agent": agent,
                "agent_label": label,
                "n_judges": int(detectability["n_judges"]),
                "detectability": detectability["value"],
                "ci_low": detectability["ci_low"],
                "ci_high": detectability["ci_high"],
                "data": data,
            }
            of_task.append(described | compared)
        pooled, *agents = of_task
        checked = results[(results["task"] == name) & results["status"].isin(CHECKED)]
        pooled |= qualify_conclusion(pooled, agents) | {
            "n_people": sized.get(f"{place}.n_people"),
            "n_trials": sized.get(f"{place}.n_trials"),
            "claims_checked": len(checked),
            "claims_hold": int(checked["status"].isin(HOLD).sum()),
        }
        rows += [pooled, *(agents if len(agents) > 1 else [])]
    whole_numbers = dict.fromkeys(("claims_checked", "claims_hold"), "Int64")
    return pd.DataFrame(rows, columns=COLUMNS).astype(whole_numbers)


def conclude_against_people(decided: pd.Series) -> dict[str, Any]:
    """Say what the test of equivalence with people concluded, with both shares judged human.

    `side` is 1 where machines are judged human more often than people, -1 less often, 0 where neither is
    shown.
    """
    side = int(np.sign(decided["difference"]))
    answer, conclusion = CONCLUSIONS[decided["conclusion"]]
    return {
        "people_called_human": decided["baseline"],
        "machines_called_human": decided["rate"],
        "answer": answer,
        "conclusion": conclusion.format(
            direction="less" if side < 0 else "more", points=100 * decided["margin"]
        ),
        "side": side if decided["conclusion"] in (VERDICTS[0], VERDICTS[3]) else 0,
    }


def conclude_choices(decided: pd.Series, detectability: pd.Series, of: str) -> dict[str, Any]:
    """Say how often a machine was chosen, and what the test against one half concluded."""
    side = int(np.sign(decided["difference"]))
    ends = 1 - detectability["ci_high"], 1 - detectability["ci_low"]
    interval = f" [{ends[0]:.0%}, {ends[1]:.0%}]" if np.isfinite(ends).all() else ""
    conclusion = CHOICES[decided["conclusion"]].format(
        direction="less" if side < 0 else "more", points=100 * decided["margin"]
    )
    return {
        "machines_called_human": decided["rate"],
        "answer": CONCLUSIONS[decided["conclusion"]][0],
        "conclusion": f"judged human in {decided['rate']:.0%}{interval} of {of}: {conclusion}",
        "side": side if decided["conclusion"] in (VERDICTS[0], VERDICTS[3]) else 0,
    }


def qualify_conclusion(pooled: dict[str, Any], agents: list[dict[str, Any]]) -> dict[str, Any]:
    """Name the agents that the conclusion about all agents hides; none is drawn if they contradict it."""
    names = {
        side: join_with_and(row["agent_label"] for row in agents if row["side"] == side)
        for side in (1, -1)
    }
    if names[1] and names[-1]:
        conclusion = f"{names[1]} judged human more often than people, {names[-1]} less often"
        return {"answer": OPPOSITE, "conclusion": conclusion}
    notes = [
        f"{names[side]} judged human {direction} often than people"
        for side, direction in ((1, "more"), (-1, "less"))
        if names[side] and pooled["side"] != side
    ]
    alike = join_with_and(r["agent_label"] for r in agents if r["answer"] == SAME)
    if alike and pooled["side"]:
        notes.append(f"{alike} as often as people")
    return {"conclusion": "; ".join([pooled["conclusion"], *notes])}


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
