"""Printed alignments of systems with people: ranks of correlations and differences from the best.

This does not require public ratings. Intervals are not given: pairs of items share items, so the error of
a correlation is not that of equally many independent pairs, and estimating it would require the ratings.
"""

import pandas as pd

from turingstats.config.ratings_study import RatingsStudy
from turingstats.core.data_labels import PRINTED_TABLE

COLUMNS = [
    "printed_id",
    "study",
    "task",
    "reference",
    "pairs",
    "system",
    "label",
    "family",
    "printed",
    "location",
    "n_items",
    "n_pairs",
    "rank",
    "of",
    "below_best",
    "data",
]
PAIRS = ("all", "within", "between")


def rank_printed_alignments(
    printed: pd.DataFrame, items: pd.DataFrame, study: RatingsStudy
) -> pd.DataFrame:
    """Rank the systems of each task, reference and kind of pairs by their printed alignment: 1 for the
    largest, ties share the better rank, and `below_best` is the difference from the largest.
    """

    rows = {}
    for row in printed.to_dict("records"):
        references = study.tasks[row["task"]].references
        ends = row["system_a"], row["system_b"]
        # An alignment of two references compares people's words with images, so it is not ranked.
        ends = ends if ends[0] in references else ends[::-1]
        if ends[0] not in references or ends[1] in references:
            continue
        rows[row["task"], ends[0], row["pairs"], ends[1]] = row
    sizes = {
        task: int(items["sets"].str.split().map(lambda tasks, task=task: task in tasks).sum())
        for task in study.tasks
    }
    table = pd.DataFrame(
        {
            "printed_id": f"{task}.{reference}.{system}.{pairs}",
            "study": study.study,
            "task": task,
            "reference": reference,
            "pairs": pairs,
            "system": system,
            "label": study.systems[system].label,
            "family": study.systems[system].family,
            "printed": row["rho"],
            "location": row["location"],
            "n_items": sizes[task],
            "n_pairs": sizes[task] * (sizes[task] - 1) // 2 if pairs == "all" else None,
        }
        for (task, reference, pairs, system), row in rows.items()
    ).reindex(columns=COLUMNS)
    by = table.groupby(["task", "reference", "pairs"], sort=False)["printed"]
    return table.assign(
        rank=by.rank(method="min", ascending=False).astype(int),
        of=by.transform("size"),
        below_best=(by.transform("max") - table["printed"]).round(6),
        data=PRINTED_TABLE,
    )


def tabulate_alignments(measured: pd.DataFrame, study: RatingsStudy) -> pd.DataFrame:
    """Make a table of ranked alignments, with cells as text and the best aligned system first."""

    by = ["task", "reference", "system"]
    wide = measured.pivot_table(index=by, columns="pairs", values="printed", sort=False)
    wide = wide.reindex(columns=list(PAIRS))
    whole = measured[measured["pairs"] == "all"].set_index(by)
    rows = []
    for key in sorted(whole.index, key=lambda key: find_row_order(key, whole, study)):
        row = whole.loc[key]
        rows.append(
            {
                "Task": study.tasks[key[0]].label,
                "With": study.systems[key[1]].label,
                "Rank": f"{row['rank']} of {row['of']}",
                "System": row["label"],
                "Alignment": f"{row['printed']:.3f}",
                "Below the best": f"{row['below_best']:.3f}",
                "Within categories": format_correlation(wide.loc[key, "within"]),
                "Between categories": format_correlation(wide.loc[key, "between"]),
                "Printed in": row["location"],
            }
        )
    return pd.DataFrame(rows)


def find_row_order(
    key: tuple[str, str, str], whole: pd.DataFrame, study: RatingsStudy
) -> tuple[int, int, int]:
    """Find the sort key of a row: task, reference and rank."""
    return (
        list(study.tasks).index(key[0]),
        list(study.systems).index(key[1]),
        whole.loc[key, "rank"],
    )


def format_correlation(value: float) -> str:
    """Format a correlation as text; empty if none is printed."""
    return "" if value != value else f"{value:.3f}"
