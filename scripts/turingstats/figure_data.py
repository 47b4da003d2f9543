"""Source data: the numbers that a figure shows, picked from the results and nothing else.

Each figure gets one long table. Drawing (`turingstats.figures`) reads that table and computes nothing.
"""

COLUMNS = (
    "figure panel kind title task task_label cohort cohort_label judge_kind group_by group agent "
    "agent_label quantity value se ci_low ci_high level n n_judges p p_adjusted test unit correction "
    "family_size mark note reading data"
).split()


def select(name, study, estimates, tests, sizes, missing, reading, level, data):
    """Pick the numbers of one figure.

    Parameters
    ----------
    name : str
        Id of the figure in the study, such as "fig6".
    study : Study
    estimates, tests, sizes, missing : pandas.DataFrame
        Results of the earlier stages.
    reading : {"published", "recommended"}
        Which reading the figure shows.
    level : float
        Confidence of the intervals, such as 0.95.
    data : str
        What the results were computed from, such as "generated data".

    Returns
    -------
    pandas.DataFrame
        Columns `COLUMNS`; one row a number. Kinds: `matrix` (a rate of a confusion matrix), `pie` (a
        share of trials or judges), `bars` (a detectability with its test against chance), `group
        test` (a test between the groups of an agent's bars), `no data` (a panel without numbers; its
        note says why).
    """
    import pandas as pd

    figure = study.figures[name]
    estimates = estimates[estimates["reading"] == reading]
    tests = tests[tests["reading"] == reading]
    sizes = sizes[sizes["reading"] == reading]
    rows = []
    for letter, panel in figure.panels.items():
        task = study.tasks[panel.task]
        cohort = task.cohorts.get(panel.cohort)
        place = {
            "figure": name,
            "panel": letter,
            "kind": panel.kind,
            "title": panel.title,
            "task": panel.task,
            "task_label": task.label,
            "cohort": panel.cohort,
            "cohort_label": cohort.label if cohort else panel.cohort,
            "judge_kind": cohort.judge_kind if cohort else None,
            "note": panel.note.get(reading),
            "level": level,
            "reading": reading,
            "data": data,
        }

        def own(table, panel=panel):
            return table[(table["task"] == panel.task) & (table["cohort"] == panel.cohort)]

        if panel.kind == "matrix":
            found = matrix(panel, own(estimates), study)
        elif panel.kind == "pie":
            found = pie(panel, own(sizes), reading)
        else:
            found = bars(panel, own(estimates), tests, study)
        if not found:
            found = [{"kind": "no data", "note": absence(panel, cohort, missing)}]
        rows += [place | row for row in found]
    return pd.DataFrame(rows).reindex(columns=COLUMNS)


def matrix(panel, estimates, study):
    """The rates of a confusion matrix; the agent taken for human most often is marked."""
    whole = estimates[
        (estimates["group_by"] == (panel.by or "all"))
        & (estimates["group"] == (panel.level or "all"))
    ]
    if whole.empty:
        return []
    fooling = whole[(whole["quantity"] == "p_HM") & (whole["agent"] != "all")]
    fooling = fooling[fooling["agent"].isin(panel.agents)]
    best = fooling.loc[fooling["value"].idxmax(), "agent"] if len(fooling) > 1 else None
    rows = []
    for agent in ("human", *panel.agents):
        for quantity in ("p_HH", "p_MH") if agent == "human" else ("p_HM", "p_MM"):
            cell = whole[(whole["agent"] == agent) & (whole["quantity"] == quantity)]
            rows += [
                numbers(row)
                | {
                    "agent": agent,
                    "agent_label": label(agent, panel, study),
                    "quantity": quantity,
                    "mark": "best imitator" if agent == best else None,
                }
                for row in cell.to_dict("records")
            ]
    return rows


def pie(panel, sizes, reading):
    """Shares of the groups: of trials in the published reading, of judges in the recommended one."""
    quantity = "n_trials" if reading == "published" else "n_judges"
    found = sizes[(sizes["group_by"] == panel.by) & (sizes["quantity"] == quantity)]
    found = found[found["value"] > 0]
    total = found["value"].sum()
    return [
        {
            "group_by": panel.by,
            "group": row["group"],
            "quantity": f"share of {quantity.removeprefix('n_')}",
            "value": row["value"] / total,
            "n": int(row["value"]),
        }
        for row in found.to_dict("records")
    ]


def bars(panel, estimates, tests, study):
    """Detectability by group and agent, with p of each bar against chance and between groups."""
    found = estimates[
        (estimates["group_by"] == panel.by) & (estimates["quantity"] == "detectability")
    ]
    found = found[found["agent"].isin(panel.agents)]
    p_of = tests.set_index("test_id")
    rows = []
    for agent in panel.agents:
        for row in found[found["agent"] == agent].to_dict("records"):
            test = f"{panel.chance_test}.{agent}.{row['group']}"
            rows.append(
                numbers(row)
                | {
                    "group_by": panel.by,
                    "group": row["group"],
                    "agent": agent,
                    "agent_label": label(agent, panel, study),
                    "quantity": "detectability",
                }
                | tested(test, p_of)
            )
        between = tested(f"{panel.group_test}.{agent}", p_of)
        if between and rows:
            rows.append(
                {
                    "kind": "group test",
                    "group_by": panel.by,
                    "agent": agent,
                    "agent_label": label(agent, panel, study),
                }
                | between
            )
    return rows


def numbers(row):
    """What of an estimate is shown."""
    return {key: row[key] for key in ("value", "se", "ci_low", "ci_high", "n", "n_judges")}


def tested(test_id, tests):
    """What of a declared test is shown; empty where there is no such test."""
    if test_id not in tests.index:
        return {}
    row = tests.loc[test_id]
    return {
        key: row[key] for key in ("p", "p_adjusted", "test", "unit", "correction", "family_size")
    }


def label(agent, panel, study):
    """How a figure names an agent; the pooled agents are simply the machines."""
    if agent != "all":
        return study.agents[agent].label
    return "Machine" if len(panel.agents) == 1 else "All models"


def absence(panel, cohort, missing):
    """Why a panel has no numbers."""
    if cohort is None:
        return "not in this run"
    cohorts = cohort.pools or (panel.cohort,)
    known = missing[(missing["task"] == panel.task) & missing["cohort"].isin(cohorts)]
    if (known["why"] == "not public").any():
        return "no public data"
    return "no data in this source" if len(known) else "no data"


def select_exclusions(exclusions, study):
    """Pick the exclusion account of whole cohorts, with their labels.

    Parameters
    ----------
    exclusions : pandas.DataFrame
        From `turingstats.cleaning.account`.
    study : Study

    Returns
    -------
    pandas.DataFrame
        The rows of judge "all" with task_label and cohort_label.
    """
    whole = exclusions[exclusions["judge"] == "all"]
    pairs = list(zip(whole["task"], whole["cohort"], strict=True))
    return whole.assign(
        task_label=[study.tasks[task].label for task, _ in pairs],
        cohort_label=[study.tasks[task].cohorts[cohort].label for task, cohort in pairs],
    )
