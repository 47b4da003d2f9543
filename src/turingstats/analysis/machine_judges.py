"""Machine judges (detectors, language models) compared on the responses that they all judged."""

import itertools
from typing import Any

import numpy as np
import pandas as pd

from turingstats.analysis.responses import READING, RESPONSE, UNNAMED, select_named
from turingstats.analysis.rows import tabulate
from turingstats.config.study import Study
from turingstats.core.names import SLASH, join_names
from turingstats.data.distinct_values import combine_columns
from turingstats.stats.hypothesis.proportions import assess_cochran_q, compare_paired_outcomes
from turingstats.stats.multiplicity import correct_family

MAX_JUDGES = 20
"""Most machine judges of a task that are compared."""
METHODS = {
    "cochran_q": "statsmodels cochrans_q, chi-square distribution; correct verdicts of all judges",
    "mcnemar": "McNemar's exact test of the discordant responses; difference of the shares of correct "
    "verdicts, interval of Bonett and Price (2012)",
}


def compare_machine_judges(
    verdicts: pd.DataFrame, study: Study, level: float, correction: str | None = None
) -> pd.DataFrame:
    """Compare the shares of correct verdicts of the machine judges of each task.

    Cochran's Q compares all machine judges of a task, over the responses that all of them decided, and
    McNemar's test each pair, over those that both decided, with the `correction` of
    `turingstats.stats.multiplicity.correct_family`. judge and other are
    cohort and judge, joined by a slash. k1 and k2 are correct verdicts; only_first and only_second count
    responses that only one of the two classified correctly. Tasks with fewer than two machine judges have
    no rows; with more than `MAX_JUDGES`, one row whose note says so.
    """
    of_machines = verdicts["judge_kind"] != "human"
    decided = verdicts[of_machines & verdicts["verdict"].isin(["human", "machine"])]
    rows = []
    for task, part in decided.groupby("task", sort=False):
        part = part.astype(object).assign(name=name_judges(part))
        if part["name"].nunique() < 2:
            continue
        known = select_named(part)
        correct = (
            known.assign(right=known["verdict"] == known["truth"])
            .set_index([*RESPONSE, "name"])["right"]
            .unstack()[list(dict.fromkeys(known["name"]))]
        )
        rows += [{"task": task} | row for row in compare_columns(correct, level, correction)]
    return tabulate(rows, "machine_judges", study=study.study, unit="response", reading=READING)


def name_judges(verdicts: pd.DataFrame) -> np.ndarray:
    """Name judges by cohort and pseudonym, which need not repeat task and cohort."""
    codes, judges = combine_columns(verdicts[["task", "cohort", "judge"]])
    names = [
        join_names((cohort, judge.removeprefix(f"{task}.{cohort}.")), SLASH)
        for task, cohort, judge in judges.itertuples(index=False, name=None)
    ]
    return np.array(names, object)[codes]


def compare_columns(
    correct: pd.DataFrame, level: float, correction: str | None = None
) -> list[dict[str, Any]]:
    """Compare judges, one per column (missing: not decided): one row for all and one per pair."""
    names = list(correct.columns)
    omnibus: dict[str, Any] = {"judge": "all", "other": "all", "test": "cochran_q"}
    if len(names) < 2:
        return [omnibus | {"note": f"{UNNAMED} of two machine judges or more"}]
    if len(names) > MAX_JUDGES:
        note = f"not computed: {len(names)} machine judges, at most {MAX_JUDGES} are compared"
        return [omnibus | {"note": note}]
    common = correct.dropna()
    whole = assess_cochran_q(common.astype(int).to_numpy())
    omnibus |= {"n": len(common), "statistic_name": "Q"} | whole._asdict()
    if whole.p != whole.p and len(common):
        omnibus["note"] = "not defined: they agree on every response"
    pairs = []
    for judge, rival in itertools.combinations(names, 2):
        first, second = correct[[judge, rival]].dropna().to_numpy(bool).T
        outcome = compare_paired_outcomes(first, second, level)
        row = {"judge": judge, "other": rival, "test": "mcnemar"} | outcome._asdict()
        pairs.append(row | {"k1": int(first.sum()), "k2": int(second.sum())})
    correct_family(pairs, correction)
    for row, who in zip([omnibus, *pairs], ["all", *["both"] * len(pairs)], strict=True):
        lost = len(correct) - row["n"]
        row["dropped"] = f"{lost} responses that not {who} decided" if lost else ""
        row["method"] = METHODS[row["test"]]
        if not row["n"]:
            who = "all of them" if who == "all" else who
            row["note"] = f"not computed: no response was decided by {who}"
    return [omnibus, *pairs]
