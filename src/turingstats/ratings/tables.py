"""Tables of a study of similarity ratings."""

import pandas as pd

from turingstats.config.ratings_study import RatingsStudy
from turingstats.core.errors import ConfigError
from turingstats.ratings import printed_alignments

PRINTED = "printed"
MISSING = "\N{EN DASH}"


def fill_table(
    name: str,
    study: RatingsStudy,
    items: pd.DataFrame,
    alignment: pd.DataFrame,
    reading: str,
    printed: pd.DataFrame | None = None,
) -> pd.DataFrame:
    """Fill a table with texts: tableS1 and items are the items, printed the ranked alignments that the paper
    prints, and the n-th of the other names the alignments of the n-th task.
    """
    if name == PRINTED:
        if printed is None:
            raise ConfigError(f"tables.{name}: the paper of {study.study} prints no alignments")
        return printed_alignments.tabulate_alignments(printed, study)
    if name in ("tableS1", "items"):
        return list_items(study, items)
    matrices = [other for other in study.tables if other not in ("tableS1", "items", PRINTED)]
    number = matrices.index(name)
    if number >= len(study.tasks):
        raise ConfigError(f"tables.{name}: study {study.study} has only {len(study.tasks)} tasks")
    return format_alignment_matrix(study, list(study.tasks)[number], alignment, reading)


def list_items(study: RatingsStudy, items: pd.DataFrame) -> pd.DataFrame:
    """List items, their categories, and the tasks that they belong to."""
    table = items[["item", "category"]].rename(columns=str.capitalize)
    for task, described in study.tasks.items():
        table[described.label] = items[task].map({True: "yes", False: MISSING})
    return table


def format_alignment_matrix(
    study: RatingsStudy, task: str, alignment: pd.DataFrame, reading: str
) -> pd.DataFrame:
    """Format the alignments of all pairs of systems; a dash where the corrected p is 0.05 or more."""

    task_alignments = alignment[
        (alignment["task"] == task)
        & (alignment["reading"] == reading)
        & (alignment["pairs"] == "all")
    ]
    cells = {}
    for row in task_alignments.itertuples():
        text = f"{row.value:.3f}" if row.p_adjusted < 0.05 else MISSING
        cells[row.system_a, row.system_b] = cells[row.system_b, row.system_a] = text
    present = {*task_alignments["system_a"], *task_alignments["system_b"]}
    systems = [name for name in study.tasks[task].systems if name in present]
    label = {name: study.systems[name].label for name in systems}
    rows = [
        {"System": label[one]}
        | {label[other]: "1.000" if one == other else cells[one, other] for other in systems}
        for one in systems
    ]
    return pd.DataFrame(rows)
