"""Read and check ratings, items and distances."""

from pathlib import Path

from turingstats import files, ratings
from turingstats.errors import InputError, reported
from turingstats.ratings_study import RatingsStudy

with reported(snakemake.log[0]):
    study = RatingsStudy(**snakemake.params.study)
    listed = files.read(snakemake.input.sources)
    folder = Path(snakemake.params.folder)
    paths = {
        kind: folder / path for kind, path in zip(listed["format"], listed["path"], strict=True)
    }
    if "ratings" not in paths:
        raise InputError(
            folder, "no file of ratings", remedy="list one with format: ratings in data/sources/"
        )
    table = ratings.read_ratings(paths["ratings"], study)
    items = ratings.read_items(paths.get("items"), table, list(study.tasks))
    ratings.check_items(paths["ratings"], table, items)
    distances = ratings.read_distances(paths.get("distances"), study, items)
    ratings.cubes(table, study, items, paths["ratings"])
    files.write(table, snakemake.output.ratings)
    files.write(items, snakemake.output.item_list)
    files.write(distances, snakemake.output.distances)
    print(f"{len(table)} trials, {len(items)} items, {len(distances)} distances")
