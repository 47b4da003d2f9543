"""What is shown of a study of similarity ratings: the numbers of each figure, and the tables."""

from typing import Any

import pandas as pd

from turingstats.config.study import AlignmentTable, Study
from turingstats.core import files
from turingstats.core.data_labels import is_generated
from turingstats.core.labels import find_alpha
from turingstats.figures import source_data
from turingstats.ratings import figure_numbers
from turingstats.ratings.arrays import build_rating_arrays, read_item_list
from turingstats.ratings.systems import arrange_systems
from turingstats.stages.results import Results

MISSING = "\N{EN DASH}"
PRINTED_FIRST = ": as printed, and in brackets from generated ratings"
"""Ends the title of a table whose printed numbers are known while the ratings are not."""


def show_ratings(results: Results, notes: dict[str, Any]) -> None:
    """Write everything that is shown, except pictures; `notes` as for `Results.write_inventory`."""
    study, reading = results.study, results.reading
    items = read_item_list(results.folder / "data/items.csv")
    ratings = files.read_frame(results.folder / "data/ratings.parquet")
    arrays = build_rating_arrays(ratings, study, items)
    distances = results.read("data/distances.parquet")
    arranged = {
        task: arrange_systems(study, task, reading, arrays, distances, items)
        for task in study.tasks
    }
    statistics = {
        name: table[table["reading"] == reading]
        for name in ("alignment", "agreement", "individuals")
        for table in [results.read_statistics(name)]
    }
    for name, figure in study.figures.items():
        numbers = figure_numbers.select_numbers(
            figure, study, arranged, statistics, results.level, results.data
        )
        source_data.write_source_data(numbers, results.folder / f"figures/{name}.csv")
        print(f"figure {name}: {len(numbers)} numbers")
    results.write_inventory(notes)
    for name, table in study.tables.items():
        title = table.title
        if isinstance(table, AlignmentTable):
            alignment = statistics["alignment"]
            frame = format_alignment_matrix(
                study, table.task, alignment, reading, find_alpha(results.level)
            )
            printed = results.read_published(name) if is_generated(results.data) else None
            if printed is not None:
                title += PRINTED_FIRST
                frame = put_printed_first(frame, study, printed)
        else:
            frame = list_items(study, items)
        results.write_table(name, frame, title)


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
    label = {name: agent.label for name, agent in study.agents.items()}
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
