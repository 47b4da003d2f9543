"""Tables of pass rates: agents and levels of a condition by cohorts and levels of another condition."""

from decimal import Decimal

import pandas as pd

from turingstats.config.study import RateTable, Study
from turingstats.core.labels import parse_decimal

BOTH = "Both"
WILSON = "\N{DAGGER}"


def build_pass_rates(
    table: RateTable, study: Study, estimates: pd.DataFrame, lengths: pd.DataFrame, reading: str
) -> pd.DataFrame:
    """Fill a table of pass rates, P(H|M) in percent."""
    task = study.tasks[table.task]
    task_estimates = estimates[
        (estimates["task"] == table.task)
        & (estimates["reading"] == reading)
        & (estimates["quantity"] == "p_HM")
    ]
    rates = task_estimates.set_index("estimate_id").to_dict("index")
    words = {} if lengths is None else lengths.set_index("length_id")["difference"].to_dict()
    levels = task_estimates.loc[task_estimates["group_by"] == table.by, "group"].unique()
    levels = sorted(levels, key=rank_level)
    across = list(task_estimates.loc[task_estimates["group_by"] == table.across, "group"].unique())
    across = sorted(across, key=table.order.index) if table.order else across
    rows = []
    for agent in task.agents:
        for level in levels:
            row = {"Model": study.agents[agent].label, table.label: level}
            for other in across:
                difference = words.get(f"{table.task}.{level}/{other}.{agent}")
                if difference is not None:
                    row[f"Words: {other}"] = f"{difference:+.1f}"
            for name, cohort in task.cohorts.items():
                for other in (*across, BOTH):
                    group = level if other == BOTH else f"{level}/{other}"
                    rate = rates.get(f"{table.task}.{name}.{group}.{agent}.p_HM")
                    row[f"{cohort.label}: {other.lower()}"] = format_rate(rate, reading)
            rows.append(row)
    return pd.DataFrame(rows)


def rank_level(level: str) -> tuple[Decimal, str]:
    """Rank a level: numbers by their size, other levels as 0 and in alphabetical order."""
    return parse_decimal(level) or Decimal(0), level


def format_rate(rate: dict[str, str], reading: str) -> str:
    """Format a rate in percent with its error; empty without trials."""
    if rate is None or not rate["n"]:
        return ""
    value = 100 * rate["value"]
    if reading == "published":
        return f"{value:.1f} ± {100 * rate['se']:.1f}"
    ends, mark = (rate["ci_low"], rate["ci_high"]), ""
    if ends[0] != ends[0]:
        ends, mark = (rate["wilson_low"], rate["wilson_high"]), WILSON
    low, high = (100 * end for end in ends)
    return f"{value:.1f} [{low:.1f}, {high:.1f}]{mark}"
