"""Summary of a run: how well people discriminated machines from people, by task and by agent.

Whose judgments stand for a task is decided in `turingstats.analysis.headline_cohorts`; every number is from
the statistics tables.
"""

from typing import Any

import numpy as np
import pandas as pd

from turingstats.analysis.headline_cohorts import list_answering_cohorts, name_who_judges
from turingstats.analysis.rows import tabulate
from turingstats.config.study import Study
from turingstats.core.claim_statuses import CHECKED, HOLD
from turingstats.core.labels import (
    begin_in_lower_case,
    find_alpha,
    join_with_and,
    state_p,
    use_minus_signs,
)
from turingstats.core.names import join_names
from turingstats.core.quantity_names import VERDICTS

GAP_COLUMNS = {
    **{name: name for name in ("difference", "margin", "smallest_margin")},
    **{"ci_low": "difference_low", "ci_high": "difference_high"},
}
"""Columns of equivalence that findings have, and their names there."""
ANSWERS = dict(
    zip(VERDICTS, ("told apart", "not told apart", "undecided", "barely told apart"), strict=True)
)
"""Answer by the conclusion of the test of equivalence (`turingstats.stats.equivalence`)."""
MORE_HUMAN = "judged more human than people"
"""Answer in place of "told apart" where machines are judged human more often than people."""
GAP = "machines are judged human {size:.0f} points {direction} often than people ({low} to {high})"
CONCLUSIONS = {
    VERDICTS[0]: GAP,
    VERDICTS[1]: "equivalent within {margin:g} points ({low} to {high})",
    VERDICTS[2]: "too few data to tell{corrected} ({low} to {high} points)",
    VERDICTS[3]: GAP + ", equivalent within {margin:g} points",
}
"""Conclusion of comparisons with people: the gap in the share judged human, with its interval."""
CHOICES = {
    VERDICTS[0]: "{direction} often than by chance",
    VERDICTS[1]: "as often as by chance, within {margin:g} points",
    VERDICTS[2]: "too few data to tell",
    VERDICTS[3]: "{direction} often than by chance, by less than {margin:g} points",
}
"""Conclusion of choices between a person and a machine, by that of the test of equivalence with one half."""
SAME = ANSWERS[VERDICTS[1]]
OPPOSITE = "depends on the machine"
"""Answer of a task some of whose agents are judged human more often than people, and others less often."""
DISPUTED = "depends on who judges"
"""Answer where cohorts tell the same machines from people unequally well."""


def summarize_tasks(
    estimates: pd.DataFrame,
    equivalence: pd.DataFrame,
    tests: pd.DataFrame,
    sizes: pd.DataFrame,
    claims: pd.DataFrame | None,
    study: Study,
    data: str,
    level: float,
) -> pd.DataFrame:
    """Summarize each task with judgments of people: one row for all agents, then one for each of several.

    The detectability of choices is the share of right ones; a machine is judged human where it was chosen
    in place of the person. Otherwise detectability is the mean of the shares of people judged human and of
    machines judged machine (0.5 at chance), recommended reading, with its interval. `answer` says whether
    judges told machines from people, `conclusion` how it shows, `cohorts` who judged the same machines;
    `claims_checked` counts the published results of the task that were checked, `claims_hold` those that
    hold. Cohorts with other machines have rows of their own. All that is concluded is corrected: see
    `turingstats.stats.equivalence.correct_conclusions` and `headline_cohorts.ask_who_judges`.
    """
    recommended = tests[tests["reading"] == "recommended"].set_index(["comparison", "agent"])
    sized = sizes[sizes["reading"] == "recommended"].set_index("size_id")["value"]
    if claims is None:
        claims = pd.DataFrame(columns=["task", "kind", "status"])
    alpha, results = find_alpha(level), claims[claims["kind"] == "result"]
    rows = []
    for name, groups in list_answering_cohorts(study, equivalence).items():
        for cohorts in groups:
            pooled, *agents = summarize_agents(study, name, cohorts, estimates, equivalence)
            pooled |= qualify_conclusion(pooled, agents)
            place = f"{name}.{cohorts[0]}.all"
            pooled |= {f"n_{what}": sized.get(f"{place}.n_{what}") for what in ("people", "trials")}
            if cohorts is groups[0]:
                checked = results[(results["task"] == name) & results["status"].isin(CHECKED)]
                pooled["claims_checked"] = len(checked)
                pooled["claims_hold"] = int(checked["status"].isin(HOLD).sum())
            else:
                pooled["task_label"] += f" ({pooled['cohort_label']})"
            of_task = [pooled, *(agents if len(agents) > 1 else [])]
            asked = name_who_judges(study, name, cohorts)
            p = recommended[recommended.index.get_level_values(0) == asked]["p_adjusted"].droplevel(
                0
            )
            compare_cohorts(study, name, cohorts, of_task, equivalence, p, alpha)
            rows += of_task
    whole_numbers = dict.fromkeys(("claims_checked", "claims_hold"), "Int64")
    return tabulate(rows, "findings", data=data).astype(whole_numbers)


def summarize_agents(
    study: Study,
    name: str,
    cohorts: list[str],
    estimates: pd.DataFrame,
    equivalence: pd.DataFrame,
) -> list[dict[str, Any]]:
    """Summarize all agents that a cohort judged together, then each; other cohorts are only named."""
    task, cohort = study.tasks[name], cohorts[0]
    whole = estimates[(estimates["reading"] == "recommended") & (estimates["group_by"] == "all")]
    whole = whole.set_index("estimate_id")
    against = equivalence.set_index("equivalence_id")
    rows = []
    for agent in ("all", *task.cohorts[cohort].agents):
        key = f"{name}.{cohort}.{agent}.{'chance' if task.choice else 'people'}"
        if key not in against.index:
            continue
        place, decided = f"{name}.{cohort}.all.{agent}", against.loc[key]
        detectability = whole.loc[f"{place}.detectability"]
        compared = conclude(decided)
        if task.choice:
            of = "games" if task.design == "three_party" else "choices"
            chosen = describe_choices(decided["rate"], detectability, of)
            compared["conclusion"] = f"{chosen}: {compared['conclusion']}"
        signal = {of: f"{place}.{of}" for of in ("d_prime", "criterion")}
        described = {
            "task": name,
            "task_label": task.label,
            "cohort": cohort,
            "cohort_label": task.cohorts[cohort].label,
            "agent": agent,
            "agent_label": "all machines" if agent == "all" else study.agents[agent].label,
            "n_judges": int(detectability["n_judges"]),
            "detectability": detectability["value"],
            "ci_low": detectability["ci_low"],
            "ci_high": detectability["ci_high"],
            **{
                of: whole.at[at, "value"] if at in whole.index else None
                for of, at in signal.items()
            },
            "cohorts": join_names(cohorts, "; ") if agent == "all" else None,
            "judged": "chosen" if task.choice else "judged human",
        }
        rows.append(described | compared | decided[[*GAP_COLUMNS]].rename(GAP_COLUMNS).to_dict())
    return rows


def format_points(share: float) -> str:
    """Format a difference of shares in percentage points, and a rounded zero without a sign."""
    return use_minus_signs(f"{100 * share:z.0f}")


def conclude(decided: pd.Series) -> dict[str, Any]:
    """Say what a test of equivalence concluded, and how often machines were judged human.

    `side` is 1 where machines are judged human more often than people, or chosen in more than half of the
    cases, -1 less often, 0 where neither is shown.
    """
    side, verdict = int(np.sign(decided["difference"])), decided["conclusion"]
    concluded = {
        "machines_called_human": decided["rate"],
        "answer": MORE_HUMAN if verdict == VERDICTS[0] and side > 0 else ANSWERS[verdict],
        "side": side if verdict in (VERDICTS[0], VERDICTS[3]) else 0,
    }
    facts = {"direction": "less" if side < 0 else "more", "margin": 100 * decided["margin"]}
    if decided["against"] == "chance":
        return concluded | {"conclusion": CHOICES[verdict].format(**facts)}
    ends = [decided["ci_low"], decided["ci_high"]]
    if concluded["side"]:
        ends = sorted(side * end for end in ends)
    low, high = map(format_points, ends)
    # The interval is not corrected.
    facts["corrected"] = " after correction" if min(ends) * max(ends) > 0 else ""
    facts |= {"size": 100 * abs(decided["difference"]), "low": low, "high": high}
    conclusion = CONCLUSIONS[verdict].format(**facts)
    return concluded | {"people_called_human": decided["baseline"], "conclusion": conclusion}


def describe_choices(rate: float, detectability: pd.Series, of: str) -> str:
    """Say how often a machine was chosen, with the interval."""
    ends = 1 - detectability["ci_high"], 1 - detectability["ci_low"]
    interval = f" [{ends[0]:.0%}, {ends[1]:.0%}]" if np.isfinite(ends).all() else ""
    return f"chosen over the person in {rate:.0%}{interval} of {of}"


def qualify_conclusion(pooled: dict[str, Any], agents: list[dict[str, Any]]) -> dict[str, Any]:
    """Name the agents that the conclusion about all agents hides; none is drawn if they contradict it."""
    judged = pooled["judged"]
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
    study: Study,
    task: str,
    cohorts: list[str],
    rows: list[dict[str, Any]],
    equivalence: pd.DataFrame,
    p_of: pd.Series,
    alpha: float,
) -> None:
    """Say of all agents, and of each, by how much cohorts differ if they do; `rows` are changed.

    `p_of` are corrected p values by agent. The sentence about all agents names those that depend on who
    judges.
    """
    gaps = equivalence.set_index("equivalence_id")["difference"]
    baseline = "chance" if study.tasks[task].choice else "people"
    labels = {c: begin_in_lower_case(study.tasks[task].cohorts[c].label) for c in cohorts}
    notes = []
    for row in rows:
        p = p_of.get(row["agent"], np.nan)
        if not p < alpha or row["answer"] == OPPOSITE:
            continue
        each = {labels[c]: gaps[f"{task}.{c}.{row['agent']}.{baseline}"] for c in cohorts}
        sentence = f"{describe_unequal_gaps(each, baseline)} ({state_p(p)})"
        row["answer"] = DISPUTED
        if row["agent"] == "all":
            row["conclusion"] = f"machines are {row['judged']} {sentence}"
        else:
            notes.append(f"{row['agent_label']} {row['judged']} {sentence}")
            row["conclusion"] = sentence
    rows[0]["conclusion"] = "; ".join([rows[0]["conclusion"], *notes])


def describe_unequal_gaps(gaps: dict[str, float], baseline: str) -> str:
    """Describe the smallest and the largest gap by who judged."""
    (who, small), *_, (others, large) = sorted(gaps.items(), key=lambda item: abs(item[1]))
    than = "than people" if baseline == "people" else "than by chance"
    size, larger = (f"{100 * abs(gap):.0f}" for gap in (small, large))
    words = ["less" if gap < 0 else "more" for gap in (small, large)]
    if words[0] == words[1]:
        return f"{words[0]} often {than} by {size} points among {who}, {larger} among {others}"
    first = f"{words[0]} often {than} by {size} points among {who}"
    return f"{first}, {words[1]} often by {larger} among {others}"
