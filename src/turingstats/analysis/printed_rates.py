"""Intervals of printed pass rates, from the counts that the printed numbers imply.

The rates are the paper's, not estimates from choices. A rate and its number of choices suffice for
Wilson's interval, which assumes independent choices. Rates with unknown counts are listed without one.
"""

import pandas as pd

from turingstats.config.study import Study
from turingstats.core.data_labels import PRINTED_COUNTS
from turingstats.data.schema import RESULTS
from turingstats.stats.intervals import wilson

KEYS = ["agent", "cohort", "exchanges", "history"]
METHOD = "Wilson intervals, choices as independent; none, and no n, where the print does not give counts away"
KNOWN = ("printed", "implied")
BOTH = "both"


def measure_printed_rates(
    printed: pd.DataFrame, design: pd.DataFrame, study: Study, level: float
) -> pd.DataFrame:
    """Add counts and intervals to printed rates, one row per rate of a setting (variant) or of both.

    `design` has n_judgments and n_missed of each setting, and `basis`, whose first word says where they
    come from: printed, implied (by the rates) or assumed. Counts for both settings are sums.
    """
    settings = design[design["basis"].str.split(":").str[0].isin(KNOWN)]
    settings = settings.rename(columns={"n_missed": "k", "n_judgments": "n"})
    sums = settings.groupby(KEYS, as_index=False, sort=False).agg(
        {"k": "sum", "n": "sum", "basis": "first", "variant": "size"}
    )
    sums = sums[sums["variant"] == 2].assign(variant=BOTH)
    columns = [*KEYS, "variant", "k", "n", "basis"]
    counted = pd.concat([settings[columns], sums[columns]])
    table = printed.merge(counted, "left", on=[*KEYS, "variant"]).rename(
        columns={"rate": "printed", "claim_id": "rate_id"}
    )
    low, high = wilson(table["k"].to_numpy(float), table["n"].to_numpy(float), level)
    table["basis"] = table["basis"].fillna("not known: no small counts print as these rates")
    # The rows of a printed table vary either the history or the length of the test.
    varied = table.groupby("location")["history"].transform("nunique") > 1
    at = (table["exchanges"].astype(str) + " turns").where(
        ~varied, table["history"].astype(str) + " turns of history"
    )
    return table.assign(
        label=[
            f"{study.agents[a].label}, {words}" for a, words in zip(table["agent"], at, strict=True)
        ],
        # Where the counts are known, the rate is more precise than the printed one.
        value=(table["k"] / table["n"]).fillna(table["printed"].astype(float)),
        ci_low=low,
        ci_high=high,
        method=METHOD,
        data=PRINTED_COUNTS,
    )[RESULTS["printed_rates"]]
