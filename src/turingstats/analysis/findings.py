"""Summary of a run: how well people discriminated machines from people, by task and by agent.

The rule for the judges of a task is in `turingstats.analysis.headline_cohorts`; every number is from the
statistics tables.
"""

from typing import Any

import numpy as np
import pandas as pd

from turingstats.analysis.headline_cohorts import list_headline_cohorts
from turingstats.config.study import Study
from turingstats.core.claim_statuses import CHECKED, HOLD
from turingstats.core.labels import join_with_and, use_minus_signs
from turingstats.stats.equivalence import VERDICTS

COLUMNS = [
    "task", "task_label", "cohort", "cohort_label", "agent", "agent_label", "n_judges", "n_people",
    "n_trials", "detectability", "ci_low", "ci_high", "d_prime", "criterion",
    "people_called_human", "machines_called_human", "difference", "difference_low",
    "difference_high", "margin", "answer", "conclusion", "cohorts", "claims_checked", "claims_hold", "data",
]  # fmt: skip
ANSWERS = dict(
    zip(
        VERDICTS,
        ("told apart", "not told apart", "undecided", "barely told apart"),
        strict=True,
    )
)
"""Answer by the conclusion of the test of equivalence (`turingstats.stats.equivalence`)."""
CONCLUSIONS = {
    VERDICTS[
        0
    ]: "machines are judged human {size:.0f} points {direction} often than people ({low} to {high})",
    VERDICTS[1]: "any gap is under {margin:g} percentage points ({low} to {high})",
    VERDICTS[2]: "neither a gap nor its absence is shown ({low} to {high} percentage points)",
    VERDICTS[3]: (
        "machines are judged human {size:.0f} points {direction} often than people ({low} to {high}), "
        "within the margin of {margin:g}"
    ),
}
"""Conclusion of comparisons with people: the gap in the share judged human, with its interval."""
CHOICES = {
    VERDICTS[0]: "{direction} often than by chance",
    VERDICTS[1]: "as often as by chance, within {margin:g} percentage points",
    VERDICTS[2]: "neither a difference from chance nor its absence is shown",
    VERDICTS[3]: "{direction} often than by chance, by less than {margin:g} percentage points",
}
"""Conclusion of choices between a person and a machine, by that of the test of equivalence with one half."""
SAME = ANSWERS[VERDICTS[1]]
OPPOSITE = "depends on the machine"
"""Answer of a task some of whose agents are judged human more often than people, and others less often."""
DISPUTED = "depends on who judges"
"""Answer of a task whose cohorts come to different answers, each of them decided."""


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
    judges told machines from people, `conclusion` how it shows, `cohorts` who judged the same machines;
    `claims_checked` counts the published results of the task that were checked, `claims_hold` those that
    hold.
    """
    whole = estimates[(estimates["reading"] == "recommended") & (estimates["group_by"] == "all")]
    whole = whole.set_index("estimate_id")
    detectabilities = whole[whole["quantity"] == "detectability"]
    signal = whole.loc[whole["quantity"].isin(["d_prime", "criterion"]), "value"]
    against = equivalence.set_index("equivalence_id")
    sized = sizes[sizes["reading"] == "recommended"].set_index("size_id")["value"]
    results = claims[claims["kind"] == "result"]
    rows = []
    for name, cohorts in list_headline_cohorts(study, equivalence).items():
        task, cohort = study.tasks[name], cohorts[0]
        place, baseline = f"{name}.{cohort}.all", "chance" if task.choice else "people"
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
                **{of: signal.get(f"{place}.{agent}.{of}") for of in ("d_prime", "criterion")},
                "data": data,
            }
            of_task.append(described | compared | list_gap(against.loc[key]))
        pooled, *agents = of_task
        each = {c: against.loc[f"{name}.{c}.all.{baseline}"] for c in cohorts}
        labels = {c: task.cohorts[c].label for c in cohorts}
        checked = results[(results["task"] == name) & results["status"].isin(CHECKED)]
        pooled |= qualify_conclusion(pooled, agents, "chosen" if task.choice else "judged human")
        pooled |= compare_cohorts(pooled, each, labels) | {
            "n_people": sized.get(f"{place}.n_people"),
            "n_trials": sized.get(f"{place}.n_trials"),
            "claims_checked": len(checked),
            "claims_hold": int(checked["status"].isin(HOLD).sum()),
        }
        rows += [pooled, *(agents if len(agents) > 1 else [])]
    whole_numbers = dict.fromkeys(("claims_checked", "claims_hold"), "Int64")
    return pd.DataFrame(rows, columns=COLUMNS).astype(whole_numbers)


def list_gap(decided: pd.Series) -> dict[str, Any]:
    """List the difference of the shares judged human, its interval, and the margin of equivalence."""
    return {
        "difference": decided["difference"],
        "difference_low": decided["ci_low"],
        "difference_high": decided["ci_high"],
        "margin": decided["margin"],
    }


def format_points(share: float) -> str:
    """Format a difference of shares in percentage points, and a rounded zero without a sign."""
    return use_minus_signs(f"{100 * share:z.0f}")


def conclude_against_people(decided: pd.Series) -> dict[str, Any]:
    """Say what the test of equivalence with people concluded, with both shares judged human.

    `side` is 1 where machines are judged human more often than people, -1 less often, 0 where neither is
    shown.
    """
    side, conclusion = int(np.sign(decided["difference"])), decided["conclusion"]
    differs = conclusion in (VERDICTS[0], VERDICTS[3])
    ends = [decided["ci_low"], decided["ci_high"]]
    if differs:
        ends = sorted(side * end for end in ends)
    low, high = map(format_points, ends)
    return {
        "people_called_human": decided["baseline"],
        "machines_called_human": decided["rate"],
        "answer": ANSWERS[conclusion],
        "conclusion": CONCLUSIONS[conclusion].format(
            size=100 * abs(decided["difference"]),
            direction="less" if side < 0 else "more",
            margin=100 * decided["margin"],
            low=low,
            high=high,
        ),
        "side": side if differs else 0,
    }


def conclude_choices(decided: pd.Series, detectability: pd.Series, of: str) -> dict[str, Any]:
    """Say how often a machine was chosen, and what the test against one half concluded."""
    side = int(np.sign(decided["difference"]))
    ends = 1 - detectability["ci_high"], 1 - detectability["ci_low"]
    interval = f" [{ends[0]:.0%}, {ends[1]:.0%}]" if np.isfinite(ends).all() else ""
    conclusion = CHOICES[decided["conclusion"]].format(
        direction="less" if side < 0 else "more", margin=100 * decided["margin"]
    )
    return {
        "machines_called_human": decided["rate"],
        "answer": ANSWERS[decided["conclusion"]],
        "conclusion": f"chosen over the person in {decided['rate']:.0%}{interval} of {of}: {conclusion}",
        "side": side if decided["conclusion"] in (VERDICTS[0], VERDICTS[3]) else 0,
    }


def qualify_conclusion(
    pooled: dict[str, Any], agents: list[dict[str, Any]], judged: str
) -> dict[str, Any]:
    """Name the agents that the conclusion about all agents hides; none is drawn if they contradict it."""
    names = {
        side: join_with_and(row["agent_label"] for row in agents if row["side"] == side)
        for side in (1, -1)
    }
    if names[1] and names[-1]:
        conclusion = f"{names[1]} {judged} more often than people, {names[-1]} less often"
        return {"answer": OPPOSITE, "conclusion": conclusion}
    notes = [
        f"{names[side]} {judged} {direction} often than people"
        for side, direction in ((1, "more"), (-1, "less"))
        if names[side] and pooled["side"] != side
    ]
    alike = join_with_and(r["agent_label"] for r in agents if r["answer"] == SAME)
    if alike and pooled["side"]:
        notes.append(f"{alike} within {100 * pooled['margin']:g} points of people")
    return {"conclusion": "; ".join([pooled["conclusion"], *notes])}


def compare_cohorts(
    pooled: dict[str, Any], each: dict[str, pd.Series], labels: dict[str, str]
) -> dict[str, Any]:
    """Name the cohorts of a task, and give the range of their gaps if their answers contradict."""
    named = {"cohorts": "; ".join(each)}
    answers = {ANSWERS[one["conclusion"]] for one in each.values()} - {ANSWERS[VERDICTS[2]]}
    if len(answers) < 2 or pooled["answer"] == OPPOSITE:
        return named
    order = sorted(each, key=lambda cohort: abs(each[cohort]["difference"]))
    small, large = (
        (labels[cohort], each[cohort]["difference"]) for cohort in (order[0], order[-1])
    )
    ends = [format_points(abs(gap)) for _, gap in (small, large)]
    less = "less" if large[1] < 0 else "more"
    if small[1] * large[1] < 0:
        ends[0] = f"{ends[0]} points {'more' if less == 'less' else 'less'}"
    return named | {
        "answer": DISPUTED,
        "conclusion": f"machines are judged human {ends[0]} ({small[0]}) to {ends[1]} points ({large[0]}) "
        f"{less} often than people",
    }
