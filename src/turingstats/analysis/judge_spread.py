"""How much judges differ: each judge's share of correct verdicts, next to the range expected by chance.

Tests over judges are based on these shares. Even in a homogeneous cohort the shares would differ, because
each judge gave few verdicts; `compute_homogeneous_range` says by how much.
"""

import itertools

import numpy as np
import pandas as pd
from scipy.special import bdtr

from turingstats.config.study import Study
from turingstats.data.schema import RESULTS
from turingstats.stats.crossed import MIN_UNITS

TRUTHS = ("human", "machine")


def tabulate_judge_shares(
    counts: pd.DataFrame, study: Study, reading: str, level: float, data: str
) -> pd.DataFrame:
    """List each judge's share of correct verdicts on people's and on machines' responses.

    k of n verdicts (without `unsure`) were correct. unit is judges, or sessions if the source does not
    name judges; alike_low and alike_high, the range that holds a share `level` of judges who are all
    alike, are the same for all judges of a cohort. Human judges only. Pooled cohorts are left out, since
    their judges would be shown twice, and so are cohorts of fewer than `MIN_UNITS` judges. A choice between
    a person's and a machine's response counts as one verdict, on the machine's.
    """
    verdicts = counts[
        (counts["reading"] == reading)
        & (counts["group_by"] == "all")
        & (counts["judge_kind"] == "human")
    ]
    truth = np.where(verdicts["agent"] == "human", "human", "machine")
    decided = verdicts["n_human"] + verdicts["n_machine"]
    right = verdicts["n_human"].where(truth == "human", verdicts["n_machine"])
    keys = [verdicts["task"], verdicts["cohort"], pd.Series(truth, verdicts.index, name="truth")]
    by_place = dict(iter(verdicts.assign(k=right, n=decided).groupby(keys)))
    tables = []
    for task, described in study.tasks.items():
        for (cohort, declared), truth in itertools.product(described.cohorts.items(), TRUTHS):
            own = by_place.get((task, cohort, truth))
            if own is not None and not declared.pools:
                names = {"task": task, "task_label": described.label, "truth": truth}
                names |= {"cohort": cohort, "cohort_label": declared.label}
                unit = "sessions" if declared.unnamed else "judges"
                tables.append(describe_judges(own, level).assign(**names, unit=unit))
    whole = pd.concat([pd.DataFrame(), *tables]).assign(level=level, reading=reading, data=data)
    return whole.reindex(columns=RESULTS["judge_spread"])


def describe_judges(verdicts: pd.DataFrame, level: float) -> pd.DataFrame:
    """Describe the shares of judges who gave verdicts, and their range by chance; empty if they are few."""
    judges = verdicts.groupby("judge")[["k", "n"]].sum()
    judges = judges[judges["n"] > 0].reset_index()
    if len(judges) < MIN_UNITS:
        return judges[:0]
    low, high = compute_homogeneous_range(judges["k"].to_numpy(), judges["n"].to_numpy(), level)
    return judges.assign(value=judges["k"] / judges["n"], alike_low=low, alike_high=high)


def compute_homogeneous_range(k: np.ndarray, n: np.ndarray, level: float) -> tuple[float, float]:
    """Compute the range of judges' shares if all judges had the same probability of being right.

    Its ends are the quantiles of the mixture of binomial distributions (n of each judge, pooled p) that
    cut off (1 - level) / 2 at either end; each n is at least 1.
    """
    p = k.sum() / n.sum()
    sizes, judges = np.unique(n, return_counts=True)
    shares = np.unique(np.concatenate([np.arange(size + 1) / size for size in sizes]))
    # Rounding errors must not reduce a share of k/n to less than k.
    reached = np.floor(shares[:, None] * sizes + 1e-9)
    below = (bdtr(reached, sizes, p) * judges).sum(axis=1) / judges.sum()
    tail = (1 - level) / 2
    low = shares[np.searchsorted(below, tail + 1e-12)]
    high = shares[np.searchsorted(below, 1 - tail - 1e-12)]
    return float(low), float(high)
