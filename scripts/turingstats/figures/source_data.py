"""Source data: the numbers that a figure shows, picked from the results and nothing else.

Each figure gets one long table. Drawing reads that table and computes nothing.
"""

from pathlib import Path

import pandas as pd

from turingstats.core import data_labels, files
from turingstats.core.errors import ConfigError
from turingstats.core.quantity_names import name_for_agent
from turingstats.data import adapters
from turingstats.data.absence import IN_WORDS, NOT_BUNDLED, NOT_PUBLIC, explain_absence, name_files

COLUMNS = (
    "figure panel kind title task task_label cohort cohort_label judge_kind group_by group agent "
    "agent_label quantity value se ci_low ci_high level n n_judges p p_adjusted test unit correction "
    "family_size mark x size text note reading data"
).split()

EXAMPLES = ("examples", "conversation")
"""Kinds of panels that show responses, of no cohort."""
NAMED = (IN_WORDS[NOT_BUNDLED], IN_WORDS[NOT_PUBLIC])
"""What empty panels say whose caption names the files that would be needed."""
NUMBERS = ("value", "se", "ci_low", "ci_high", "n", "n_judges")
"""Columns of an estimate that are shown."""


def select(name, study, results, reading, level, data):
    """Pick the numbers of one figure.

    Parameters
    ----------
    name : str
        Id of the figure in the study, such as "fig6".
    study : Study
    results : dict of str to pandas.DataFrame
        Results of the earlier stages: counts, estimates, tests, sizes, missing, responses; and
        benchmarks, the scores of agents from the literature (None where a study has none).
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
        test` (a test between the groups of an agent's bars), `lines` (a rate at one place `x` of the
        x axis), `mean` (the same over all places), `heatmap` (a rate at two crossed levels, `group` and
        `text`), `scatter` (a detectability against a score `x`, of
        an agent of `size` million parameters), `correlation` (of a scatter: r as value), `examples` (a
        response, as `text`), `conversation` (a turn, as `text`, with its number as `x`), `beside` (a
        rate of the judge trained here), `roc`, `calibration` and `learning curve` (points of a judge's
        quality, with its `auc` and `permutation` test), `listed` (a number with a name), `tested` (a test
        of such numbers), `intervals` (a detectability of an agent or at a level), `judges` (one judge's
        share of right verdicts), `no data` (a panel without numbers; its note says why).
    """

    figure = study.figures[name]
    results = dict(results)
    for table in ("estimates", "tests", "sizes", "counts", "evaluation"):
        if table in results:
            results[table] = results[table][results[table]["reading"] == reading]
    rows = []
    for letter, panel in figure.panels.items():
        task = study.tasks[panel.task]
        only = getattr(panel, "cohort", None)  # none where cohorts or responses are shown
        cohort = task.cohorts.get(only)
        place = {
            "figure": name,
            "panel": letter,
            "kind": panel.kind,
            "title": panel.title,
            "task": panel.task,
            "task_label": task.label,
            "cohort": only,
            "cohort_label": cohort.label if cohort else None,
            "judge_kind": cohort.judge_kind if cohort else None,
            "note": panel.note.get(reading),
            "level": level,
            "reading": reading,
            "data": data,
        }
        found = PICK[panel.kind](panel, results, study, reading)
        if not any(row.get("kind") != "tested" for row in found):
            why = (
                "no trials of this kind"
                if panel.kind == "listed"
                else absence(panel, task, results)
            )
            found = [{"kind": "no data", "note": why}]
            if why in NAMED and panel.kind not in EXAMPLES:
                wanted = absent_files(panel, task, results["missing"])
                # Files that nobody can fetch stand in the inventory, and would bury those that one can.
                if why == IN_WORDS[NOT_BUNDLED]:
                    wanted = wanted[wanted["why"] == NOT_BUNDLED]
                found[0]["text"] = name_files(wanted["path"], why)
            if getattr(panel, "cohorts", ()):
                labels = ", ".join(task.cohorts[name].label for name in panel.cohort_names)
                found[0] |= {"cohort": "+".join(panel.cohort_names), "cohort_label": labels}
        rows += [place | row for row in found]
    made = pd.DataFrame(rows).reindex(columns=COLUMNS)
    unnamed = [
        cohort in study.tasks[task].cohorts and study.tasks[task].cohorts[cohort].unnamed
        for task, cohort in zip(made["task"], made["cohort"], strict=True)
    ]
    made = made.assign(n_judges=made["n_judges"].mask(unnamed))
    data_labels.check_panels(made, name)
    return made


def write(table, path):
    """Write the source data of a figure whose panels each rest on one kind of data.

    Parameters
    ----------
    table : pandas.DataFrame
        With the column `data`.
    path : path-like
        Its stem is the id of the figure.

    Raises
    ------
    ConfigError
        A panel mixes two kinds.
    """
    data_labels.check_panels(table, Path(path).stem)
    files.write(table, path)


def own(table, panel, cohort=None):
    """Rows of a table for the cohort of a panel."""
    cohort = cohort or getattr(panel, "cohort", None)
    return table[(table["task"] == panel.task) & (table["cohort"] == cohort)]


def matrix(panel, results, study, reading):
    """A confusion matrix, with the rates of the judge trained here, where one is declared."""
    found = rates(panel, results, study)
    cohort = study.tasks[panel.task].cohorts.get(panel.beside)
    if cohort is None:
        return found
    trained = rates(panel.model_copy(update={"cohort": panel.beside}), results, study)
    own = {
        "cohort": panel.beside,
        "cohort_label": cohort.label,
        "judge_kind": cohort.judge_kind,
    }
    task = study.tasks[panel.task]
    if not found:
        why = absence(panel, task, results)
        own |= {"title": cohort.label, "note": f"{why}; trained here instead"}
        return [row | own for row in trained]
    if not trained:
        lacking = absence(panel.model_copy(update={"cohort": panel.beside}), task, results)
        if panel.level and not lacking.startswith("not trained"):
            lacking = f"no responses of {panel.level}"
        why = f"no judge trained here ({lacking.removeprefix('not trained: ')})"
        note = "; ".join(filter(None, [panel.note.get(reading), why]))
        return [row | {"note": note} for row in found]
    pooled = {("human", "p_HH"), ("all", "p_MM")}
    return found + [
        row | own | {"kind": "beside", "n_judges": None, "mark": None}
        for row in trained
        if (row["agent"], row["quantity"]) in pooled
    ]


def rates(panel, results, study):
    """The rates of a confusion matrix; the agent taken for human most often is marked."""
    estimates = own(results["estimates"], panel)
    keys, at = ("group_by", "group", "agent", "quantity"), {}
    shown = estimates.loc[estimates["n"] > 0, [*keys, *NUMBERS]]
    for row in shown.to_dict("records"):
        at.setdefault(tuple(row[key] for key in keys), []).append(row)
    found = []
    for name in panel.rows or ("human", *panel.agents):
        agent, _, part = name.partition("@")
        group_by, group = place_of_part(panel, part)
        for verdict in "HMU":
            quantity = f"p_{verdict}{'H' if agent == 'human' else 'M'}"
            found += [
                numbers(row)
                | {
                    "group_by": panel.by if part else None,
                    "group": part or None,
                    "agent": agent,
                    "agent_label": label(name, panel, study),
                    "quantity": quantity,
                }
                for row in at.get((group_by, group, agent, quantity), [])
            ]
    fooling = [row for row in found if row["quantity"] == "p_HM" and row["agent"] != "all"]
    if len(fooling) > 1:
        best = max(fooling, key=lambda row: row["value"])
        for row in found:
            if (row["agent"], row["group"]) == (best["agent"], best["group"]):
                row["mark"] = "best imitator"
    return found


def place_of_part(panel, part):
    """Condition and level of a row of a matrix; a level of crossed conditions is set for all rows."""
    if not part:
        if not panel.level:
            return "all", "all"
        return panel.by.rpartition("+")[2] if panel.rows else panel.by, panel.level
    return panel.by, f"{part}/{panel.level}" if panel.level else part


def pie(panel, results, study, reading):
    """Shares of the groups: of trials in the published reading, of judges in the recommended one; or of
    topics."""
    quantity = "n_trials" if reading == "published" else "n_judges"
    if panel.share_of == "topics":
        quantity = "n_topics"
    sizes = own(results["sizes"], panel)
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


def bars(panel, results, study, reading):
    """Detectability by group and agent, with p of each bar against chance and between groups.

    Groups are groups of judges, levels of a condition, or whole cohorts.
    """

    estimates, p_of = results["estimates"], results["tests"].set_index("test_id")
    estimates = estimates[estimates["quantity"] == "detectability"]
    cohorts, known = panel.cohort_names, study.tasks[panel.task].cohorts
    tables, absent = [], []
    for cohort in cohorts:
        table = own(estimates, panel, cohort)
        table = table[table["group_by"] == ((not panel.cohorts and panel.by) or "all")]
        name = known[cohort].label if cohort in known else cohort
        test = table["group"].where(table["group"] != "all", "")
        if panel.cohorts:
            test = cohort
        if panel.cohorts or not panel.by:
            table = table.assign(group_by="cohort", group=name)
        if panel.levels:
            table = table[table["group"].isin(panel.levels)]
            table = table.sort_values("group", key=lambda g: g.map(panel.levels.index))
        if panel.by == "trained_on":
            labels = {agent: known_agent.label for agent, known_agent in study.agents.items()}
            names = labels | {f"all but {agent}": f"all but {labels[agent]}" for agent in labels}
            table = table.assign(group=table["group"].replace(names))
        tables.append(table.assign(test=test))
        if table.empty:
            absent.append(f"no data of {name}")
    found = pd.concat(tables)
    rows = []
    for agent in panel.agents:
        shared = {"agent": agent, "agent_label": label(agent, panel, study)}
        mine = found[(found["agent"] == agent) & found["value"].notna()].to_dict("records")
        for row in mine:
            shared["group_by"] = row["group_by"]
            test = f"{panel.chance_test}.{agent}.{row['test']}".rstrip(".")
            place = {"group": row["group"], "quantity": "detectability"}
            if panel.cohorts:
                name = row["cohort"]
                place |= {"cohort": name, "cohort_label": known[name].label}
                place["judge_kind"] = known[name].judge_kind
            rows.append(numbers(row) | shared | place | tested(test, p_of))
        between = tested(f"{panel.group_test}.{agent}", p_of)
        if between and mine:
            rows.append({"kind": "group test"} | shared | between)
    if absent:
        note = ", ".join([*filter(None, [panel.note.get(reading)]), *absent])
        rows = [row | {"note": note} for row in rows]
    return rows


def lines(panel, results, study, reading):
    """A rate of each agent along a numeric condition, and the same over all its values."""
    estimates = own(results["estimates"], panel)
    outer, _, _ = panel.by.rpartition("+")
    start = f"{panel.level}/" if panel.level else ""
    along = estimates[
        (estimates["group_by"] == panel.by) & estimates["group"].str.startswith(start)
    ]
    whole = estimates[
        (estimates["group_by"] == (outer or "all")) & (estimates["group"] == (panel.level or "all"))
    ]
    rows = []
    for agent in panel.rows or panel.agents:
        quantity = name_for_agent(panel.quantity, agent)
        along_what = panel.by.rpartition("+")[2]
        shared = {
            "group_by": panel.labels.get(along_what, along_what),
            "agent": agent,
            "agent_label": label(agent, panel, study),
            "quantity": quantity,
            "mark": "logarithmic scale" if panel.scale == "logarithmic" else None,
        }
        for kind, table in (("lines", along), ("mean", whole)):
            mine = table[(table["agent"] == agent) & (table["quantity"] == quantity)]
            points = mine[mine["value"].notna()].to_dict("records")
            points = [
                numbers(row)
                | shared
                | {"kind": kind}
                | ({"x": place_of(row)} if kind == "lines" else {})
                for row in points
            ]
            rows += sorted(points, key=lambda row: row.get("x", 0))
    return rows if any(row["kind"] == "lines" for row in rows) else []


def heatmap(panel, results, study, reading):
    """A rate of one agent at each pair of levels of two crossed conditions, such as domain+exchanges."""
    outer, _, inner = panel.by.partition("+")
    agent = panel.agents[0]
    quantity = name_for_agent(panel.quantity, agent)
    estimates = own(results["estimates"], panel)
    found = estimates[
        (estimates["group_by"] == panel.by)
        & (estimates["agent"] == agent)
        & (estimates["quantity"] == quantity)
        & estimates["value"].notna()
    ]
    first = {level: place for place, level in enumerate(panel.levels)}

    def order(row):
        level = row["group"].partition("/")[0]
        return first.get(level, len(first)), level

    rows = []
    for row in sorted(found.to_dict("records"), key=order):
        level, _, other = row["group"].partition("/")
        shown = numbers(row)
        if row["ci_low"] != row["ci_low"]:
            # Where nobody or everybody was misled, all resamples are alike.
            shown |= {"ci_low": row["wilson_low"], "ci_high": row["wilson_high"], "mark": "Wilson"}
        rows.append(
            shown
            | {
                "group_by": outer,
                "group": panel.labels.get(level, level),
                "agent": agent,
                "agent_label": label(agent, panel, study),
                "quantity": quantity,
                "x": float(other) if other.replace(".", "", 1).isdigit() else None,
                "text": f"{other} {panel.labels.get(inner, inner)}",
            }
        )
    return rows


def place_of(row):
    """Place on the x axis: the last level of a condition, which must be a number."""
    last = row["group"].rpartition("/")[2]
    try:
        return float(last)
    except ValueError:
        raise ConfigError(
            f"lines along {row['group_by']}: level {last!r} is not a number\n"
            "  remedy: give `by` a condition with numeric levels, such as exchanges"
        ) from None


def scatter(panel, results, study, reading):
    """Detectability of agents against a score from the literature, with the declared correlation."""
    estimates = own(results["estimates"], panel)
    estimates = estimates[
        (estimates["quantity"] == "detectability") & (estimates["group_by"] == "all")
    ]
    benchmarks = results["benchmarks"]
    if benchmarks is None:
        return []
    score, size = (
        benchmarks[benchmarks["measure"] == measure].set_index("agent")["value"]
        for measure in (panel.score, "parameters")
    )
    rows = [
        numbers(row)
        | {
            "agent": agent,
            "agent_label": label(agent, panel, study),
            "quantity": "detectability",
            "x": score[agent],
            "size": size.get(agent),
            "text": panel.score,
        }
        for agent in panel.agents
        if agent in score.index
        for row in estimates[estimates["agent"] == agent].to_dict("records")
    ]
    tests = results["tests"]
    if rows:
        for row in tests[tests["test_id"] == panel.test].to_dict("records"):
            found = {"kind": "correlation", "value": row["statistic"], "n": row["n1"]}
            rows.append(found | tested(panel.test, tests.set_index("test_id")))
    return rows


def examples(panel, results, study, reading):
    """Responses of people and agents to the first stimuli that all of them responded to."""
    responses = results["responses"]
    responses = responses[responses["task"] == panel.task]
    agents = [a for a in panel.rows or ("human", *panel.agents) if a != "all"]
    stimuli = [
        stimulus
        for stimulus, present in responses.groupby("stimulus", sort=False)["agent"]
        if set(agents) <= set(present)
    ]
    rows = []
    for stimulus in stimuli[: panel.stimuli]:
        answers = responses[responses["stimulus"] == stimulus]
        for agent in agents:
            # Two people show that people differ; more would crowd the figure, as two scan paths do.
            most = 1 if panel.show == "scan path" else 2
            for response in answers[answers["agent"] == agent]["response"][:most]:
                rows.append(
                    {
                        "group_by": "stimulus",
                        "group": f"Image {stimulus}" if str(stimulus).isdigit() else stimulus,
                        "agent": agent,
                        "agent_label": label(agent, panel, study),
                        "quantity": panel.show,
                        "text": response,
                    }
                )
    return rows


def conversation(panel, results, study, reading):
    """The turns of the first conversation that just the named agents had."""
    responses = results["responses"]
    turns = responses[(responses["task"] == panel.task) & responses["turn"].notna()]
    speakers = set(panel.rows or ("human", *panel.agents)) - {"all"}
    for stimulus, own in turns.groupby("stimulus", sort=False, observed=True):
        if set(own["agent"]) == speakers:
            return [
                {
                    "group_by": "stimulus",
                    "group": stimulus,
                    "agent": row["agent"],
                    "agent_label": label(row["agent"], panel, study),
                    "quantity": "turn",
                    "x": row["turn"],
                    "text": row["response"],
                }
                for row in own.sort_values("turn").to_dict("records")
            ]
    return []


def quality(panel, results, study, reading):
    """Points of a curve of a trained judge, its area under the ROC curve, its test against chance."""
    told = own(results["evaluation"], panel)
    points = told[told["quantity"] == panel.kind].to_dict("records")
    extra = told[told["quantity"].isin(["auc", "permutation"])].to_dict("records")
    shown = ("x", "value", "ci_low", "ci_high", "n", "p", "quantity")
    rows = [{key: row[key] for key in shown} for row in points]
    if panel.kind == "roc" and points:
        rows += [{key: row[key] for key in shown} | {"kind": row["quantity"]} for row in extra]
    return rows


def intervals(panel, results, study, reading):
    """Detectability and its interval, of each agent or at each level of `by`, with p against chance;
    or, in a group of judges or at a level, the shares judged right.

    Where detectability is not defined, as when no people's responses were shown, the share of the
    agents' responses that were told apart (P(M|M)) is shown, and says so.
    """
    estimates, p_of = own(results["estimates"], panel), results["tests"].set_index("test_id")
    if panel.quantity == "right":
        return shares_right(panel, estimates, study)
    estimates = estimates[estimates["group_by"] == (panel.by or "all")]
    if panel.levels:
        estimates = estimates[estimates["group"].isin(panel.levels)]
        order = {level: number for number, level in enumerate(panel.levels)}
        estimates = estimates.sort_values("group", key=lambda g: g.map(order), kind="stable")
    elif panel.by and estimates["group"].str.fullmatch(r"[\d.]+").all():
        # Levels that are numbers stand in their order.
        estimates = estimates.sort_values("group", key=lambda g: g.astype(float), kind="stable")
    rows = []
    for agent in panel.agents:
        mine = estimates[estimates["agent"] == agent]
        shared = {"agent": agent, "agent_label": label(agent, panel, study)}
        for group, part in mine.groupby("group", sort=False):
            by_quantity = part.set_index("quantity").to_dict("index")
            found = by_quantity["detectability"]
            place = {"group_by": panel.by, "group": group if panel.by else None}
            if found["value"] != found["value"]:
                found = by_quantity["p_MM"]
                place |= {"mark": "people not shown"}
            if found["value"] == found["value"]:
                quantity = "p_MM" if "mark" in place else "detectability"
                if study.tasks[panel.task].choice:
                    # Detectability of choices is the share of right ones.
                    quantity = "accuracy"
                test = f"{panel.chance_test}.{agent}" + (f".{group}" if panel.by else "")
                tests = {} if "mark" in place else tested(test, p_of)
                rows.append(numbers(found) | shared | place | {"quantity": quantity} | tests)
        between = tested(f"{panel.group_test}.{agent}", p_of)
        if between and rows:
            rows.append({"kind": "group test", "group_by": panel.by} | shared | between)
    return rows


def shares_right(panel, estimates, study):
    """The share judged right of people's responses, each agent's, and all together, in one group."""
    at = (panel.by, panel.level) if panel.by else ("all", "all")
    part = estimates[(estimates["group_by"] == at[0]) & (estimates["group"] == at[1])]
    rows = []
    for agent in ("human", *panel.agents):
        quantity = "p_HH" if agent == "human" else "p_MM"
        found = part[(part["agent"] == agent) & (part["quantity"] == quantity) & (part["n"] > 0)]
        shared = {"agent": agent, "agent_label": label(agent, panel, study), "quantity": quantity}
        rows += [numbers(row) | shared for row in found.to_dict("records")]
    # That of one agent and people together is another number.
    of_all = (part["quantity"] == "accuracy") & (part["agent"] == "all")
    whole = part[of_all & (part["n"] > 0)]
    shared = {"agent": "all", "agent_label": "All verdicts", "quantity": "accuracy"}
    return rows + [numbers(row) | shared for row in whole.to_dict("records")]


def judges(panel, results, study, reading):
    """Share of right verdicts of each judge, and that of all verdicts together."""
    counts = own(results["counts"], panel)
    counts = counts[counts["group_by"] == "all"]
    right = counts["n_human"].where(counts["agent"] == "human", counts["n_machine"])
    decided = counts["n_human"] + counts["n_machine"]
    sums = counts.assign(right=right, decided=decided).groupby("judge")[["right", "decided"]].sum()
    rows = [
        {
            "group_by": "judge",
            "group": judge,
            "quantity": "accuracy",
            "value": row["right"] / row["decided"],
            "n": row["decided"],
            "n_judges": len(sums),
        }
        for judge, row in sums[sums["decided"] > 0].iterrows()
    ]
    whole = own(results["estimates"], panel)
    whole = whole[
        (whole["quantity"] == "accuracy") & (whole["group_by"] == "all") & (whole["agent"] == "all")
    ]
    rows += [
        numbers(row) | {"kind": "mean", "quantity": "accuracy"} for row in whole.to_dict("records")
    ]
    return rows if sums["decided"].any() else []


def listed(panel, results, study, reading):
    """Rows of any table of results, as the panel picks, names and orders them."""
    table = results[panel.table]
    if "reading" in table:
        table = table[table["reading"] == reading]
    for column, wanted in panel.where.items():
        known = [wanted] if isinstance(wanted, str) else list(wanted)
        table = table[table[column].astype(str).isin(known)]
        if len(known) > 1:
            place = table[column].astype(str).map(known.index)
            table = table.iloc[place.to_numpy().argsort(kind="stable")]
    # Of a printed rate the number of trials may not be known.
    enough = table["n"].fillna(panel.least) >= panel.least
    table = table[table["value"].notna() & enough]
    names = list(dict.fromkeys(table[panel.name]))
    if panel.order == "value" or panel.top:
        most = table.groupby(panel.name, sort=False)["value"].max()
        ranked = list(most.sort_values(ascending=False, kind="stable").index)
        kept = ranked[: panel.top] if panel.top else ranked
        if panel.ends and len(ranked) > 2 * panel.top:
            kept = ranked[: panel.top] + ranked[-panel.top :]
        names = kept if panel.order == "value" else [name for name in names if name in kept]
    rows = []
    for name in names:
        shown = panel.labels.get(str(name), str(name))
        if panel.name == "agent":
            shown = label(name, panel, study)
        for row in table[table[panel.name] == name].to_dict("records"):
            series = str(row[panel.series]) if panel.series else None
            series = panel.labels.get(series, series)
            rows.append(
                {
                    "group_by": panel.series,
                    "group": series,
                    "agent_label": shown,
                    "unit": "verdict" if panel.table == "breakdowns" else row.get("unit"),
                    "quantity": panel.axis,
                    "value": row["value"],
                    "ci_low": row.get("ci_low"),
                    "ci_high": row.get("ci_high"),
                    "n": row[panel.count],
                    "n_judges": row.get("n_judges"),
                    "x": panel.reference,
                    "mark": "share" if panel.percent else "number",
                    "size": 1 if panel.ends and name in kept[panel.top :] else None,
                    "text": row.get("category"),
                    "note": explained(panel, table),
                    "data": row.get("data", None) or None,
                }
            )
    rows += [found for declared in panel.tested if (found := result(declared, results, reading))]
    # Printed counts are no judgments of this run, and say so.
    return [{k: v for k, v in row.items() if k != "data" or v} for row in rows]


def explained(panel, table):
    """What the numbers beside listed rows are shares of, and what their intervals rest on."""
    said = []
    if panel.count == "k":
        parts = table.groupby(panel.series)["n"].first() if panel.series else table["n"].iloc[:1]
        said.append(f"of {' and '.join(f'{n:,.0f}' for n in parts)} in all")
    if "method" in table:
        said.append("; ".join(dict.fromkeys(table["method"])))
    return ", ".join(said) or None


def result(declared, results, reading):
    """The row of a test that a panel of listed rows names; None where it was not made.

    Its reading is that of the figure, where the table has both.
    """
    table = results[declared.table]
    for column, wanted in declared.where.items():
        table = table[table[column].astype(str) == wanted]
    if "reading" in table and (table["reading"] == reading).any():
        table = table[table["reading"] == reading]
    if table.empty or table["p"].isna().all():
        return None
    row = table.iloc[0]
    if declared.table == "models":
        how = "mixed model" if "|" in row["formula"] else "binomial regression"
        how += ", clustered by judge" if "robust" in row["method"] else ""
        shown = {"test": how, "quantity": "z", "value": row["z"], "unit": "verdict", "n": row["n"]}
    elif declared.table == "contrasts":
        n = row["n1"] + (row["n2"] if row["n2"] == row["n2"] else 0)
        shown = {"test": "binomial regression", "quantity": "z", "value": row["z"]}
        shown |= {"unit": "trial", "n": n}
    else:
        n = row["n_judges"] if "n_judges" in row else row["n1"]
        shown = {key: row[key] for key in ("test", "unit")}
        shown |= {"quantity": row["statistic_name"], "value": row["statistic"], "n": n}
    found = {"kind": "tested", "text": declared.label, "p": row["p"]} | shown
    # A test of printed counts stands with them, not with the judgments of this run.
    return found | ({"data": row["data"]} if isinstance(row.get("data"), str) else {})


PICK = {
    "listed": listed,
    "roc": quality,
    "calibration": quality,
    "learning curve": quality,
    "matrix": matrix,
    "pie": pie,
    "bars": bars,
    "lines": lines,
    "heatmap": heatmap,
    "scatter": scatter,
    "examples": examples,
    "conversation": conversation,
    "intervals": intervals,
    "judges": judges,
}


def numbers(row):
    """What of an estimate is shown."""
    return {key: row[key] for key in NUMBERS}


def tested(test_id, tests):
    """What of a declared test is shown; empty where there is no such test."""
    if test_id not in tests.index:
        return {}
    row = tests.loc[test_id]
    return {
        key: row[key] for key in ("p", "p_adjusted", "test", "unit", "correction", "family_size")
    }


def label(name, panel, study):
    """How a figure names an agent, or an agent at a level; the pooled agents are the machines."""
    if name in panel.labels:
        return panel.labels[name]
    agent, _, level = name.partition("@")
    if level:
        # A part stands below its whole, whose name it need not repeat.
        return f"in {level}" if agent in panel.rows else f"{study.agents[agent].label} in {level}"
    if agent != "all":
        return study.agents[agent].label
    return (
        "Machine"
        if len(panel.agent_names) in (0, 1) or getattr(panel, "rows", ())
        else "All models"
    )


def absence(panel, task, results):
    """Why a panel has no numbers."""
    told = own(results["evaluation"], panel)
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
    return explain_absence(absent_files(panel, task, results["missing"]))


def absent_files(panel, task, missing):
    """Rows of missing.csv that say what a panel without numbers lacks."""
    missing = missing[missing["task"] == panel.task]
    if panel.kind in EXAMPLES:
        return missing[missing["cohort"].isna()]
    known = [name for name in panel.cohort_names if name in task.cohorts]
    cohorts = {part for name in known for part in (task.cohorts[name].pools or (name,))}
    return missing[missing["cohort"].isin(cohorts)]


def select_exclusions(exclusions, study):
    """Pick the exclusion account of whole cohorts, with their labels.

    Parameters
    ----------
    exclusions : pandas.DataFrame
        From `turingstats.data.exclusion_log.log_exclusions`.
    study : Study

    Returns
    -------
    pandas.DataFrame
        The rows of judge "all" with task_label and cohort_label, tasks and cohorts in the order of the study;
        rows that were not read and are of no cohort come last in their task.
    """
    nowhere = (adapters.ALL_ROWS, adapters.RESPONSES)
    order = [
        (task, cohort) for task in study.tasks for cohort in (*study.tasks[task].cohorts, *nowhere)
    ]
    whole = exclusions[exclusions["judge"] == "all"]
    pairs = list(zip(whole["task"], whole["cohort"], strict=True))
    whole = whole.iloc[sorted(range(len(pairs)), key=lambda row: order.index(pairs[row]))]
    pairs.sort(key=order.index)
    return whole.assign(
        task_label=[study.tasks[task].label for task, _ in pairs],
        cohort_label=[
            study.tasks[task].cohorts[cohort].label
            if cohort in study.tasks[task].cohorts
            else cohort.capitalize()
            for task, cohort in pairs
        ],
    )


def select_audit(audit, study):
    """Pick what the figure of the data audit shows, with labels of tasks and agents.

    Parameters
    ----------
    audit : pandas.DataFrame
        From `turingstats.judges.svm.audit.audit`, of all tasks.
    study : Study

    Returns
    -------
    pandas.DataFrame
        The same rows with task_label and agent_labels.
    """

    def labels(agents):
        names = [study.agents[name].label for name in agents.split(", ") if name in study.agents]
        return ", ".join(names) or None

    return audit.assign(
        task_label=[study.tasks[task].label for task in audit["task"]],
        agent_labels=[labels(agents) for agents in audit["agents"]],
    )
