"""Tables of shares by agent and levels of a condition: pass rates, and genders that judges attributed."""

from decimal import Decimal

import pandas as pd

from turingstats.config.study import GenderTable, RateTable, Study
from turingstats.core.labels import parse_decimal

ALL, BOTH = "all", "Both"
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


def build_gender_table(
    table: GenderTable, study: Study, genders: pd.DataFrame, lacking: str, reading: str
) -> pd.DataFrame:
    """Fill a table of genders: share judged female in percent with its interval, and answers."""
    task = study.tasks[table.task]
    cohort_rows = genders[
        (genders["task"] == table.task)
        & (genders["reading"] == reading)
        & genders["group_by"].isin([ALL, table.by])
        & genders["judges_by"].isin([ALL, table.judges])
    ]
    rows_by_id = cohort_rows.set_index("gender_id")
    levels = list(dict.fromkeys(cohort_rows["group"])) or [ALL]
    groups = list(dict.fromkeys(cohort_rows["judges"])) or [ALL]
    rows = []
    for name, cohort in task.cohorts.items():
        if cohort.judge_kind != "human" or cohort.pools:
            continue
        for agent in ("human", ALL, *(a for a in cohort.agents if a != "machine")):
            for level in levels:
                row = {
                    "Judges": cohort.label,
                    "Speaker": "All machines" if agent == ALL else study.agents[agent].label,
                    table.label: level,
                }
                ids = {g: f"{table.task}.{name}.{level}.{agent}.{g}" for g in groups}
                # People do not speak in M-M; a speaker without any answers keeps one row.
                if level != ALL and ids[ALL] not in rows_by_id.index:
                    continue
                for group, key in ids.items():
                    heading = f"{group} judges".capitalize()
                    share = rows_by_id.loc[key] if key in rows_by_id.index else None
                    shown = (lacking, "") if share is None else format_gender_share(share)
                    row[f"{heading}: female (%)"], row[f"{heading}: answers (judges)"] = shown
                rows.append(row)
    return pd.DataFrame(rows)


def format_gender_share(share: pd.Series) -> tuple[str, str]:
    """Format a share in percent with its interval, and the answers and judges that it is based on."""
    value, low, high = (100 * share[name] for name in ("value", "ci_low", "ci_high"))
    return f"{value:.1f} [{low:.1f}, {high:.1f}]", f"{share['n']:,.0f} ({share['n_judges']:,.0f})"
