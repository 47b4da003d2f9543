"""Align the systems of a study of similarity ratings, in both readings."""

from pathlib import Path

from turingstats.config.ratings_study import RatingsStudy
from turingstats.core import files
from turingstats.core.errors import reported
from turingstats.ratings import raw_ratings
from turingstats.ratings.analysis import analyse

with reported(snakemake.log[0]):
    study = RatingsStudy(**snakemake.params.study)
    table = files.read(snakemake.input.ratings)
    items = raw_ratings.read_list(snakemake.input.item_list)
    distances = files.read(snakemake.input.distances)
    found = raw_ratings.cubes(table, study, items)
    tables = analyse(study, items, found, distances, snakemake.params.options)
    for path in snakemake.output:
        name = Path(path).stem
        files.write(tables[name].assign(data=snakemake.params.data), path)
        print(f"{name}: {len(tables[name])} rows")
