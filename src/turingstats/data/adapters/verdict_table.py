"""Judgments of any study: a table with one row per verdict, with columns named in data/sources/.

The verdict is a column, or follows from a rating or score (`turingstats.data.adapters.graded`), or from the
truth and a column that says whether the judge was right. In a choice between a person's and a machine's
response (`choice` of the task) there is one verdict, the one on the machine: `machine` if the judge chose
correctly, `unsure` if neither was chosen, otherwise `human`. The verdict on the person follows from it and is
not counted a second time.

The judge's id identifies judges and is replaced by a pseudonym, except that detectors keep their names, and
other machine judges with ratings. The same id in another cohort, task or file of the study is the same
person, unless a separate column (`person`) says who a judge is.
"""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from turingstats.config.raw_files import RawFile
from turingstats.config.study import Study, Task
from turingstats.data import adapters, schema
from turingstats.data.adapters import columns, games, graded, repeated_rows
from turingstats.data.adapters.columns import WITNESSES
from turingstats.data.adapters.identifiers import NUMBERED
from turingstats.data.adapters.messages import make_error, make_source_error
from turingstats.data.adapters.shapes import Shaped
from turingstats.data.distinct_values import (
    are_equal,
    change_values,
    choose_cells,
    combine_columns,
    fill_column,
    make_column,
)

# Columns of the judgments that follow from others.
GIVEN = ("study", "task", "judge_kind", "defect", "rating")


def read(file: RawFile, folder: str | Path, study: Study) -> dict[str, Any]:
    """Read a table of verdicts."""
    task = study.tasks[file.task]
    own, answers = schema.list_study_columns(study)
    trial_level = [name for name in (*schema.JUDGMENTS, *own) if name not in GIVEN]
    judge_level = [name for name in (*schema.JUDGES, *answers, "age")]
    judge_level = [name for name in judge_level if name not in (*trial_level, *GIVEN)]
    known = [*trial_level, *columns.ANSWERS, *judge_level]
    if file.grade:
        file = file.model_copy(update={"columns": file.columns | {graded.NAME: file.grade.column}})
        known.append(graded.NAME)
    numbers = [*task.numbers, graded.NAME]
    table, left_out, shaped = columns.load_columns(file, folder, known, numbers)
    if table.empty:
        counts = left_out["reason"].value_counts()
        reasons = "; ".join(f"{reason} ({n})" for reason, n in counts.items())
        raise make_error(shaped.path, "no_rows", reasons=reasons or "the table is empty")
    with shaped.name_sources():
        table = table.assign(cohort=assign_cohorts(shaped, table, task))
        # The raw id of the judge is no column of the data contract: it stays here.
        table = table.assign(identity=identify_judges(shaped, table, task))
        table = table.assign(**find_stimuli(shaped, table, study))
        table, repeated = leave_out_repeats(shaped, table, task)
        left_out = pd.concat([left_out, *repeated]).sort_index()
        left_out = find_cohorts_left_out(left_out, shaped.file, task)
        rows = adapters.trace_rows(shaped.file, study, table.index, left_out)
        table = table.assign(**graded.derive_verdicts(shaped, table, task))
        table = table.assign(**derive_verdicts(shaped, table, task, study))
        table = table.assign(**parse_columns(shaped, table, task))
        kinds = {name: cohort.judge_kind for name, cohort in task.cohorts.items()}
        common = {"study": study.study, "task": file.task}
        table = table.assign(
            **{name: fill_column(value, table.index) for name, value in common.items()},
            judge_kind=change_values(table["cohort"], kinds.get),
            judge=assign_pseudonyms(table, task, file.task),
        )
        # Ids of people never reach a result, whatever the design.
        if "stimulus" in table and not set(table).isdisjoint(("witness", *WITNESSES)):
            table["stimulus"] = games.name_witnesses(shaped, table)
        judges = tabulate_judges(shaped, table, judge_level)
    return {
        "judgments": type_columns(table, [*schema.JUDGMENTS, *own]),
        "judges": judges.assign(**common).reindex(
            columns=[*schema.JUDGES, *answers, schema.WORKER]
        ),
        "rows": rows,
        "notes": pd.DataFrame(shaped.notes).assign(**common, cohort=file.cohort or ""),
    }


def find_stimuli(shaped: Shaped, table: pd.DataFrame, study: Study) -> dict[str, pd.Series]:
    """Find what was judged: a stimulus, or the witnesses of a game."""
    if "stimulus" in table:
        if study.tasks[shaped.file.task].design == "three_party":
            raise make_source_error(shaped.file, "stimulus_in_game")
        shaped.require_filled(table, "stimulus")
    named = {"stimulus": table["witness"]} if "witness" in table else {}
    if set(table).isdisjoint(WITNESSES):
        return named
    return named | games.read_witnesses(shaped, table.assign(**named), map_named_agents(study))


def leave_out_repeats(
    shaped: Shaped, table: pd.DataFrame, task: Task
) -> tuple[pd.DataFrame, list[pd.DataFrame]]:
    """Leave out rows by judges who came, or said the same, before; return the others, and why."""
    lost = []
    for reason, find in repeated_rows.REASONS.items():
        rows = find(table.assign(judge=table["identity"]), task, shaped.path)
        if rows.any():
            why = {"reason": reason, "cohort": table["cohort"][rows]}
            lost.append(pd.DataFrame(why, dtype=object))
            places = [f"row {row}" for row in table.index[rows]]
            shaped.note(reason, places, len(table), "left out")
            table = table[~rows]
    return table, lost


def parse_columns(shaped: Shaped, table: pd.DataFrame, task: Task) -> dict[str, pd.Series]:
    """Parse the columns of numbers, and fill in the number, phase and control answer of each trial."""
    parsed: dict[str, Any] = {}
    for name in dict.fromkeys([*columns.NUMBERS, *task.numbers]):
        if name in table and name in shaped.file.columns:
            is_lenient = name == "rt_ms" or name not in columns.WHOLE
            numbers = columns.parse_numbers(shaped, table[name], name, is_lenient)
            # Covariates stay text, as in the table; models read them as numbers.
            as_text = table[name].where(numbers.notna())
            parsed[name] = as_text if name in task.numbers else numbers
    if "rt_s" in parsed:
        parsed["rt_ms"] = (1000 * parsed["rt_s"]).round()
    if "control_ok" in table:
        right = table["control_ok"]
        parsed["control_ok"] = (right == "yes").astype("boolean").where(right.notna())
    test = fill_column("test", table.index)
    phase = table.get("phase", test)
    parsed["phase"] = choose_cells(phase.notna(), phase, test)
    if "trial" not in table:
        parsed["trial"] = np.arange(1, len(table) + 1)
    return parsed


def type_columns(table: pd.DataFrame, names: Sequence[str]) -> pd.DataFrame:
    """Give columns the types of the data contract; those that the table lacks are missing in all rows."""
    nothing = pd.Series(-1, table.index, np.int8)
    typed = {}
    for name in names:
        if name in schema.NUMBERS:
            cells = table.get(name, pd.Series(np.nan, table.index))
            typed[name] = cells.astype(schema.NUMBERS[name])
        else:
            typed[name] = table[name] if name in table else make_column(nothing, [])
    return pd.DataFrame(typed, table.index)


def assign_cohorts(shaped: Shaped, table: pd.DataFrame, task: Task) -> pd.Series:
    """Assign a cohort to each row: that of the file, or from its column."""
    if "cohort" in table:
        cells = shaped.require_filled(table, "cohort")
        return resolve_names(shaped, cells, map_cohort_names(task), "cohort")
    if shaped.file.cohort is None:
        raise make_source_error(shaped.file, "no_cohort", task.cohorts)
    return fill_column(shaped.file.cohort, table.index)


def map_cohort_names(task: Task) -> dict[str, str]:
    """Map possible cohort names of a table, in lower case, to names in the study file."""
    names = {}
    for name, cohort in task.cohorts.items():
        names |= {name.lower(): name, schema.normalize_spelling(cohort.label): name}
    return names


def find_cohorts_left_out(left_out: pd.DataFrame, file: RawFile, task: Task) -> pd.DataFrame:
    """Find the cohort that each left-out row would have; None where that is not known."""
    if "cohort" not in file.columns:
        return left_out.assign(cohort=file.cohort)
    meant = columns.map_meanings(file, "cohort")
    cells = left_out["cohort"].fillna("").str.lower().map(lambda cell: meant.get(cell, cell))
    cohorts = cells.str.lower().map(map_cohort_names(task))
    return left_out.assign(cohort=cohorts.astype(object).where(cohorts.notna(), None))


def resolve_names(
    shaped: Shaped, cells: pd.Series, names: Mapping[str, str], what: str
) -> pd.Series:
    """Convert cells to the names of the study file; raise an error for the first unknown name."""
    allowed = sorted(set(names.values()))
    if what not in shaped.file.columns:
        # The word follows from another column, such as that of the truth.
        lacking = [word for word in cells.dropna().unique() if word.lower() not in names]
        if lacking:
            said = {"name": what, "word": lacking[0]}
            raise make_source_error(shaped.file, "implied_name", allowed, **said)
    found = change_values(cells, lambda value: names.get(value.lower()))
    shaped.refuse(cells[found.isna()], what, "unknown_name", allowed)
    return found


def derive_verdicts(
    shaped: Shaped, table: pd.DataFrame, task: Task, study: Study
) -> dict[str, pd.Series]:
    """Derive agent, truth and verdict of each row."""
    named = map_named_agents(study)
    if task.choice:
        machines = {raw: name for raw, name in named.items() if name != "human"}
        right = derive_correctness(shaped, table)
        agent = truth = fill_column("machine", table.index)
        if "agent" in table:
            agent = shaped.require_filled(table, "agent")
        agent = resolve_names(shaped, agent, machines, "agent")
        verdict = change_values(right, {"yes": "machine", "no": "human", "unsure": "unsure"}.get)
        return {"agent": agent, "truth": truth, "verdict": verdict}
    agent, truth = derive_agents_and_truth(shaped, table, named)
    if "verdict" in table:
        verdict = shaped.require_filled(table, "verdict")
        return {"agent": agent, "truth": truth, "verdict": verdict}
    right = derive_correctness(shaped, table)
    other = change_values(truth, {"human": "machine", "machine": "human"}.get)
    verdict = choose_cells(right == "yes", truth, other)
    verdict = choose_cells(right == "unsure", fill_column("unsure", table.index), verdict)
    return {"agent": agent, "truth": truth, "verdict": verdict}


def map_named_agents(study: Study) -> dict[str, str]:
    """Map possible agent names of a table, in lower case, to names in the study file.

    An empty cell is not a name: it may mean a person's response or an unnamed machine's. Neither is a label
    or alias that several agents have.
    """
    meant, people = {}, {"human": "human"}
    for agent, described in study.agents.items():
        for name in map(schema.normalize_spelling, (described.label, *described.aliases)):
            if agent == "human":
                people[name] = "human"
            else:
                meant.setdefault(name, set()).add(agent)
    machines = {name: agents.pop() for name, agents in meant.items() if len(agents) == 1}
    machines |= {agent.lower(): agent for agent in study.agents if agent != "human"}
    return {name: agent for name, agent in (people | machines).items() if name}


def derive_agents_and_truth(
    shaped: Shaped, table: pd.DataFrame, named: Mapping[str, str]
) -> tuple[pd.Series, pd.Series]:
    """Derive agent and truth of each row; either may follow from the other."""
    if "truth" not in table and "agent" not in table:
        raise make_source_error(shaped.file, "no_truth")
    if "truth" not in table:
        agent = resolve_names(shaped, shaped.require_filled(table, "agent"), named, "agent")
        return agent, change_values(agent, lambda name: name if name == "human" else "machine")
    truth = shaped.require_filled(table, "truth")
    # The agent column may name individual people; their names are not read.
    by_machine = truth == "machine"
    machines = truth[by_machine]
    if "agent" in table:
        machines = shaped.require_filled(table[by_machine], "agent")
    machines = resolve_names(shaped, machines, named, "agent")
    agent = choose_cells(by_machine, machines.reindex(table.index), truth)
    if "agent" in table:
        people = table.loc[truth == "human", "agent"]
        people = change_values(people, lambda value: named.get(value.lower()))
        twice = agent.index[by_machine & (agent == "human")]
        twice = twice.append(people.index[people.notna() & (people != "human")])
        shaped.refuse(table.loc[twice, "agent"], "agent", "truth_and_agent")
    return agent, truth


def derive_correctness(shaped: Shaped, table: pd.DataFrame) -> pd.Series:
    """Derive whether each judge was right (yes, no, unsure), from a column or from choice and truth."""
    if "right" in table:
        return shaped.require_filled(table, "right")
    if not {"chosen", "human_at"} <= set(table):
        raise make_source_error(shaped.file, "no_verdict")
    chosen, truth = (
        change_values(shaped.require_filled(table, name), str.lower)
        for name in ("chosen", "human_at")
    )
    places, sided = sorted(truth.unique()), chosen[chosen != "unsure"]
    other = sided[~sided.isin(places)]
    # If people were always at the same position, the other position occurs only as a choice.
    if len(places) > 1 or other.nunique() > 1:
        wrong = table.loc[other.index, "chosen"]
        shaped.refuse(wrong, "chosen", "wrong_choice", [*places, "unsure"])
    is_right = np.where(chosen == "unsure", 2, are_equal(chosen, truth))
    return make_column(pd.Series(is_right, table.index), ("no", "yes", "unsure"))


def identify_judges(shaped: Shaped, table: pd.DataFrame, task: Task) -> pd.Series:
    """Find the raw id of each row's judge; a machine judge that is alone in its cohort needs none."""
    if "judge" in table:
        return shaped.require_filled(table, "judge")
    people = [n for n in table["cohort"].unique() if task.cohorts[n].judge_kind == "human"]
    if people:
        raise make_source_error(shaped.file, "no_judge", people=", ".join(people))
    return table["cohort"]


def assign_pseudonyms(table: pd.DataFrame, task: Task, task_name: str) -> pd.Series:
    """Name the judges by numbering them in each cohort in order of first appearance.

    Machine judges keep their names, unless a person in the table has the same one.
    """
    codes, judges = combine_columns(table[["cohort", "identity"]])
    judges = judges.astype(object)
    people = judges["cohort"].map(lambda name: task.cohorts[name].judge_kind == "human")
    keeps_name = ~people & ~judges["identity"].isin(judges.loc[people, "identity"])
    number = judges.groupby("cohort").cumcount() + 1
    own = judges["identity"].where(keeps_name, number.map("w{:03d}".format))
    names = f"{task_name}." + judges["cohort"] + "." + own
    return make_column(pd.Series(codes, table.index), list(names))


def tabulate_judges(
    shaped: Shaped, table: pd.DataFrame, judge_level: Sequence[str]
) -> pd.DataFrame:
    """Make a table with one row per judge, with the answers about themselves."""
    present = [name for name in judge_level if name in table]
    answers = table[["cohort", "judge_kind", "judge", *present, "identity"]]
    # The first row with each answer, so that rows keep their numbers.
    answers = answers.iloc[np.unique(combine_columns(answers)[0], return_index=True)[1]]
    answers = answers.astype(object).where(answers.notna(), None)
    for name in present:
        said = answers.dropna(subset=name).drop_duplicates(["judge", name])
        shaped.refuse(said.loc[said["judge"].duplicated(), name], name, "two_answers")
    judges = answers.groupby("judge", sort=False).first().reset_index()
    if "age" in judges:
        judges = judges.rename(columns={"age": "age_band"})
    people = judges["judge_kind"] == "human"
    worker = judges["person"] if "person" in judges else judges["identity"]
    judges[schema.WORKER] = worker.where(people, None)
    if "person" in judges:
        judges["person"] = worker.where(worker.str.fullmatch(NUMBERED, na=False))
    return pd.DataFrame(judges).drop(columns="identity")
