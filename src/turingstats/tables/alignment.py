"""Tables of a study of similarity ratings: alignments of all pairs of systems, and items."""

import pandas as pd

from turingstats.config.study import AlignmentTable, Study
from turingstats.core.data_labels import is_generated
from turingstats.core.labels import find_alpha
from turingstats.tables.formats import Filled

MISSING = "\N{EN DASH}"
PRINTED_FIRST = ": as printed, and in brackets from generated ratings"
"""Ends the title of a table whose printed numbers are known while the ratings are not."""


def fill_table(
    name: str,
    items: pd.DataFrame,
    alignment: pd.DataFrame,
    results: dict[str, pd.DataFrame],
    study: Study,
    reading: str,
    level: float,
    data: str,
) -> Filled:
    """Fill a table of the study file; `results` are the tables that the paper prints."""
    table = study.tables[name]
    if not isinstance(table, AlignmentTable):
        return Filled(list_items(study, items))
    frame = format_alignment_matrix(study, table.task, alignment, reading, find_alpha(level))
    printed = results[name]
    if printed is None or not is_generated(data):
        return Filled(frame)
    return Filled(put_printed_first(frame, study, printed), table.title + PRINTED_FIRST)


def list_items(study: Study, items: pd.DataFrame) -> pd.DataFrame:
    """List items, their categories, and the tasks that they belong to."""
    table = items[["item", "category"]].rename(columns=str.capitalize)
    for task, described in study.tasks.items():
        table[described.label] = items[task].map({True: "yes", False: MISSING})
    return table


def format_alignment_matrix(
    study: Study, task: str, alignment: pd.DataFrame, reading: str, alpha: float
) -> pd.DataFrame:
    """Format the alignments of all pairs of systems; a dash without significance."""
    whole = alignment["task"].eq(task) & alignment["reading"].eq(reading)
    rows = alignment[whole & alignment["pairs"].eq("all")]
    cells = {}
    for row in rows.itertuples():
        text = f"{row.value:.3f}" if row.p_adjusted < alpha else MISSING
        cells[row.system_a, row.system_b] = cells[row.system_b, row.system_a] = text
    systems = [
        name for name in ("human", *study.tasks[task].agents) if any(name in pair for pair in cells)
    ]
    label = {name: study.agents[name].label for name in systems}
    return pd.DataFrame(
        {"System": label[one]}
        | {label[other]: "1.000" if one == other else cells[one, other] for other in systems}
        for one in systems
    )


def put_printed_first(frame: pd.DataFrame, study: Study, printed: pd.DataFrame) -> pd.DataFrame:
    """Put printed alignments (row, column, rho) first, and those of generated ratings in brackets.

    An empty rho is printed as a dash. A cell of neither the row nor the column is not printed.
    """
    label = study.agent_labels
    cells = {
        (label[cell["row"]], label[cell["column"]]): MISSING
        if pd.isna(cell["rho"])
        else f"{cell['rho']:.3f}"
        for cell in printed.to_dict("records")
    }
    frame = frame.set_index("System")
    for one in frame.index:
        for other in frame.columns.drop(one):
            first = cells.get((one, other)) or cells.get((other, one), "not printed")
            frame.loc[one, other] = f"{first} [{frame.loc[one, other]}]"
    return frame.reset_index()
