"""What kinds of panels use to pick their numbers from the tables of results."""

from turingstats.data.absence import IN_WORDS, NOT_BUNDLED, explain_absence

EXAMPLES = ("examples", "conversation")
"""Kinds of panels that show responses, of no cohort."""
NUMBERS = ("value", "se", "ci_low", "ci_high", "n", "n_judges")
"""Columns of an estimate that are shown."""


def select_cohort_rows(table, panel, cohort=None):
    """Rows of a table for the cohort of a panel."""
    cohort = cohort or getattr(panel, "cohort", None)
    return table[(table["task"] == panel.task) & (table["cohort"] == cohort)]


def pick_estimate(row):
    """What of an estimate is shown."""
    return {key: row[key] for key in NUMBERS}


def pick_test(test_id, tests):
    """What of a declared test is shown; empty where there is no such test."""
    if test_id not in tests.index:
        return {}
    row = tests.loc[test_id]
    return {
        key: row[key] for key in ("p", "p_adjusted", "test", "unit", "correction", "family_size")
    }


def label_agent(name, panel, study):
    """How a figure names an agent, or an agent at a level; the pooled agents are the machines."""
    if name in panel.labels:
        return panel.labels[name]
    agent, _, level = name.partition("@")
    if level:
        # A part stands below its whole, whose name it need not repeat.
        return f"in {level}" if agent in panel.rows else f"{study.agents[agent].label} in {level}"
    if agent != "all":
        return study.agents[agent].label
    alone = len(panel.agent_names) <= 1 or getattr(panel, "rows", ())
    return "Machine" if alone else "All models"


def explain_panel_absence(panel, task, results):
    """Why a panel has no numbers."""
    told = select_cohort_rows(results["evaluation"], panel)
    told = told[told["quantity"] == "not trained"]
    if len(told):
        missing = results["missing"]
        lacking = missing[(missing["task"] == panel.task) & missing["cohort"].isna()]
        if (lacking["why"] == NOT_BUNDLED).any():
            return f"not trained: responses are {IN_WORDS[NOT_BUNDLED]}"
        return f"not trained: {told['method'].iloc[0]}"
    named = panel.cohort_names
    if panel.kind not in EXAMPLES and not set(named) <= set(task.cohorts):
        return "no endpoint to ask (llm.base_url)"
    return explain_absence(find_absent_files(panel, task, results["missing"]))


def find_absent_files(panel, task, missing):
    """Rows of missing.csv that say what a panel without numbers lacks."""
    missing = missing[missing["task"] == panel.task]
    if panel.kind in EXAMPLES:
        return missing[missing["cohort"].isna()]
    known = [name for name in panel.cohort_names if name in task.cohorts]
    cohorts = {part for name in known for part in (task.cohorts[name].pools or (name,))}
    return missing[missing["cohort"].isin(cohorts)]
