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
from turingstats.core.labels import format_p, format_with_interval
from turingstats.stats import intervals, multiplicity, resampling, shared_abilities
from turingstats.stats.signal_detection import d_prime

NAN = float("nan")
MIN_PEOPLE = 10
"""Minimum number of people in both tasks; pairs with fewer are left out."""
PAIRS = [
    "pair_id", "task_a", "cohort_a", "task_b", "cohort_b", "n_people", "n_people_a", "n_people_b",
    "n_trials", "quantity", "correlation", "ci_low", "ci_high", "d_prime_correlation",
    "d_prime_low", "d_prime_high", "n_d_prime", "ability_correlation", "ability_low", "ability_high",
    "ability_p", "ability_p_adjusted", "family_size", "sd_a", "sd_b", "note", "method", "data",
]  # fmt: skip
POINTS = [
    "pair_id", "task_a", "task_a_label", "cohort_a_label", "task_b", "task_b_label",
    "cohort_b_label", "person", "k_a", "n_a", "value_a", "low_a", "high_a", "k_b", "n_b", "value_b",
    "low_b", "high_b", "n_people", "correlation", "ci_low", "ci_high", "ability_correlation",
    "ability_low", "ability_high", "ability_p_adjusted", "note", "level", "reading", "data",
]  # fmt: skip
TABLE = [
    "Tasks", "Judges", "People in both", "Verdicts of these", "Correlation of accuracies",
    "Correlation of d'", "Correlation of abilities", "p, Holm", "Note",
]  # fmt: skip
FOUR = ("k_human", "n_human", "k_machine", "n_machine")
"""Right verdicts and trials by whose response was judged."""
METHOD = (
    "Pearson correlations of shares of right verdicts and of d' (log-linear rates, without people who always "
    "answer alike), percentile intervals from {draws} bootstraps of people; "
    "abilities: bivariate normal in log odds, verdicts binomial, maximum likelihood with {step} x {step} "
    "equal steps, everyone of both cohorts, interval by profile likelihood, p by likelihood ratio, Holm's "
    "correction over the pairs of tasks"
)


def score_people(counts: pd.DataFrame, study: Study) -> dict[tuple[str, str], pd.DataFrame]:
    """Count correct verdicts k of n (without `unsure`) by person in human, not pooled, cohorts, with d'."""
    verdicts = counts[
        (counts["reading"] == choose_reading(study))
        & (counts["group_by"] == "all")
        & (counts["judge_kind"] == "human")
        & counts["person"].notna()
        & (counts["person"] != "")
    ]
    right = verdicts["n_human"].where(verdicts["agent"] == "human", verdicts["n_machine"])
    counted = verdicts.assign(k=right, n=verdicts["n_human"] + verdicts["n_machine"])
    of_people = counted["agent"] == "human"
    for side, chosen in (("human", of_people), ("machine", ~of_people)):
        counted[f"k_{side}"], counted[f"n_{side}"] = (counted[c].where(chosen, 0) for c in "kn")
    people_by_cohort = {}
    for (task, cohort), rows in counted.groupby(["task", "cohort"], sort=False):
        if not study.tasks[task].cohorts[cohort].pools:
            people = rows.groupby("person")[["k", "n", *FOUR]].sum()
            people["d_prime"] = d_prime(*(people[name] for name in FOUR))
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
        correlation, low, high = bootstrap_correlation(shares, name, config)
        d_primes = np.array([people[cohort].loc[both, "d_prime"] for cohort in (a, b)])
        d_primes = d_primes[:, np.isfinite(d_primes).all(axis=0)]
        of_d_prime = bootstrap_correlation(d_primes, f"{name} d_prime", config)
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
                "correlation": correlation,
                "ci_low": low,
                "ci_high": high,
                "d_prime_correlation": of_d_prime[0],
                "d_prime_low": of_d_prime[1],
                "d_prime_high": of_d_prime[2],
                "n_d_prime": d_primes.shape[1],
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
    table = pd.DataFrame(rows, columns=[c for c in PAIRS if c != "data"])
    table["ability_p_adjusted"] = multiplicity.adjust_p_values(table["ability_p"], "holm")
    table["family_size"] = int(table["ability_p"].notna().sum())
    return table


def bootstrap_correlation(
    values: np.ndarray, name: str, config: AnalysisSettings
) -> tuple[float, float, float]:
    """Correlate two rows, with a percentile interval from bootstraps of people; NaN for fewer than three."""
    if values.shape[1] < 3:
        return NAN, NAN, NAN
    rng = resampling.make_generator(config["seed"], f"bootstrap across tasks {name}")
    drawn = resample_correlations(values, config["n_bootstrap"], rng)
    _, low, high = resampling.summarize_draws(drawn, config["confidence"])
    return correlate_rows(values), float(low), float(high)


def correlate_rows(values: np.ndarray) -> float:
    """Compute the Pearson correlation of two rows; NaN if one of them does not vary."""
    if (np.ptp(values, axis=1) < 1e-12).any():
        return NAN
    return float(np.corrcoef(values)[0, 1])


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
            format_with_interval(
                *(row[f"d_prime_{name}"] for name in ("correlation", "low", "high"))
            ),
            format_with_interval(*ability),
            format_p(row["ability_p_adjusted"]),
            row["note"],
        )
        rows.append(dict(zip(TABLE, cells, strict=True)))
    return pd.DataFrame(rows, columns=TABLE)
