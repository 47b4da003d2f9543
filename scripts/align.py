"""Align the systems of a study of similarity ratings, in both readings."""

from pathlib import Path

from turingstats import alignment, files, ratings
from turingstats.errors import reported
from turingstats.ratings_study import RatingsStudy

with reported(snakemake.log[0]):
    study = RatingsStudy(**snakemake.params.study)
    table = files.read(snakemake.input.ratings)
    items = ratings.read_list(snakemake.input.item_list)
    distances = files.read(snakemake.input.distances)
    found = ratings.cubes(table, study, items)
    tables = alignment.analyse(study, items, found, distances, snakemake.params.options)
    for path in snakemake.output:
        name = Path(path).stem
        files.write(tables[name].assign(data=snakemake.params.data), path)
        print(f"{name}: {len(tables[name])} rows")
