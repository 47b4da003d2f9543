"""Checks of the records against each other: what contradicts itself, and what readers should know.

An error stops the run: no result could be trusted. Warnings and notes change no number; they are listed in
data/record_checks.csv and in the report.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from turingstats.config.study import Study, Task
from turingstats.core.errors import ConfigError, InputError
from turingstats.data.adapters.identifiers import reduce_id
from turingstats.data.adapters.repeated_rows import check_repeats
from turingstats.data.answer_checks import find_contradictions, is_outcome, is_reversed
from turingstats.data.distinct_values import change_values
from turingstats.data.notes import COLUMNS, SHOWN, describe
from turingstats.data.sample_sizes import compare_control_answers
from turingstats.stats.mixed.syntax import find_formula_columns

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
    named = {name for task in tasks for name in (*task.conditions, *task.columns)}
    looked_at = [name for name in judgments if name in {*LOOKED_AT, *named}]
    rows = []
    for (task, cohort), trials in judgments[looked_at].groupby(["task", "cohort"], observed=True):
        place = {"study": study.study, "task": task, "cohort": cohort}
        own = trials[trials["phase"] == "test"]
        conditions = [name for name in study.tasks[task].conditions if name in own]
        found = [*check_stimuli(own), *check_answers(own, study.tasks[task].columns)]
        found += check_same_responses(select_trials(own), conditions)
        found += check_shares(select_trials(own))
        if (trials["judge_kind"] == "human").all():
            found += [*check_sessions(trials), *check_judges(own)]
            found += check_conditions(own, conditions)
            found += check_control(own, study.tasks[task], cohort)
        rows += [place | row for row in found]
    for task, answers in responses.groupby("task"):
        place = {"study": study.study, "task": task, "cohort": ""}
        rows += [place | row for row in check_responses(answers)]
    of_all = [*check_people(judges), *check_agents(study)]
    rows += [{"study": study.study, "task": "", "cohort": ""} | row for row in of_all]
    table = pd.DataFrame(rows, columns=COLUMNS)
    if notes is not None and len(notes):
        table = pd.concat([notes.fillna("").assign(study=study.study)[COLUMNS], table])
    levels = table["level"].map({"warning": 0, "note": 1})
    return table.iloc[np.argsort(levels, kind="stable")].reset_index(drop=True)


def name_places(trials: pd.DataFrame, number: str) -> pd.DataFrame:
    """Name trials by their judge and a number, such as `w001, position 2`."""
    first = trials[:SHOWN].astype({number: str})
    named = (number + " " + first[number]).reindex(trials.index)
    return trials[["judge"]].assign(number=named)


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
        named = {name for condition in declared.conditions for name in condition.split("+")}
        named |= {*declared.columns} & {
            name for formula in formulas for name in find_formula_columns(formula)
        }
        trials = judgments[(judgments["task"] == task) & (judgments["phase"] == "test")]
        for name in sorted(named & set(trials)):
            if is_outcome(trials[name], trials["truth"], trials["verdict"]):
                raise ConfigError(
                    f"tasks.{task}: {name} is a condition or in a formula, but it follows from truth and "
                    "verdict: it is the outcome\n"
                    f"  fix:     declare it as a check, columns: {{{name}: check}}, and remove it from "
                    "conditions and formulas"
                )


def check_answers(trials: pd.DataFrame, columns: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    """Check columns that follow from truth and verdict, such as whether the judge was right."""
    for name in (name for name, kind in columns.items() if kind == "check" and name in trials):
        wrong, meanings = find_contradictions(trials[name], trials["truth"], trials["verdict"])
        number = int(trials[name].notna().sum())
        if len(wrong):
            places = name_places(trials.loc[wrong], "trial")
            yield describe("warning", f"{name} contradicts truth and verdict", places, number)
        if is_reversed(meanings):
            yield describe(
                "warning",
                f"{name} says no where the verdict is right: truth or verdict may be reversed, unless it "
                "marks errors",
                [name],
                1,
            )


def check_stimuli(trials: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Check what was judged: responses with several agents, and agents with a single stimulus."""
    known = trials.dropna(subset="stimulus")
    if known.empty:
        return
    if known["side"].isna().all():
        # A machine's name is that of one response only if nearly all stimuli have a single agent.
        by_stimulus = known.groupby(
            ["stimulus", known["variant"].astype(object).fillna("")], observed=True
        )
        seen = by_stimulus["agent"].agg(["size", "nunique"])
        seen = seen[seen["size"] > 1]
        several = seen.index[seen["nunique"] > 1].get_level_values(0)
        few = max(RARE * len(seen), len(seen) > FEW_TRIALS)
        if 0 < len(several) <= few:
            yield describe(
                "warning",
                "a stimulus has several agents, although nearly all others have one",
                several,
                len(seen),
            )
    stimuli = known.groupby("agent", observed=True)["stimulus"].nunique()
    single = stimuli.index[stimuli == 1]
    if len(single) and len(stimuli) > 1:
        yield describe(
            "note",
            "an agent has a single stimulus, so that results about it are about this stimulus",
            single,
            len(stimuli),
        )


def select_trials(verdicts: pd.DataFrame) -> pd.DataFrame:
    """Select one verdict per trial: both verdicts on a conversation are one trial."""
    return verdicts[verdicts["side"].astype(object).fillna("A") != "B"]


def check_judges(trials: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Check what people answered: control questions, a single verdict, times, numbers of verdicts."""
    alike = trials.groupby("judge", observed=True)["verdict"].agg(["size", "nunique"])
    alike = alike.loc[alike["size"] >= FEW_TRIALS, "nunique"]
    trials = select_trials(trials)
    if (alike == 1).any():
        yield describe(
            "note",
            f"judges of {FEW_TRIALS} trials or more gave a single verdict",
            alike.index[alike == 1],
            len(alike),
            "kept; data/flags.csv lists them",
        )
    yield from check_control_answers(trials)
    yield from check_times(trials)
    number = trials.groupby("judge", observed=True).size()
    # Of few judges, one with many verdicts would raise an interpolated quantile.
    many = number[number > MANY * number.quantile(0.95, interpolation="lower")]
    if len(many):
        yield describe(
            "note",
            "judges with far more verdicts than the others: perhaps several sessions or people",
            many.index.astype(str) + ": " + many.astype(str),
            len(number),
        )
    sure = np.sort(trials["confidence"].dropna().unique())
    if len(sure) > 2 and sure[-1] > MANY * sure[-2] > 0:
        where = trials[trials["confidence"] == sure[-1]]
        # An answer that many give is a point of the scale.
        if len(where) < FEW_TRIALS:
            check = f"confidence {sure[-1]:g}, far above all others (up to {sure[-2]:g})"
            yield describe("note", check, name_places(where, "trial"), len(trials))


def check_control_answers(trials: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Check whether judges failed every control question."""
    answers = trials.dropna(subset="control_ok")
    if len(answers):
        passed = answers["control_ok"].astype(bool).groupby(answers["judge"], observed=True)
        share = passed.mean()[passed.size() >= FEW_TRIALS]
        if len(share) and not share.any():
            yield describe(
                "warning",
                "everyone failed every control question: its coding may be reversed",
                share.index,
                len(share),
                "the cleaning rules apply as always",
            )
        elif (share == 0).any():
            yield describe(
                "warning",
                "judges failed every control question",
                share.index[share == 0],
                len(share),
                "left out by the cleaning rules, where these use the control question",
            )


def check_times(trials: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Check for times that nobody needs to judge anything."""
    fast, slow = (trials["rt_ms"] < HASTE_MS, trials["rt_ms"] > PAUSE_MS)
    timed = int(trials["rt_ms"].notna().sum())
    if fast.any():
        check = f"verdicts in less than {HASTE_MS} ms, which nobody can give"
        places = name_places(trials[fast.fillna(False)], "trial")
        done = "kept, unless cleaning.min_rt_ms leaves them out"
        yield describe("warning", check, places, timed, done)
    if slow.any():
        check = "verdicts after more than an hour: probably a pause"
        yield describe("note", check, name_places(trials[slow.fillna(False)], "trial"), timed)


def check_same_responses(
    trials: pd.DataFrame, conditions: Sequence[str]
) -> Iterator[dict[str, Any]]:
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


def check_shares(trials: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Check whether so few judges gave, or stimuli got, most verdicts that intervals may be too narrow.

    The effective number of Kish is that of judges with equal numbers of verdicts that would tell as much.
    """
    for what in ("judge", "stimulus"):
        counts = trials[what].astype(object).value_counts()
        if counts.empty:
            continue
        effective = counts.sum() ** 2 / (counts**2).sum()
        if effective < min(FEW_EFFECTIVE, len(counts) / 2):
            check = (
                f"{len(counts)} {'judges' if what == 'judge' else 'stimuli'} with such unequal numbers of "
                f"verdicts that they count as {effective:.1f}: intervals may be too narrow"
            )
            largest = counts.index.astype(str) + ": " + counts.astype(str)
            done = "nothing: for so few, coverage is not known (docs/coverage.md)"
            yield describe("note", check, largest, len(counts), done)


def check_sessions(trials: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Check sessions: positions that repeat, and the same session under two judges."""
    placed = trials.dropna(subset="position")
    keys = ["judge", "phase", "position"]
    per_place = select_trials(placed)
    twice = per_place[per_place.duplicated(keys)]
    if len(twice):
        yield describe(
            "warning",
            "a position in a session occurs twice",
            name_places(twice, "position"),
            len(per_place),
        )
    known = trials.dropna(subset="stimulus").sort_values("trial", kind="stable")
    by_judge = known.groupby("judge", observed=True)
    cells = known[["stimulus", "side", "agent", "verdict"]]
    cells = cells.apply(lambda column: change_values(column.astype("category"), str, "nan"))
    hashes = pd.util.hash_pandas_object(cells.assign(place=by_judge.cumcount()), index=False)
    sessions = hashes.groupby(known["judge"], observed=True).agg(["sum", "size"])
    sessions = sessions[sessions["size"] >= FEW_TRIALS]
    copies = sessions[sessions.duplicated(keep=False)].sort_values("sum", kind="stable")
    if len(copies):
        yield describe(
            "warning",
            "sessions of different judges have the same stimuli and verdicts in the same order",
            copies.index,
            len(sessions),
        )


def check_control(trials: pd.DataFrame, task: Task, cohort: str) -> Iterator[dict[str, Any]]:
    """Check whether answers to the control question differ between judges at all."""
    found = compare_control_answers(trials, task)
    if not found:
        return
    alike, asked = found["n_control_same"], found["n_control_repeated"]
    if alike >= LABEL_LIKE * asked and alike > MANY * found["control_same_by_chance"]:
        fixed = task.cohorts[cohort].fixed_control
        yield describe(
            "note",
            "the answer to the control question is the same for all judges of a stimulus: it is a label of "
            "the stimulus and tells nothing about a judge",
            [f"by chance it would be the same for {found['control_same_by_chance']:.0f} stimuli"],
            int(asked),
            "neither reading uses it" if fixed else "the cleaning rules apply as always",
        ) | {"number": int(alike)}


def check_conditions(trials: pd.DataFrame, conditions: Sequence[str]) -> Iterator[dict[str, Any]]:
    """Check whether conditions and agents can be told apart."""
    machines = trials[trials["agent"] != "human"]
    for name in conditions:
        pairs = machines[["agent", name]].dropna().drop_duplicates()
        levels, agents = pairs[name].nunique(), pairs["agent"].nunique()
        if 1 < levels <= agents == len(pairs):
            yield describe(
                "note",
                f"each agent occurs at one level of {name}: differences between levels are differences "
                "between agents",
                pairs["agent"].astype(str) + ": " + pairs[name].astype(str),
                agents,
            )


def check_responses(answers: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Check whether a person answered a stimulus several times."""
    known = answers[answers["responder"].notna() & answers["turn"].isna()]
    again = known[known.duplicated(["stimulus", "responder"])]
    if len(again):
        yield describe(
            "note",
            "a person answered a stimulus more than once",
            again[["stimulus", "responder"]],
            len(known),
            "nothing: every response counts",
        )


def check_agents(study: Study) -> Iterator[dict[str, Any]]:
    """Check the names of agents: some that look alike may be one agent, typed on two keyboards."""
    by_look: dict[str, dict[str, str]] = {}
    for agent, described in study.agents.items():
        for name in (described.label, *described.aliases):
            by_look.setdefault(reduce_id(name), {}).setdefault(agent, name)
    alike = [
        " and ".join(map(repr, named.values()))
        for named in by_look.values()
        # Agents of different tasks may share a label.
        if len({name.casefold() for name in named.values()}) > 1
    ]
    if alike:
        done = (
            "nothing: they are different; if not, make one an alias of the other in the study file"
        )
        yield describe("note", "agents whose names look alike", alike, len(study.agents), done)


def check_people(judges: pd.DataFrame) -> Iterator[dict[str, Any]]:
    """Check ages, and whether people who judged several times say the same about themselves."""
    ages = judges[["judge", "age_band"]].dropna().astype(str)
    number = pd.to_numeric(ages["age_band"], errors="coerce")
    strange = ages[(number > OLDEST) | (number < 0) | ages["age_band"].str.match(MONTHS)]
    if len(strange):
        yield describe("warning", "implausible ages, or ages that became dates", strange, len(ages))
    known = judges.dropna(subset="person")
    fixed = ("study", "task", "cohort", "judge", "judge_kind", "person")
    for name in (column for column in judges if column not in fixed):
        said = known.dropna(subset=name)[["person", name]].astype(object).drop_duplicates()
        twice = said.loc[said.duplicated("person"), "person"].unique()
        if len(twice):
            several = known.dropna(subset=name).groupby("person")["judge"].nunique()
            yield describe(
                "warning",
                f"people who judged several times gave different answers for {name}",
                twice,
                int((several > 1).sum()),
                "each session has its own answer",
            )


def flag_careless_judges(marked: pd.DataFrame) -> pd.DataFrame:
    """Flag people with one verdict on every trial, or with verdicts under 200 ms or over 100 s, and machine
    judges with runs of one verdict that would occur by chance in fewer than one in a thousand files,
    unless readings differ in their verdicts."""
    people = marked[marked["judge_kind"] == "human"]
    fast, slow = people["rt_ms"] < 200, people["rt_ms"] > 100_000
    by_judge = people.assign(fast=fast, slow=slow).groupby(JUDGE, observed=True)
    sums = by_judge[["fast", "slow"]].sum().astype(int)
    sums = sums.assign(of=by_judge.size(), verdicts=by_judge["verdict"].nunique())
    rows = []
    for judge, own in zip(sums.index, sums.to_dict("records"), strict=True):
        found = {
            "one verdict on every trial": own["of"] * (own["verdicts"] == 1),
            "verdict under 200 ms": own["fast"],
            "verdict after more than 100 s": own["slow"],
        }
        rows += [(*judge, flag, number, own["of"]) for flag, number in found.items() if number]
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
