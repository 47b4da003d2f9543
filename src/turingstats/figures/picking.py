"""Shared functions of panel kinds to select numbers from result tables."""

from typing import Any

import pandas as pd

from turingstats.config.study import Study, Task
from turingstats.config.study.panels import BarsPanel, PiePanel
from turingstats.core.names import split_level
from turingstats.data.absence import explain_absence

EXAMPLES = ("examples", "conversation")
"""Kinds of panels that show responses, independent of cohorts."""
NUMBERS = (
    "value", "se", "error_over", "ci_low", "ci_high", "wilson_low", "wilson_high", "n", "n_judges",
)  # fmt: skip
"""Columns of an estimate from which panels choose."""
PLACE = ("task", "cohort", "group_by", "agent", "quantity")
"""Columns by which estimates are found."""


def select_cohort_rows(table: pd.DataFrame, panel: Any, cohort: str | None = None) -> pd.DataFrame:
    """Select the rows of a table for the cohort of a panel."""
    cohort = cohort or getattr(panel, "cohort", None)
    return table[(table["task"] == panel.task) & (table["cohort"] == cohort)]


def index_estimates(estimates: pd.DataFrame) -> dict[tuple[str, ...], dict[str, dict[str, Any]]]:
    """Index the estimates that are known by `PLACE`, and then by group."""
    index: dict[tuple[str, ...], dict[str, dict[str, Any]]] = {}
    known = estimates[estimates["value"].notna()]
    for row in known[[*PLACE, "group", *NUMBERS]].to_dict("records"):
        place = tuple(row.pop(key) for key in PLACE)
        index.setdefault(place, {})[row.pop("group")] = row
    return index


def pick_estimates(
    results: dict[str, Any],
    panel: Any,
    agent: str,
    quantity: str,
    by: str = "all",
    cohort: str = "",
) -> dict[str, dict[str, Any]]:
    """Pick by group what panels show of the estimates of an agent; of all trials, the group is `all`."""
    place = (panel.task, cohort or panel.cohort, by, agent, quantity)
    return results["estimates_at"].get(place, {})


def describe_agent(agent: str, panel: Any, study: Study) -> dict[str, Any]:
    """Describe an agent, or an agent at a level, by its name and its label in a figure."""
    name = split_level(agent, study.agents)[0]
    return {"agent": name, "agent_label": label_agent(agent, panel, study)}


def pick_test(test_id: str, results: dict[str, Any]) -> dict[str, Any]:
    """Select the columns of a declared test that are shown; empty if there is no such test."""
    columns = ("p", "p_adjusted", "test", "unit", "correction", "family_size")
    row = results["test_of"].get(test_id)
    return {key: row[key] for key in columns} if row else {}


def label_agent(name: str, panel: Any, study: Study) -> str:
    """Label an agent, or an agent at a level, in a figure; pooled agents are all models."""
    if name in panel.labels:
        return panel.labels[name]
    agent, level = split_level(name, study.agents)
    if level:
        # A part is listed below its whole and need not repeat the name.
        return f"in {level}" if agent in panel.rows else f"{study.agents[agent].label} in {level}"
    return "All models" if agent == "all" else study.agents[agent].label


def name_level(level: str, panel: Any, study: Study) -> str:
    """Name a level in a figure; levels may be agents, such as those that a judge was trained on."""
    agent = study.agents.get(level)
    return panel.labels.get(level, agent.label if agent else level)


def explain_panel_absence(panel: Any, task: Task, results: dict[str, pd.DataFrame]) -> str:
    """Explain why a panel has no numbers."""
    # Only studies with judges trained here have an evaluation.
    untrained = results.get("evaluation")
    if untrained is not None:
        untrained = select_cohort_rows(untrained, panel)
        untrained = untrained[untrained["quantity"] == "not trained"]
    if untrained is not None and len(untrained):
        # The method ends with the key that would change this, which readers of a figure do not need.
        return f"not trained: {untrained['method'].iloc[0].partition(', see ')[0]}"
    cohorts = panel.cohort_names
    if panel.kind not in EXAMPLES and not set(cohorts) <= set(task.cohorts):
        return "no endpoint to ask (llm.base_url)"
    absent = find_absent_files(panel, task, results["missing"])
    if len(absent):
        return explain_absence(absent)
    if panel.kind in EXAMPLES:
        return "no responses of this kind in this run"
    sizes = results["sizes"]
    judged = sizes[(sizes["task"] == panel.task) & sizes["cohort"].isin(cohorts)]
    if judged.empty:
        return "no verdicts of these judges in this run"
    return "no verdicts of this kind by these judges"


def find_absent_files(panel: Any, task: Task, missing: pd.DataFrame) -> pd.DataFrame:
    """Select the rows of missing.csv with the files that a panel without numbers needs."""
    missing = missing[missing["task"] == panel.task]
    if panel.kind in EXAMPLES:
        return missing[missing["cohort"].isna()]
    names = [name for name in panel.cohort_names if name in task.cohorts]
    cohorts = {part for name in names for part in (task.cohorts[name].pools or (name,))}
    return missing[missing["cohort"].isin(cohorts)]


def find_role(
    row: dict[str, Any], panel: Any, study: Study, results: dict[str, pd.DataFrame]
) -> str | None:
    """Find the role that decides the color and marker of a number; None where nothing is drawn by role."""
    if row["kind"] in ("lines", "scatter"):
        agents = study.tasks[panel.task].agents
        return f"agent {agents.index(row['agent']) + 1}" if row["agent"] in agents else None
    if row["kind"] == "bars" and row["group_by"] == "cohort":
        return find_cohort_role(row["cohort"], panel.task, study)
    if row["kind"] in ("bars", "pie"):
        return find_group_role(row["group"], panel, study, results)
    return None


def find_cohort_role(name: str, task: str, study: Study) -> str:
    """Find the role of a cohort, or its place among those of the study that have none."""
    cohorts = study.tasks[task].cohorts
    if name not in cohorts:
        # Cohorts of language models that `llm` in the settings adds.
        return "language model"
    if role := cohorts[name].find_role():
        return role
    others = dict.fromkeys(
        other
        for each in study.tasks.values()
        for other, cohort in each.cohorts.items()
        if not cohort.find_role()
    )
    return f"cohort {list(others).index(name) + 1}"


def find_group_role(
    group: str, panel: BarsPanel | PiePanel, study: Study, results: dict[str, pd.DataFrame]
) -> str:
    """Find the place of a group or level among all of its variable."""
    declared = study.demographics.get(panel.by)
    levels = [
        *(declared or (name_level(at, panel, study) for at in getattr(panel, "levels", None) or ()))
    ]
    if group not in levels:
        table = results["sizes"] if panel.kind == "pie" else results["estimates"]
        part = table[(table["task"] == panel.task) & (table["group_by"] == panel.by)]
        levels += sorted(set(part["group"]) - set(levels))
    role = f"{'group' if declared else 'level'} {levels.index(group) + 1}"
    ordered = declared and panel.by in (*study.ordered, *study.shaded)
    return f"{role} of {len(levels)}" if ordered else role
