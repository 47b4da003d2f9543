"""Who judged what: judges, verdicts, stimuli, ages and other answers of each cohort."""

import itertools
from collections.abc import Iterator

import numpy as np
import pandas as pd

from turingstats.analysis.responses import READING, RESPONSE, split_cohorts
from turingstats.analysis.rows import tabulate
from turingstats.config.study import Study
from turingstats.data.counts import map_judges_to_units, unify_person_answers
from turingstats.data.distinct_values import change_values, combine_columns

MEASURED = ("variable", "level", "quantity", "value", "n", "unit", "method")
Measured = tuple[str, str, str, float, int, str, str]
"""Values of the columns `MEASURED`."""
NOT_ANSWERED = "not answered"
OTHER_ANSWER = "other answer"
SPREADS = {
    "verdicts per judge": ("judge", "verdicts of a judge, unsure ones included"),
    "judges per stimulus": ("stimulus", "distinct judges of a stimulus"),
    "judges per response": ("response", "distinct judges of an agent's response to a stimulus"),
}
ANSWERS = {"gender": "gender", "education": "education", "age": "age_band"}
"""Column of the judges with the answers to a demographic variable whose name differs from it."""


def describe_sample(
    judgments: pd.DataFrame,
    judges: pd.DataFrame,
    groups: pd.DataFrame,
    study: Study,
    people: dict[str, str] | None = None,
) -> pd.DataFrame:
    """Describe the judges, verdicts and stimuli of each cohort.

    Variables and quantities are judges, verdicts, stimuli and responses (number); verdicts per judge,
    judges per stimulus, judges per response (mean, median, min, max); detectability of judges (mean, sd,
    sd with divisor n); age (mean, sd, median, min, max, number) where ages are known as numbers; each
    demographic variable by level (number and share, with those who gave no answer, or one in no group);
    for machine judges, each judge (verdicts). n is what the value is computed from.
    """
    needed = ["task", "cohort", "judge", *RESPONSE, "truth", "verdict"]
    kept = judgments.loc[judgments[f"kept_{READING}"], needed].astype("category")
    answers = collect_answers(judges, study)
    members = groups[groups["reading"] == READING]
    group_of = {
        by: judge_names.set_index("judge")["group"]
        for by, judge_names in members.groupby("group_by")
    }
    rows = []
    for keys, trials in split_cohorts(kept, study):
        unit_of = map_judges_to_units(trials["judge"].unique(), people or {})
        units = change_values(trials["judge"], unit_of.get)
        trials = trials.assign(judge=units)
        described = [count_parts(trials), measure_spreads(trials)]
        if keys["judge_kind"] == "human":
            judge_names = units.unique().astype(object)
            described.append(describe_detectability(trials))
            described.append(describe_ages(answers, judge_names))
            described += [
                count_groups(by, list(levels), group_of.get(by), answers, judge_names)
                for by, levels in study.demographics.items()
            ]
        else:
            described.append(count_machine_judges(trials))
        for measured in itertools.chain(*described):
            rows.append(keys | dict(zip(MEASURED, measured, strict=True)))
    table = tabulate(rows, "sample", reading=READING)
    return table.assign(sample_id=table["sample_id"].astype(str).str.replace(" ", "_"))


def collect_answers(judges: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Collect each judge's answers by demographic variable; the first ones of a person in a cohort."""
    names = {by: ANSWERS.get(by, by) for by in ("age", *study.demographics)}
    answers = {
        by: unify_person_answers(judges, judges[column].astype(object))
        for by, column in names.items()
        if column in judges
    }
    return pd.DataFrame(answers).set_axis(judges["judge"].astype(str), axis=0)


def count_parts(trials: pd.DataFrame) -> Iterator[Measured]:
    """Yield numbers of judges, verdicts, stimuli and responses."""
    numbers = {"judges": trials["judge"].nunique(), "verdicts": len(trials)}
    known = trials[trials["stimulus"].notna()]
    if len(known):
        numbers["stimuli"] = known["stimulus"].nunique()
        numbers["responses"] = len(combine_columns(known[RESPONSE])[1])
    for variable, number in numbers.items():
        yield variable, "", "number", number, len(trials), "verdict", "distinct, analyzed"


def measure_spreads(trials: pd.DataFrame) -> Iterator[Measured]:
    """Yield mean, median, smallest and largest number of verdicts and judges."""
    known = trials[trials["stimulus"].notna()]
    _, judged = combine_columns(known[["judge", *RESPONSE]])
    _, seen = combine_columns(judged[["judge", "stimulus"]])
    sizes = {
        "verdicts per judge": count_rows(trials, ["judge"]),
        "judges per stimulus": count_rows(seen, ["stimulus"]),
        "judges per response": count_rows(judged, RESPONSE),
    }
    for variable, numbers in sizes.items():
        unit, method = SPREADS[variable]
        for quantity in ("mean", "median", "min", "max") if len(numbers) else ():
            value = float(getattr(numbers, quantity)())
            yield variable, "", quantity, value, len(numbers), unit, method


def describe_detectability(trials: pd.DataFrame) -> Iterator[Measured]:
    """Yield mean and standard deviation of judges' mean share of right verdicts on people and machines."""
    decided = trials[trials["verdict"].isin(["human", "machine"]) & trials["truth"].notna()]
    right = decided["verdict"].astype(str) == decided["truth"].astype(str)
    by = [decided["judge"].astype(str), decided["truth"].astype(str)]
    values = right.groupby(by).mean().unstack().reindex(columns=["human", "machine"])
    values = values.mean(axis=1, skipna=False).dropna()
    method = "mean of the shares of right verdicts on people's and machines' responses"
    spreads = {"sd": values.std(), "sd with divisor n": values.std(ddof=0)}
    for quantity, value in ({"mean": values.mean()} | spreads).items():
        if np.isfinite(value):
            yield "detectability", "", quantity, float(value), len(values), "judge", method


def count_rows(table: pd.DataFrame, by: list[str]) -> pd.Series:
    """Count the rows of each combination of values that occurs."""
    return pd.Series(np.bincount(combine_columns(table[by])[0]))


def describe_ages(answers: pd.DataFrame, judges: np.ndarray) -> Iterator[Measured]:
    """Yield mean, standard deviation, median and range of ages that were given as numbers."""
    if "age" not in answers:
        return
    ages = pd.to_numeric(answers["age"].reindex(judges), errors="coerce").dropna()
    method = "ages given as numbers, in years; sd with divisor n - 1"
    for quantity in ("mean", "std", "median", "min", "max") if len(ages) else ():
        name = {"std": "sd"}.get(quantity, quantity)
        yield "age", "", name, float(getattr(ages, quantity)()), len(ages), "judge", method


def count_groups(
    by: str, levels: list[str], group: pd.Series, answers: pd.DataFrame, judges: np.ndarray
) -> Iterator[Measured]:
    """Yield number and share of judges at each level of a demographic variable."""
    groups = pd.Series(index=judges, dtype=object) if group is None else group.reindex(judges)
    given = answers[by].reindex(judges) if by in answers else pd.Series(index=judges, dtype=object)
    answered = given.notna() & (given.astype(str).str.strip() != "")
    level = groups.where(groups.notna(), OTHER_ANSWER).where(
        groups.notna() | answered, NOT_ANSWERED
    )
    numbers = level.value_counts()
    method = "judges by the groups of the study; share of all judges"
    for name in (*levels, OTHER_ANSWER, NOT_ANSWERED):
        number = int(numbers.get(name, 0))
        if number or name in levels:
            yield by, name, "number", number, len(judges), "judge", method
            yield by, name, "share", number / len(judges), len(judges), "judge", method


def count_machine_judges(trials: pd.DataFrame) -> Iterator[Measured]:
    """Yield the number of verdicts of each machine judge, by its name."""
    judges = trials["judge"].cat.remove_unused_categories()
    for name, number in sorted(judges.value_counts().items()):
        what = "machine judge", name, "verdicts"
        yield *what, number, len(trials), "verdict", "verdicts analyzed"
