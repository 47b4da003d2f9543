"""What is shown of a study of similarity ratings: the numbers of each figure, and the tables."""

from typing import Any

from turingstats.core.data_labels import PRINTED_TABLE
from turingstats.figures import source_data
from turingstats.ratings import figure_numbers, printed_alignments
from turingstats.ratings import tables as rating_tables
from turingstats.stages.panels import write_panels
from turingstats.stages.results import Results
from turingstats.stages.similarity import read_arrays


def show_results(results: Results, notes: dict[str, Any]) -> None:
    """Write everything that is shown, except pictures; `notes` as for `panels.list_panels`."""
    study = results.study
    items, arrays = read_arrays(results.folder / "data", study)
    tables = {
        name: results.read_statistics(name)
        for name in ("alignment", "agreement", "individuals", "map")
    }
    tables["distances"] = results.read("data/distances.parquet")
    # A paper may print no alignments.
    tables["printed"] = None
    if "statistics/printed_alignments" in results.made:
        printed, listed = map(results.read_published, ("alignments", "items"))
        table = printed_alignments.rank_printed_alignments(printed, listed, study)
        results.write_statistics("printed_alignments", table)
        tables["printed"] = results.read_statistics("printed_alignments")
    for name, figure in study.figures.items():
        numbers = figure_numbers.select_numbers(
            figure, study, items, arrays, tables, results.reading, results.level, results.data
        )
        source_data.write_source_data(numbers, results.folder / f"figures/{name}.csv")
        print(f"figure {name}: {len(numbers)} numbers")
    write_panels(results, notes)
    for name, title in study.tables.items():
        frame = rating_tables.fill_table(
            name, study, items, tables["alignment"], results.reading, tables["printed"]
        )
        data = PRINTED_TABLE if name == rating_tables.PRINTED else results.data
        results.write_table(name, frame, title, data=data)
