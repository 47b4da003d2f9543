"""Checks of the records against each other: what contradicts itself, and what readers should know.

An error stops the run: no result could be trusted. Warnings and notes change no number; they are listed in
data/record_checks.csv and in the report, in the words of `record_checks.yaml`.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from turingstats.config.study import Study, Task
from turingstats.core.errors import ConfigError, InputError
from turingstats.core.yaml_models import read_mapping
from turingstats.data.adapters.identifiers import reduce_id
from turingstats.data.adapters.repeated_rows import check_repeats
from turingstats.data.answer_checks import find_contradictions, is_outcome, is_reversed
from turingstats.data.distinct_values import change_values
from turingstats.data.notes import KEPT, NOTE_COLUMNS, SHOWN, describe
from turingstats.data.sample_sizes import compare_control_answers
from turingstats.stats.mixed.syntax import find_formula_columns

CHECKS = read_mapping(Path(__file__).with_suffix(".yaml"))
Findings = Iterator[dict[str, Any]]
LOOKED_AT = (
    "task cohort judge_kind judge trial position phase stimulus variant topic domain exchanges side agent "
    "truth verdict rating confidence rt_ms control_ok"
).split()
RARE = 0.02
"""Share of stimuli up to which several agents of one stimulus look like a slip."""
FEW_TRIALS = 5
"""Minimum number of trials of a judge for statements about all of them."""
HASTE_MS, PAUSE_MS = 100, 3_600_000
LABEL_LIKE = 0.95
"""Share of stimuli with the same control answer of all judges from which on the answer is a label."""
MANY = 1.5
"""How many times as large as the others a number is that stands out."""
FEW_EFFECTIVE = 10
"""Effective number below which coverage of intervals is not known for unequal numbers (docs/coverage.md)."""
JUDGE = ["study", "task", "cohort", "judge"]
OLDEST = 120
"""Age in years that nobody has exceeded by much."""
MONTHS = r"(?i).*\b(jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz])"
"""Pattern of bands of age that a spreadsheet made dates, such as May 18 of 5-18."""


def check_records(
    judgments: pd.DataFrame,
    judges: pd.DataFrame,
    responses: pd.DataFrame,
    study: Study,
    notes: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Check the judgments of a study against each other, and add what was noted while they were read."""
    refuse_contradictions(judgments)
    refuse_outcomes(judgments, study)
    tasks = study.tasks.values()
    declared = {name for task in tasks for name in (*task.conditions, *task.columns)}
    trials = judgments[[name for name in judgments if name in {*LOOKED_AT, *declared}]]
    findings = [
        (task, cohort, check_cohort(of_cohort, study.tasks[task], cohort))
        for (task, cohort), of_cohort in trials.groupby(["task", "cohort"], observed=True)
    ]
    findings += [(task, "", check_responses(own)) for task, own in responses.groupby("task")]
    findings += [("", "", check_people(judges)), ("", "", check_agents(study))]
    rows = [
        {"study": study.study, "task": task, "cohort": cohort} | row
        for task, cohort, reported in findings
        for row in reported
        if row["number"]
    ]
    table = pd.DataFrame(rows, columns=NOTE_COLUMNS)
    if notes is not None and len(notes):
        table = pd.concat([notes.fillna("").assign(study=study.study)[NOTE_COLUMNS], table])
    levels = table["level"].map({"warning": 0, "note": 1})
    return table.iloc[np.argsort(levels, kind="stable")].reset_index(drop=True)


def check_cohort(trials: pd.DataFrame, task: Task, cohort: str) -> Findings:
    """Check the trials of a cohort."""
    own = trials[trials["phase"] == "test"]
    once = own[own["side"].astype(object).fillna("A") != "B"]
    conditions = [name for name in task.conditions if name in own]
    yield from check_stimuli(own)
    yield from check_answers(own, task.columns)
    yield from check_same_responses(once, conditions)
    yield from check_shares(once)
    if (trials["judge_kind"] == "human").all():
        yield from check_sessions(trials)
        yield from check_judges(own)
        yield from check_control_answers(once)
        yield from check_times(once)
        yield from check_numbers(once)
        yield from check_conditions(own, conditions)
        yield from check_control(own, task, cohort)


def report(finding: str, places: Any, of: int, **values: Any) -> dict[str, Any]:
    """Report what was found where, in the words of `record_checks.yaml`; nothing, if there are no places."""
    said = {"done": KEPT} | CHECKS[finding]
    words = {key: text.format_map(values) for key, text in said.items()}
    return describe(words["level"], words["check"], places, of, words["done"])


def name_places(trials: pd.DataFrame, number: str) -> pd.DataFrame:
    """Name trials by their judge and a number, such as `w001, position 2`."""
    first = trials[:SHOWN].astype({number: str})
    return trials[["judge"]].assign(number=(number + " " + first[number]).reindex(trials.index))


def refuse_contradictions(judgments: pd.DataFrame) -> None:
    """Refuse records by which the same speaker of a conversation is two agents."""
    keys = ["task", "stimulus", "side"]
    pairs = judgments[[*keys, "agent"]].dropna().drop_duplicates().astype(object)
    twice = pairs[pairs.duplicated(keys, keep=False)]
    if len(twice):
        first = twice.iloc[0]
        where = judgments[(judgments[keys].astype(object) == first[keys]).all(axis=1)]
        trials = where.drop_duplicates("agent")
        raise InputError(
            "judgments",
            f"the same speaker is two agents ({len(twice.drop_duplicates(keys))} such cases)",
            row="; ".join(f"{row.judge}, trial {row.trial}" for row in trials.itertuples()),
            column="agent",
            value=f"{', '.join(map(str, first[keys]))}: {' and '.join(map(str, trials['agent']))}",
            fix="correct the raw files; data/sources.csv of the results lists them",
        )


def refuse_outcomes(judgments: pd.DataFrame, study: Study) -> None:
    """Refuse conditions and columns in formulas that follow from truth and verdict: they are the outcome."""
    for task, declared in study.tasks.items():
        formulas = [model.formula for model in study.models if model.task == task]
        modeled = {name for formula in formulas for name in find_formula_columns(formula)}
        predictors = {*declared.condition_names} | ({*declared.columns} & modeled)
        trials = judgments[(judgments["task"] == task) & (judgments["phase"] == "test")]
        for name in sorted(predictors & set(trials)):
            if is_outcome(trials[name], trials["truth"], trials["verdict"]):
                raise ConfigError(
                    f"tasks.{task}: {name} is a condition or in a formula, but it follows from truth and "
                    "verdict: it is the outcome",
                    fix=f"declare it as a check, columns: {{{name}: check}}, and remove it from conditions "
                    "and formulas",
                )


def check_answers(trials: pd.DataFrame, columns: Mapping[str, str]) -> Findings:
    """Check columns that follow from truth and verdict, such as whether the judge was right."""
    for name in (name for name, kind in columns.items() if kind == "check" and name in trials):
        wrong, meanings = find_contradictions(trials[name], trials["truth"], trials["verdict"])
        places = name_places(trials.loc[wrong], "trial")
        yield report("contradicts_answers", places, int(trials[name].notna().sum()), name=name)
        yield report("reversed", [name] * is_reversed(meanings), 1, name=name)


def check_stimuli(trials: pd.DataFrame) -> Findings:
    """Check what was judged: responses with several agents, and agents with a single stimulus."""
    known = trials.dropna(subset="stimulus")
    if known["side"].isna().all():
        # A machine's name is that of one response only if nearly all stimuli have a single agent.
        by_stimulus = known.groupby(
            ["stimulus", known["variant"].astype(object).fillna("")], observed=True
        )
        seen = by_stimulus["agent"].agg(["size", "nunique"])
        seen = seen[seen["size"] > 1]
        several = seen.index[seen["nunique"] > 1].get_level_values(0)
        if len(several) <= max(RARE * len(seen), len(seen) > FEW_TRIALS):
            yield report("several_agents", several, len(seen))
    stimuli = known.groupby("agent", observed=True)["stimulus"].nunique()
    if len(stimuli) > 1:
        yield report("single_stimulus", stimuli.index[stimuli == 1], len(stimuli))


def check_judges(trials: pd.DataFrame) -> Findings:
    """Check whether people gave a single verdict."""
    alike = trials.groupby("judge", observed=True)["verdict"].agg(["size", "nunique"])
    alike = alike.loc[alike["size"] >= FEW_TRIALS, "nunique"]
    yield report("single_verdict", alike.index[alike == 1], len(alike), few=FEW_TRIALS)


def check_numbers(trials: pd.DataFrame) -> Findings:
    """Check numbers of verdicts, and confidence, for what is far above the others."""
    number = trials.groupby("judge", observed=True).size()
    # Of few judges, one with many verdicts would raise an interpolated quantile.
    many = number[number > MANY * number.quantile(0.95, interpolation="lower")]
    yield report("many_verdicts", many.index.astype(str) + ": " + many.astype(str), len(number))
    sure = np.sort(trials["confidence"].dropna().unique())
    if len(sure) > 2 and sure[-1] > MANY * sure[-2] > 0:
        where = trials[trials["confidence"] == sure[-1]]
        # An answer that many give is a point of the scale.
        if len(where) < FEW_TRIALS:
            highest = {"highest": sure[-1], "next": sure[-2]}
            yield report("far_confidence", name_places(where, "trial"), len(trials), **highest)


def check_control_answers(trials: pd.DataFrame) -> Findings:
    """Check whether judges failed every control question."""
    answers = trials.dropna(subset="control_ok")
    passed = answers["control_ok"].astype(bool).groupby(answers["judge"], observed=True)
    share = passed.mean()[passed.size() >= FEW_TRIALS]
    everyone = len(share) > 0 and not share.any()
    name = "control_reversed" if everyone else "control_failed"
    yield report(name, share.index[share == 0], len(share))


def check_times(trials: pd.DataFrame) -> Findings:
    """Check for times that nobody needs to judge anything."""
    timed = int(trials["rt_ms"].notna().sum())
    for name, rows in (
        ("haste", trials["rt_ms"] < HASTE_MS),
        ("pause", trials["rt_ms"] > PAUSE_MS),
    ):
        places = name_places(trials[rows.fillna(False)], "trial")
        yield report(name, places, timed, least=HASTE_MS)


def check_same_responses(trials: pd.DataFrame, conditions: Sequence[str]) -> Findings:
    """Check what a person or a detector said of the same response more than once."""
    known = trials.dropna(subset="stimulus")
    response = ["judge", "stimulus", "side", "agent", "variant", "topic", "domain", "exchanges"]
    response += [name for name in conditions if name in known and name not in response]
    kinds = {*known["judge_kind"].astype(str)}
    said = known["verdict"].astype(str) + " " + known["rating"].astype(str)
    if kinds == {"detector"}:
        yield from check_repeats(known[response], said, "warning", "the same response")
    elif kinds == {"human"}:
        # A stimulus may have several responses by one agent.
        of = "the same stimulus by the same agent"
        yield from check_repeats(known[response], known["verdict"], "note", of)


def check_shares(trials: pd.DataFrame) -> Findings:
    """Check whether so few judges gave, or stimuli got, most verdicts that intervals may be too narrow.

    The effective number of Kish is that of judges with equal numbers of verdicts that would tell as much.
    """
    for column, what in (("judge", "judges"), ("stimulus", "stimuli")):
        counts = trials[column].astype(object).value_counts()
        effective = counts.sum() ** 2 / (counts**2).sum() if len(counts) else np.inf
        if effective < min(FEW_EFFECTIVE, len(counts) / 2):
            largest = counts.index.astype(str) + ": " + counts.astype(str)
            numbers = {"number": len(counts), "effective": effective}
            yield report("unequal_shares", largest, len(counts), what=what, **numbers)


def check_sessions(trials: pd.DataFrame) -> Findings:
    """Check sessions: positions that repeat, and the same session under two judges."""
    placed = trials.dropna(subset="position")
    placed = placed[placed["side"].astype(object).fillna("A") != "B"]
    twice = placed[placed.duplicated(["judge", "phase", "position"])]
    yield report("position_twice", name_places(twice, "position"), len(placed))
    known = trials.dropna(subset="stimulus").sort_values("trial", kind="stable")
    by_judge = known.groupby("judge", observed=True)
    cells = known[["stimulus", "side", "agent", "verdict"]]
    cells = cells.apply(lambda column: change_values(column.astype("category"), str, "nan"))
    hashes = pd.util.hash_pandas_object(cells.assign(place=by_judge.cumcount()), index=False)
    sessions = hashes.groupby(known["judge"], observed=True).agg(["sum", "size"])
    sessions = sessions[sessions["size"] >= FEW_TRIALS]
    copies = sessions[sessions.duplicated(keep=False)].sort_values("sum", kind="stable")
    yield report("same_session", copies.index, len(sessions))


def check_control(trials: pd.DataFrame, task: Task, cohort: str) -> Findings:
    """Check whether answers to the control question differ between judges at all."""
    answers = compare_control_answers(trials, task)
    if not answers:
        return
    alike, asked = answers["n_control_same"], answers["n_control_repeated"]
    chance = answers["control_same_by_chance"]
    if alike >= LABEL_LIKE * asked and alike > MANY * chance:
        fixed = task.cohorts[cohort].fixed_control
        used = "neither reading uses it" if fixed else "the cleaning rules apply as always"
        by_chance = f"by chance it would be the same for {chance:.0f} stimuli"
        row = report("control_label", [by_chance], int(asked), used=used)
        yield row | {"number": int(alike)}


def check_conditions(trials: pd.DataFrame, conditions: Sequence[str]) -> Findings:
    """Check whether conditions and agents can be told apart."""
    machines = trials[trials["agent"] != "human"]
    for name in conditions:
        pairs = machines[["agent", name]].dropna().drop_duplicates()
        levels, agents = pairs[name].nunique(), pairs["agent"].nunique()
        if 1 < levels <= agents == len(pairs):
            at = pairs["agent"].astype(str) + ": " + pairs[name].astype(str)
            yield report("agents_by_level", at, agents, name=name)


def check_responses(answers: pd.DataFrame) -> Findings:
    """Check whether a person answered a stimulus several times."""
    known = answers[answers["responder"].notna() & answers["turn"].isna()]
    answered = known[["stimulus", "responder"]]
    yield report("answered_twice", answered[answered.duplicated()], len(known))


def check_agents(study: Study) -> Findings:
    """Check the names of agents: some that look alike may be one agent, typed on two keyboards."""
    by_look: dict[str, dict[str, str]] = {}
    for agent, described in study.agents.items():
        for name in (described.label, *described.aliases):
            by_look.setdefault(reduce_id(name), {}).setdefault(agent, name)
    alike = [
        " and ".join(map(repr, spellings.values()))
        for spellings in by_look.values()
        # Agents of different tasks may share a label.
        if len({name.casefold() for name in spellings.values()}) > 1
    ]
    yield report("agents_alike", alike, len(study.agents))


def check_people(judges: pd.DataFrame) -> Findings:
    """Check ages, and whether people who judged several times say the same about themselves."""
    ages = judges[["judge", "age_band"]].dropna().astype(str)
    number = pd.to_numeric(ages["age_band"], errors="coerce")
    strange = ages[(number > OLDEST) | (number < 0) | ages["age_band"].str.match(MONTHS)]
    yield report("strange_ages", strange, len(ages))
    known = judges.dropna(subset="person")
    fixed = ("study", "task", "cohort", "judge", "judge_kind", "person")
    for name in (column for column in judges if column not in fixed):
        answered = known.dropna(subset=name)
        said = answered[["person", name]].astype(object).drop_duplicates()
        twice = said.loc[said.duplicated("person"), "person"].unique()
        several = answered.groupby("person")["judge"].nunique()
        yield report("different_answers", twice, int((several > 1).sum()), name=name)


def flag_careless_judges(marked: pd.DataFrame) -> pd.DataFrame:
    """Flag people with one verdict on every trial, or with verdicts under 200 ms or over 100 s, and machine
    judges with runs of one verdict that would occur by chance in fewer than one in a thousand files,
    unless readings differ in their verdicts."""
    people = marked[marked["judge_kind"] == "human"]
    fast, slow = people["rt_ms"] < 200, people["rt_ms"] > 100_000
    by_judge = people.assign(fast=fast, slow=slow).groupby(JUDGE, observed=True)
    of, sums = by_judge.size(), by_judge[["fast", "slow"]].sum().astype(int)
    flags = {
        "one verdict on every trial": of * (by_judge["verdict"].nunique() == 1),
        "verdict under 200 ms": sums["fast"],
        "verdict after more than 100 s": sums["slow"],
    }
    numbers = pd.DataFrame(flags).stack()
    rows = [(*key, number, of[key[:-1]]) for key, number in numbers[numbers > 0].items()]
    machines = marked[marked["judge_kind"] != "human"]
    for judge, own in machines.groupby(JUDGE, observed=True):
        if own["reading"].notna().any():
            continue
        verdicts = own.sort_values("trial", kind="stable")["verdict"].astype(str)
        longest = int(verdicts.groupby((verdicts != verdicts.shift()).cumsum()).size().max())
        most = verdicts.value_counts(normalize=True).max()
        # Upper bound on the probability of a run this long among this many independent verdicts.
        if most < 1 and len(verdicts) * (1 - most) * most**longest < 0.001:
            rows.append((*judge, "same verdict in a row", longest, len(verdicts)))
    return pd.DataFrame(rows, columns=[*JUDGE, "flag", "number", "of"])
