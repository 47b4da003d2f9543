"""Tables of a study of similarity ratings."""

import pandas as pd

from turingstats.config.study import Study

MISSING = "\N{EN DASH}"


def list_items(study: Study, items: pd.DataFrame) -> pd.DataFrame:
    """List items, their categories, and the tasks that they belong to."""
    table = items[["item", "category"]].rename(columns=str.capitalize)
    for task, described in study.tasks.items():
        table[described.label] = items[task].map({True: "yes", False: MISSING})
    return table


def format_alignment_matrix(
    study: Study, task: str, alignment: pd.DataFrame, reading: str
) -> pd.DataFrame:
    """Format the alignments of all pairs of systems; a dash where the corrected p is 0.05 or more."""
    whole = alignment["task"].eq(task) & alignment["reading"].eq(reading)
    rows = alignment[whole & alignment["pairs"].eq("all")]
    cells = {}
    for row in rows.itertuples():
        text = f"{row.value:.3f}" if row.p_adjusted < 0.05 else MISSING
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
