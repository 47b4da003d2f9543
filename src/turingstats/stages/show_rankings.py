"""What is shown of a study of pairs: the numbers of its figure, and its tables."""

from typing import Any

import pandas as pd

from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.labels import format_with_interval, use_minus_signs
from turingstats.report.headings import TITLES
from turingstats.stages.results import Results


def show_rankings(results: Results, notes: dict[str, Any]) -> None:
    """Write everything that is shown, except pictures; `notes` as for `Results.write_inventory`."""
    strengths = results.read_statistics("strengths")
    names = add_labels(strengths, results.study)
    shown = names.assign(level=results.level, data=results.data)
    files.write_frame(shown, results.folder / "figures/ranking.csv")
    results.write_table("ranking", format_ranking(names), TITLES["ranking"])
    pairs = add_labels(results.read_statistics("differences"), results.study)
    results.write_table("win_rates", format_win_rates(names, pairs), TITLES["win_rates"])
    results.write_inventory(notes)


def add_labels(table: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Add the labels of tasks, cohorts and agents."""
    labels = {name: agent.label for name, agent in study.agents.items()}
    cohorts = [
        study.tasks[task].cohorts[cohort].label
        for task, cohort in zip(table["task"], table["cohort"], strict=True)
    ]
    return table.assign(
        task_label=[study.tasks[task].label for task in table["task"]],
        cohort_label=cohorts,
        **{
            f"{name}_label": table[name].map(labels) for name in ("agent", "other") if name in table
        },
    )


def format_ranking(strengths: pd.DataFrame) -> pd.DataFrame:
    """Format the ranking: one row per agent; agents with a letter in common are not told apart."""
    rows, noted = [], strengths["note"].notna().any()
    for row in strengths.fillna({"note": "", "group": ""}).itertuples():
        ranked = row.rank == row.rank
        rows.append(
            {
                "Task": row.task_label,
                "Judges": row.cohort_label,
                "Agent": row.agent_label,
                "Rank": f"{row.rank:.0f} ({row.rank_low:.0f} to {row.rank_high:.0f})"
                if ranked
                else "",
                "Strength": show(row.value, row.ci_low, row.ci_high),
                "Group": row.group,
                "Wins against": row.against if ranked else "",
                "Probability": show(row.win_probability, row.win_low, row.win_high),
                "Comparisons": f"{row.n:,}",
                "Won": f"{row.wins:,}",
                "Tied": f"{row.ties:,}",
            }
            | ({"Note": row.note} if noted else {})
        )
    return drop_constant(pd.DataFrame(rows), "Task", "Judges")


def show(value: float, low: float, high: float) -> str:
    """Format a number with its interval; empty if there is none."""
    return use_minus_signs(format_with_interval(value, low, high)) if value == value else ""


def format_win_rates(strengths: pd.DataFrame, pairs: pd.DataFrame) -> pd.DataFrame:
    """Format how often the agent of a row won against that of a column, in percent, in the order of ranks."""
    rows = []
    for keys, ranked in strengths[strengths["rank"].notna()].groupby(
        ["task_label", "cohort_label"], sort=False
    ):
        of = pairs[(pairs["task_label"] == keys[0]) & (pairs["cohort_label"] == keys[1])]
        rate = {
            (a, b): value
            for a, b, value in zip(
                of["agent_label"], of["other_label"], of["win_rate"], strict=True
            )
        }
        rate |= {(b, a): 1 - value for (a, b), value in rate.items()}
        for one in ranked["agent_label"]:
            cells = {
                other: f"{rate[one, other]:.0%}"
                if rate.get((one, other), float("nan")) >= 0
                else ""
                for other in ranked["agent_label"]
            }
            rows.append({"Task": keys[0], "Judges": keys[1], "Agent": one} | cells)
    columns = ["Task", "Judges", "Agent"]
    return drop_constant(
        pd.DataFrame(rows, columns=None if rows else columns).fillna(""), *columns[:2]
    )


def drop_constant(table: pd.DataFrame, *columns: str) -> pd.DataFrame:
    """Leave out those of some columns that are the same in all rows."""
    return table.drop(columns=[name for name in columns if table[name].nunique() < 2])
