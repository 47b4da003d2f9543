"""Whether people who judge well in one task also judge well in another, for people who judged in both.

A pair of tasks is compared on the two cohorts that share the most people, so that differences between
cohort protocols are not mistaken for differences between people. The recommended reading is used.
"""

import itertools
from collections.abc import Collection, Iterator, Sequence

import numpy as np
import pandas as pd

from turingstats.analysis.settings import AnalysisSettings
from turingstats.config.study import Study
from turingstats.core.labels import format_with_interval
from turingstats.stats import intervals, resampling, shared_abilities

MIN_PEOPLE = 10
"""Minimum number of people in both tasks; pairs with fewer are left out."""
PAIRS = [
    "pair_id", "task_a", "cohort_a", "task_b", "cohort_b", "n_people", "n_people_a", "n_people_b",
    "n_trials", "quantity", "correlation", "ci_low", "ci_high", "ability_correlation",
    "ability_low", "ability_high", "ability_p", "sd_a", "sd_b", "note", "method", "data",
]  # fmt: skip
POINTS = [
    "pair_id", "task_a", "task_a_label", "cohort_a_label", "task_b", "task_b_label",
    "cohort_b_label", "person", "k_a", "n_a", "value_a", "low_a", "high_a", "k_b", "n_b", "value_b",
    "low_b", "high_b", "n_people", "correlation", "ci_low", "ci_high", "ability_correlation",
    "ability_low", "ability_high", "note", "level", "reading", "data",
]  # fmt: skip
TABLE = [
    "Tasks", "Judges", "People in both", "Verdicts of these", "Correlation of accuracies",
    "Correlation of abilities", "Note",
]  # fmt: skip
METHOD = (
    "Pearson correlation of shares of right verdicts, percentile interval from {draws} bootstraps of people; "
    "abilities: bivariate normal in log odds, verdicts binomial, maximum likelihood with {step} x {step} "
    "equal steps, everyone of both cohorts, interval by profile likelihood, p by likelihood ratio"
)


def score_people(counts: pd.DataFrame, study: Study) -> dict[tuple[str, str], pd.DataFrame]:
    """Count correct verdicts k of n (without `unsure`) by person in human, not pooled, cohorts."""
    verdicts = counts[
        (counts["reading"] == choose_reading(study))
        & (counts["group_by"] == "all")
        & (counts["judge_kind"] == "human")
        & counts["person"].notna()
        & (counts["person"] != "")
    ]
    right = verdicts["n_human"].where(verdicts["agent"] == "human", verdicts["n_machine"])
    counted = verdicts.assign(k=right, n=verdicts["n_human"] + verdicts["n_machine"])
    people_by_cohort = {}
    for (task, cohort), rows in counted.groupby(["task", "cohort"], sort=False):
        if not study.tasks[task].cohorts[cohort].pools:
            people = rows.groupby("person")[["k", "n"]].sum()
            people_by_cohort[task, cohort] = people[people["n"] > 0]
    return people_by_cohort


def choose_reading(study: Study) -> str:
    """Return the recommended reading, or the only one of a study without it."""
    return "recommended" if "recommended" in study.readings else study.readings[0]


def choose_cohort_pairs(
    people: dict[tuple[str, str], pd.DataFrame],
    study: Study,
    same_rows: Collection[Sequence[str]],
) -> Iterator[tuple[tuple[str, str], tuple[str, str]]]:
    """Choose for each pair of tasks, except `same_rows`, the two cohorts that share the most people."""
    for one, other in itertools.combinations(study.tasks, 2):
        if {(one, other), (other, one)} & set(map(tuple, same_rows)):
            continue
        cohorts = [[cohort for cohort in people if cohort[0] == task] for task in (one, other)]
        sizes = {
            (a, b): len(people[a].index.intersection(people[b].index))
            for a, b in itertools.product(*cohorts)
        }
        best = max(sizes, key=sizes.get, default=None)
        if best and sizes[best] >= MIN_PEOPLE:
            yield best


def correlate_tasks(
    counts: pd.DataFrame,
    study: Study,
    same_rows: Collection[Sequence[str]],
    config: AnalysisSettings,
) -> pd.DataFrame:
    """Correlate how well people judge in every pair of tasks that share at least `MIN_PEOPLE` of them.

    The columns are `PAIRS` except `data`. `correlation` is that of shares of correct verdicts; with few
    verdicts per person it is smaller than that of abilities (`ability_correlation`).
    """
    people, rows = score_people(counts, study), []
    for a, b in choose_cohort_pairs(people, study, same_rows):
        both = people[a].index.intersection(people[b].index).sort_values()
        shares = np.array([(people[cohort]["k"] / people[cohort]["n"])[both] for cohort in (a, b)])
        name = f"{a[0]}.{b[0]}"
        rng = resampling.make_generator(config["seed"], f"bootstrap across tasks {name}")
        drawn = resample_correlations(shares, config["n_bootstrap"], rng)
        _, low, high = resampling.summarize_draws(drawn, config["confidence"])
        everyone = people[a].index.union(people[b].index).sort_values()
        k, n = (
            np.column_stack(
                [people[cohort][what].reindex(everyone, fill_value=0) for cohort in (a, b)]
            )
            for what in "kn"
        )
        ability = shared_abilities.correlate_abilities(k, n, config["confidence"])
        rows.append(
            {
                "pair_id": name,
                "task_a": a[0],
                "cohort_a": a[1],
                "task_b": b[0],
                "cohort_b": b[1],
                "n_people": len(both),
                "n_people_a": len(people[a]),
                "n_people_b": len(people[b]),
                "n_trials": int(sum(people[cohort]["n"][both].sum() for cohort in (a, b))),
                "quantity": "accuracy",
                "correlation": correlate_shares(shares),
                "ci_low": float(low),
                "ci_high": float(high),
                "ability_correlation": ability.correlation,
                "ability_low": ability.low,
                "ability_high": ability.high,
                "ability_p": ability.p,
                "sd_a": ability.sd[0],
                "sd_b": ability.sd[1],
                "note": ability.note.replace("task 1", a[0]).replace("task 2", b[0]),
                "method": METHOD.format(
                    draws=config["n_bootstrap"], step=len(shared_abilities.NODES)
                ),
            }
        )
    return pd.DataFrame(rows, columns=[c for c in PAIRS if c != "data"])


def correlate_shares(shares: np.ndarray) -> float:
    """Compute the Pearson correlation of two rows; NaN if one of them does not vary."""
    if (np.ptp(shares, axis=1) < 1e-12).any():
        return float("nan")
    return float(np.corrcoef(shares)[0, 1])


def resample_correlations(shares: np.ndarray, draws: int, rng: np.random.Generator) -> np.ndarray:
    """Compute the correlation of two rows of shares in each draw of people with replacement."""
    one, other = shares[:, rng.integers(0, shares.shape[1], (draws, shares.shape[1]))]
    one, other = (x - x.mean(axis=1, keepdims=True) for x in (one, other))
    size = np.sqrt((one**2).sum(axis=1) * (other**2).sum(axis=1))
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(size > 1e-12, (one * other).sum(axis=1) / size, np.nan)


def list_points(
    counts: pd.DataFrame, pairs: pd.DataFrame, study: Study, level: float, data: str
) -> pd.DataFrame:
    """List each person's share of correct verdicts in both tasks of a pair, the source data of the figure."""
    people, parts = score_people(counts, study), []
    for pair in pairs.to_dict("records"):
        cohorts = {side: (pair[f"task_{side}"], pair[f"cohort_{side}"]) for side in "ab"}
        both = people[cohorts["a"]].index.intersection(people[cohorts["b"]].index).sort_values()
        rows = pd.DataFrame(
            {"person": both, **{name: pair[name] for name in set(PAIRS) & set(pair)}}
        )
        for side, (task, cohort) in cohorts.items():
            shares = people[task, cohort].loc[both]
            k, n = shares["k"].to_numpy(), shares["n"].to_numpy()
            low, high = intervals.wilson(k, n, level)
            rows[f"k_{side}"], rows[f"n_{side}"], rows[f"value_{side}"] = k, n, k / n
            rows[f"low_{side}"], rows[f"high_{side}"] = low, high
            rows[f"task_{side}_label"] = study.tasks[task].label
            rows[f"cohort_{side}_label"] = study.tasks[task].cohorts[cohort].label
        parts.append(rows.assign(level=level, reading=choose_reading(study), data=data))
    if not parts:
        return pd.DataFrame(columns=POINTS)
    return pd.concat(parts, ignore_index=True)[POINTS]


def tabulate_pairs(pairs: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Make the table of pairs of tasks, with cells as text."""
    rows = []
    for row in pairs.to_dict("records"):
        a, b = (study.tasks[row[f"task_{side}"]] for side in "ab")
        judges = a.cohorts[row["cohort_a"]].label, b.cohorts[row["cohort_b"]].label
        ability = [row[f"ability_{name}"] for name in ("correlation", "low", "high")]
        cells = (
            f"{a.label} and {b.label}",
            "; ".join(dict.fromkeys(judges)),
            f"{row['n_people']:,}",
            f"{row['n_trials']:,}",
            format_with_interval(row["correlation"], row["ci_low"], row["ci_high"]),
            format_with_interval(*ability),
            row["note"],
        )
        rows.append(dict(zip(TABLE, cells, strict=True)))
    return pd.DataFrame(rows, columns=TABLE)
