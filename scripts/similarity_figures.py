"""Pick the numbers that each figure of a study of similarity ratings shows."""

from pathlib import Path

from turingstats.config.ratings_study import RatingsStudy
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.figures import source_data
from turingstats.ratings import figure_numbers, raw_ratings

with report_errors(snakemake.log[0]):
    params = snakemake.params
    study = RatingsStudy(**params.study)
    items = raw_ratings.read_item_list(snakemake.input.item_list)
    arrays = raw_ratings.build_rating_arrays(
        files.read_frame(snakemake.input.ratings), study, items
    )
    results = {
        name: files.read_frame(snakemake.input[name])
        for name in ("alignment", "agreement", "individuals", "map", "distances")
    }
    # A paper may print no alignments.
    results["printed"] = (
        files.read_frame(snakemake.input.printed[0]) if snakemake.input.printed else None
    )
    for path in snakemake.output:
        name = Path(path).stem
        table = figure_numbers.select_numbers(
            study.figures[name],
            study,
            items,
            arrays,
            results,
            params.reading,
            params.level,
            params.data,
        )
        source_data.write_source_data(table, path)
        print(f"{name}: {len(table)} numbers")
