"""Align the systems of a study of similarity ratings, in both readings."""

from pathlib import Path

from turingstats.config.ratings_study import RatingsStudy
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.ratings import raw_ratings
from turingstats.ratings.analysis import analyze_ratings

with report_errors(snakemake.log[0]):
    study = RatingsStudy(**snakemake.params.study)
    table = files.read_frame(snakemake.input.ratings)
    items = raw_ratings.read_item_list(snakemake.input.item_list)
    distances = files.read_frame(snakemake.input.distances)
    arrays = raw_ratings.build_rating_arrays(table, study, items)
    tables = analyze_ratings(study, items, arrays, distances, snakemake.params.options)
    for path in snakemake.output:
        name = Path(path).stem
        files.write_frame(tables[name].assign(data=snakemake.params.data), path)
        print(f"{name}: {len(tables[name])} rows")
