"""Tables of a study of pairs: the ranking of agents, and how often each won against each."""

import pandas as pd

from turingstats.config.study import Study
from turingstats.core.labels import format_limits, format_with_interval, use_minus_signs
from turingstats.figures.model_source_data import add_labels


def format_ranking(strengths: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Format the ranking: one row per agent; agents with a letter in common are not told apart."""
    strengths = add_labels(strengths, study).fillna({"note": "", "group": "", "no_limit": ""})
    labels = dict(zip(strengths["agent"], strengths["agent_label"], strict=True))
    rows, noted = [], (strengths["note"] != "").any()
    for row in strengths.itertuples():
        ranked = row.rank == row.rank
        rows.append(
            {
                "Task": row.task_label,
                "Judges": row.cohort_label,
                "Aspect": row.aspect,
                "Agent": row.agent_label,
                "Rank": f"{row.rank:.0f} ({row.rank_low:.0f} to {row.rank_high:.0f})"
                if ranked
                else "",
                "Strength": format_limits(row.value, row.ci_low, row.ci_high, row.no_limit)
                if ranked
                else "",
                "Group": row.group,
                "Compared with": labels.get(row.against, row.against) if ranked else "",
                "Expected score": show(row.expected_score, row.score_low, row.score_high),
                "Chosen": show_share(row.win_probability),
                "Tie": show_share(row.tie_probability),
                "Comparisons": f"{row.n:,}",
                "Won": f"{row.wins:,}",
                "Tied": f"{row.ties:,}",
            }
            | ({"Note": row.note} if noted else {})
        )
    table = drop_constant(pd.DataFrame(rows), "Task", "Judges", "Aspect")
    # Without ties, the expected score is how often an agent is chosen.
    return table if strengths["ties"].any() else table.drop(columns=["Chosen", "Tie", "Tied"])


def show_share(value: float) -> str:
    """Format a share; empty if there is none."""
    return f"{value:.2f}" if value == value else ""


def show(value: float, low: float, high: float) -> str:
    """Format a number with its interval; empty if there is none."""
    return use_minus_signs(format_with_interval(value, low, high)) if value == value else ""


def format_win_rates(strengths: pd.DataFrame, pairs: pd.DataFrame, study: Study) -> pd.DataFrame:
    """Format how often the agent of a row won against that of a column, in percent, in the order of ranks."""
    keys = {
        "task_label": "Task",
        "cohort_label": "Judges",
        "aspect": "Aspect",
        "agent_label": "Agent",
    }
    strengths, pairs = add_labels(strengths, study), add_labels(pairs, study)
    pairs = pairs.dropna(subset="win_rate")
    swapped = pairs.rename(columns={"agent_label": "other_label", "other_label": "agent_label"})
    rates = pd.concat([pairs, swapped.assign(win_rate=1 - pairs["win_rate"])])
    rates["win_rate"] = rates["win_rate"].map("{:.0%}".format)
    won = rates.pivot(index=[*keys], columns="other_label", values="win_rate")
    ranked = strengths.loc[strengths["rank"].notna(), [*keys]]
    table = ranked.join(won.reindex(columns=ranked["agent_label"].unique()), on=[*keys])
    return drop_constant(table.rename(columns=keys).fillna(""), "Task", "Judges", "Aspect")


def drop_constant(table: pd.DataFrame, *columns: str) -> pd.DataFrame:
    """Leave out those of some columns that are the same in all rows."""
    return table.drop(columns=[name for name in columns if table[name].nunique() < 2])
