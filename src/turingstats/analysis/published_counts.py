"""Results from the counts that a paper prints: rates with intervals, and contrasts between them.

Some papers print how often each agent was judged human, and in how many trials, but do not publish the
trials. `data/published/<study>/counts.csv` holds these numbers as printed. They determine the number of
successes, the interval of each rate, and every binomial regression with agents as its only predictor.
All results from them have "published counts" in the column `data`: the data are neither generated nor
observed here.

A printed rate is compatible with every count that rounds to it. The nearest one is used; statistics are
given for it and, as `low` and `high`, for the ends of the range of compatible counts.
"""

import math
from decimal import ROUND_HALF_DOWN, Decimal
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike
from scipy.special import logit, ndtri

from turingstats.analysis.rows import tabulate
from turingstats.config.study import Agent, Study
from turingstats.core.checked_csv import check_allowed, check_each, read_checked
from turingstats.core.data_labels import PRINTED_COUNTS as DATA
from turingstats.core.labels import parse_decimal
from turingstats.data.schema import RESULTS
from turingstats.stats import equivalence
from turingstats.stats.crossed import compute_two_sided_p
from turingstats.stats.effects import compute_log_odds
from turingstats.stats.intervals import wilson
from turingstats.stats.multiplicity import correct_family

PRINTED_COLUMNS = [
    "task",
    "subset",
    "agent",
    "rate",
    "n",
    "location",
    "finer_rate",
    "finer_location",
]


def analyze_counts(
    path: Path,
    estimates: pd.DataFrame,
    study: Study,
    reading: str,
    options: dict[str, Any],
    data: str,
) -> dict[str, pd.DataFrame]:
    """Compute rates and contrasts from printed counts and from judgments, and equivalence from the former."""
    level, correction = options["confidence"], options["correction"]
    table = estimate_printed_rates(read_counts(path, study.agents), study, level)
    observed = count_observed_verdicts(estimates, study.subsets, reading)
    rates = [table, estimate_observed_rates(observed, study, level, data)]
    contrasts = [
        compute_contrasts(table, study, level, correction=correction),
        compute_contrasts(observed, study, level, "judgments", data, correction),
    ]
    whole = table[table["subset"] == next(iter(study.subsets))]
    return {
        "success_rates": pd.concat(rates),
        "contrasts": pd.concat(contrasts),
        "printed_equivalence": judge_equivalence(whole, study, options),
    }


def read_counts(path: Path, agents: dict[str, Agent]) -> pd.DataFrame:
    """Read a table of printed rates, as text, and numbers of trials.

    A missing column, and an agent or number that is not valid, is an error.
    """
    checks = {
        "agent": check_allowed(
            sorted(agents), "name an agent of the study file", "not an agent of the study"
        ),
        "n": check_each(
            lambda text: text.isdigit() and int(text) > 0,
            "not a whole number above 0",
            "write the printed number of trials",
        ),
        "rate": check_each(
            is_share, "not a share from 0 to 1", "write the printed share, such as 0.22"
        ),
        "finer_rate": check_each(
            lambda text: text == "" or is_share(text),
            "not a share from 0 to 1",
            "write the share as printed elsewhere, or leave it empty",
        ),
    }
    what, docs = "table of printed counts", "docs/published_counts.md"
    return read_checked(path, PRINTED_COLUMNS, checks, what=what, docs=docs)


def is_share(text: str) -> bool:
    """Return whether a text is a number from 0 to 1."""
    value = parse_decimal(text)
    return value is not None and 0 <= value <= 1


def infer_count(rate: str, n: int) -> tuple[int, int, int, bool]:
    """Infer the counts of successes that a printed rate is compatible with: nearest, low, high, possible.

    The number of decimals of the rate, as text, shows how it was rounded. `nearest` is the count nearest
    to ``rate * n`` (the lower one of two equally near counts); `low` and `high` are the ends of the range
    of counts whose rate rounds to the printed one. If there is no such count, it is not `possible` and
    both equal `nearest`.
    """
    printed = Decimal(rate)
    half = Decimal(1).scaleb(int(printed.as_tuple().exponent)) / 2
    nearest = int((printed * n).to_integral_value(ROUND_HALF_DOWN))
    low = max(0, math.ceil((printed - half) * n))
    high = min(n, math.floor((printed + half) * n))
    if low > high:
        return nearest, nearest, nearest, False
    return nearest, low, high, True


def estimate_printed_rates(printed: pd.DataFrame, study: Study, level: float) -> pd.DataFrame:
    """Estimate rate and interval for every printed count.

    `value` is k / n, with Wilson's interval for independent trials; `k_low` and `k_high` bound the
    compatible counts; `possible` is no where no count rounds to the rate.
    """
    inferred = [
        infer_count(finer or rate, int(n))
        for rate, finer, n in zip(printed["rate"], printed["finer_rate"], printed["n"], strict=True)
    ]
    k, k_low, k_high, possible = zip(*inferred, strict=True)
    finer = printed["finer_rate"] != ""
    table = printed.assign(
        count_id=printed["task"] + "." + printed["subset"] + "." + printed["agent"],
        source=DATA,
        location=printed["location"]
        + (", " + printed["finer_location"]).where(finer & (printed["finer_location"] != ""), ""),
        printed=printed["finer_rate"].where(finer, printed["rate"]),
        n=printed["n"].astype(int),
        k=k,
        k_low=k_low,
        k_high=k_high,
        possible=np.where(possible, "yes", "no"),
        method="count nearest to rate x n; Wilson interval, trials as independent",
    )
    return add_rates(table, study, level, DATA)


def estimate_observed_rates(
    table: pd.DataFrame, study: Study, level: float, data: str
) -> pd.DataFrame:
    """Estimate the same rates from the available judgments; ids begin with "judgments"."""
    keys = zip(table["task"], table["subset"], table["agent"], strict=True)
    table = table.assign(
        count_id=[f"judgments.{task}.{subset}.{agent}" for task, subset, agent in keys],
        source="judgments",
        method="Wilson interval, trials as independent",
    )
    return add_rates(table, study, level, data)


def add_rates(table: pd.DataFrame, study: Study, level: float, data: str) -> pd.DataFrame:
    """Add rates with Wilson's interval to counts `k` of `n` by agent."""
    low, high = wilson(table["k"], table["n"], level)
    return table.assign(
        study=study.study,
        agent_label=[study.agents[agent].label for agent in table["agent"]],
        value=table["k"] / table["n"],
        ci_low=low,
        ci_high=high,
        level=level,
        data=data,
    ).reindex(columns=RESULTS["success_rates"])


def judge_equivalence(table: pd.DataFrame, study: Study, options: dict[str, Any]) -> pd.DataFrame:
    """Test from counts alone whether each agent is equivalent to people or to chance.

    There is one subset per task, and trials count as independent. Panels of listed rows use agent_label,
    `value` (the difference) and `category` (the conclusion).
    """
    rows = []
    for row in table.to_dict("records"):
        shared = {"study": study.study, "task": row["task"], "cohort": row["subset"]}
        shared |= {"judge_kind": "human", "agent": row["agent"], "group_by": "all"}
        quantity = "p_HH" if row["agent"] == "human" else "p_HM"
        counted = {key: row[key] for key in ("n", "k")} | {"value": row["k"] / row["n"]}
        for name in (quantity, "detectability"):
            # How judges differ is not known, so there is no error from resampling them.
            unknown = dict.fromkeys(("se", "n_judges", "n_stimuli"), math.nan)
            about = {"quantity": name, "reading": "recommended"}
            rows.append(shared | counted | unknown | about)
    judged = equivalence.assess_agents(pd.DataFrame(rows), options)
    return judged.rename(columns={"cohort": "subset"}).assign(
        equivalence_id="published_counts." + judged["equivalence_id"],
        agent_label=[study.agents[name].label for name in judged["agent"]],
        value=judged["difference"],
        category=judged["conclusion"],
        method=f"margin {options['margin']:g}; trials as independent, four added (Agresti and Caffo)",
        data=DATA,
    )[RESULTS["printed_equivalence"]]


class LogOdds(NamedTuple):
    """Contrasts of log odds and their Wald tests; arrays of shape (...)."""

    value: np.ndarray
    se: np.ndarray
    z: np.ndarray
    p: np.ndarray


def contrast_log_odds(
    k1: ArrayLike,
    n1: ArrayLike,
    k2: ArrayLike | None = None,
    n2: ArrayLike | None = None,
    against: float = 0.5,
) -> LogOdds:
    """Compute contrasts of a binomial regression with agents as its only predictor.

    Such a regression is saturated, so for each agent the estimate is ``log(k / (n - k))`` and its
    variance ``1 / k + 1 / (n - k)``, the same as from R's glm; nan where a count is 0 or n, since the log
    odds are then infinite. Without a second agent (k2, n2), the rate is compared with `against`.
    """
    value, variance = compute_log_odds(k1, n1)
    reference = (logit(against), 0.0) if k2 is None else compute_log_odds(k2, n2)
    value, se = value - reference[0], np.sqrt(variance + reference[1])
    return LogOdds(value, se, value / se, compute_two_sided_p(value, se))


def compute_contrasts(
    table: pd.DataFrame,
    study: Study,
    level: float,
    source: str = DATA,
    data: str = DATA,
    correction: str | None = None,
) -> pd.DataFrame:
    """Compute every declared contrast of the rates of agents; ids begin with the source of the counts.

    If `first` is all, there is one contrast per agent, and these are a family (`correct_family`).
    """
    rows = []
    for contrast in study.contrasts:
        place = {"task": contrast.task, "subset": contrast.subset}
        rates = table[(table[[*place]] == list(place.values())).all(axis=1)].set_index("agent")
        several = contrast.first == "all"
        if several:
            firsts = rates.drop(index=["human", contrast.second], errors="ignore")
        else:
            firsts = rates[rates.index == contrast.first]
        if firsts.empty or not (contrast.second is None or contrast.second in rates.index):
            continue
        second = rates.loc[contrast.second] if contrast.second else None
        tests = compare_counts(firsts, second, contrast.against, level).to_dict("records")
        for test in tests:
            name = [source.replace(" ", "_"), contrast.id, *[test["first"]] * several]
            test |= place | {"contrast_id": ".".join(name), "second": contrast.second}
        if several:
            correct_family(tests, correction)
        rows += tests
    return tabulate(rows, "contrasts", study=study.study, source=source, data=data)


def compare_counts(
    firsts: pd.DataFrame, second: pd.Series | None, against: float, level: float
) -> pd.DataFrame:
    """Contrast agents with another, or with a rate, and find the range over compatible counts."""
    k2, n2 = (None, None) if second is None else (second["k"], second["n"])
    tested = contrast_log_odds(firsts["k"], firsts["n"], k2, n2, against)
    # The extremes occur where the compatible rates are nearest to or farthest from each other.
    ends = [
        contrast_log_odds(firsts[end], firsts["n"], k_other, n2, against)
        for end in ("k_low", "k_high")
        for k_other in ((None,) if second is None else (second["k_low"], second["k_high"]))
    ]
    z, p = (np.array([getattr(end, name) for end in ends]) for name in "zp")
    reach = ndtri(0.5 + level / 2) * tested.se
    return pd.DataFrame(
        {
            "first": firsts.index,
            "against": against if second is None else None,
            "k1": firsts["k"].to_numpy(),
            "n1": firsts["n"].to_numpy(),
            "k2": k2,
            "n2": n2,
            "log_odds": tested.value,
            "se": tested.se,
            "z": tested.z,
            "z_low": z.min(axis=0),
            "z_high": z.max(axis=0),
            "p": tested.p,
            "p_low": p.min(axis=0),
            "p_high": np.where((z.min(axis=0) < 0) & (z.max(axis=0) > 0), 1.0, p.max(axis=0)),
            "odds_ratio": np.exp(tested.value),
            "ci_low": np.exp(tested.value - reach),
            "ci_high": np.exp(tested.value + reach),
            "method": "binomial regression, Wald test of the log odds; trials as independent",
            "note": np.where(
                np.isfinite(tested.z), "", "a count of 0 or of all trials: no finite log odds"
            ),
        }
    )


def count_observed_verdicts(
    estimates: pd.DataFrame, subsets: dict[str, tuple[str, str] | None], reading: str
) -> pd.DataFrame:
    """Get the same counts from the available judgments, for the same contrasts.

    `subsets` gives, by subset of the printed table, the condition and its level; None means all trials.
    """
    rates = estimates[estimates["reading"] == reading]
    rates = rates[(rates["agent"] == "human") == (rates["quantity"] == "p_HH")]
    rates = rates[
        rates["quantity"].isin(["p_HH", "p_HM"]) & (rates["agent"] != "all") & (rates["n"] > 0)
    ]
    tables = []
    for subset, at_level in subsets.items():
        group_by, group = at_level or ("all", "all")
        part = rates[(rates["group_by"] == group_by) & (rates["group"].astype(str) == group)]
        tables.append(part.assign(subset=subset))
    table = pd.concat(tables)[["task", "subset", "agent", "n", "k"]]
    table = table.astype({"n": int, "k": int})
    return table.assign(k_low=table["k"], k_high=table["k"])
