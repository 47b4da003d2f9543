"""What is shown of a study of similarity ratings: the numbers of each figure, and the tables."""

from typing import Any

from turingstats.config.study import AlignmentTable
from turingstats.core import files
from turingstats.figures import source_data
from turingstats.ratings import figure_numbers, tables
from turingstats.ratings.arrays import build_rating_arrays, read_item_list
from turingstats.ratings.systems import arrange_systems
from turingstats.stages.panels import write_panels
from turingstats.stages.results import Results


def show_ratings(results: Results, notes: dict[str, Any]) -> None:
    """Write everything that is shown, except pictures; `notes` as for `panels.list_panels`."""
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
    write_panels(results, notes)
    for name, table in study.tables.items():
        if isinstance(table, AlignmentTable):
            alignment = statistics["alignment"]
            frame = tables.format_alignment_matrix(study, table.task, alignment, reading)
        else:
            frame = tables.list_items(study, items)
        results.write_table(name, frame, table.title)
