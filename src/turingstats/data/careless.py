"""Judges and trials that look careless: flagged for the reader, not left out."""

import pandas as pd

JUDGE = ["study", "task", "cohort", "judge"]


def flag_careless_judges(marked: pd.DataFrame) -> pd.DataFrame:
    """Flag people with one verdict on every trial, or with verdicts under 200 ms or over 100 s, and machine
    judges with runs of one verdict that would occur by chance in fewer than one in a thousand files."""
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
    machines = marked[(marked["judge_kind"] != "human") & marked["reading"].isna()]
    for judge, own in machines.groupby(JUDGE, observed=True):
        verdicts = own.sort_values("trial", kind="stable")["verdict"].astype(str)
        longest = int(verdicts.groupby((verdicts != verdicts.shift()).cumsum()).size().max())
        most = verdicts.value_counts(normalize=True).max()
        # Upper bound on the probability of a run this long among this many independent verdicts.
        if most < 1 and len(verdicts) * (1 - most) * most**longest < 0.001:
            rows.append((*judge, "same verdict in a row", longest, len(verdicts)))
    return pd.DataFrame(rows, columns=[*JUDGE, "flag", "number", "of"])
