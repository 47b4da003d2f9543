"""Tables of the genders that judges attributed to speakers: speakers and levels by who judged."""

import pandas as pd

from turingstats.config.study import GenderTable, Study

ALL = "all"


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
                    shown = (lacking, "") if share is None else format_share(share)
                    row[f"{heading}: female (%)"], row[f"{heading}: answers (judges)"] = shown
                rows.append(row)
    return pd.DataFrame(rows)


def format_share(share: pd.Series) -> tuple[str, str]:
    """Format a share in percent with its interval, and the answers and judges that it is based on."""
    value, low, high = (100 * share[name] for name in ("value", "ci_low", "ci_high"))
    return f"{value:.1f} [{low:.1f}, {high:.1f}]", f"{share['n']:,.0f} ({share['n_judges']:,.0f})"
