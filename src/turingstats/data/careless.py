"""Judges and trials that look careless: flagged for the reader, not left out."""

import pandas as pd


def flag_careless_judges(marked: pd.DataFrame) -> pd.DataFrame:
    """Flag judges and trials that look careless; they are not left out."""

    people = marked[marked["judge_kind"] == "human"]
    fast, slow = people["rt_ms"] < 200, people["rt_ms"] > 100_000
    by_judge = people.assign(fast=fast, slow=slow).groupby(
        ["study", "task", "cohort", "judge"], observed=True
    )
    sums = by_judge[["fast", "slow"]].sum().astype(int)
    sums = sums.assign(of=by_judge.size(), verdicts=by_judge["verdict"].nunique())
    rows = []
    for (study, task, cohort, judge), own in zip(sums.index, sums.to_dict("records"), strict=True):
        found = {
            "one verdict on every trial": own["of"] * (own["verdicts"] == 1),
            "verdict under 200 ms": own["fast"],
            "verdict after more than 100 s": own["slow"],
        }
        rows += [
            {
                "study": study,
                "task": task,
                "cohort": cohort,
                "judge": judge,
                "flag": flag,
                "number": number,
                "of": own["of"],
            }
            for flag, number in found.items()
            if number
        ]
    machines = marked[(marked["judge_kind"] != "human") & marked["reading"].isna()]
    columns_by = ["study", "task", "cohort", "judge"]
    for names, own in machines.groupby(columns_by, observed=True):
        verdicts = own.sort_values("trial", kind="stable")["verdict"].astype(str)
        longest = measure_longest_run(verdicts)
        most = verdicts.value_counts(normalize=True).max()
        # Upper bound on the probability of a run this long among this many independent verdicts.
        if most < 1 and len(verdicts) * (1 - most) * most**longest < 0.001:
            flag = {"flag": "same verdict in a row", "number": longest, "of": len(verdicts)}
            rows.append(dict(zip(columns_by, names, strict=True)) | flag)
    columns = ["study", "task", "cohort", "judge", "flag", "number", "of"]
    return pd.DataFrame(rows, columns=columns)


def measure_longest_run(values: pd.Series) -> int:
    """Return the length of the longest run of equal values."""
    return int(values.groupby((values != values.shift()).cumsum()).size().max())
