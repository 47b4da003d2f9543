"""Read and check ratings, items and distances."""

from pathlib import Path

from turingstats.config.ratings_study import RatingsStudy
from turingstats.config.raw_files import RawFile
from turingstats.core import files
from turingstats.core.errors import InputError, report_errors
from turingstats.ratings import own_ratings, raw_ratings

with report_errors(snakemake.log[0]):
    study = RatingsStudy(**snakemake.params.study)
    listed = files.read_frame(snakemake.input.sources)
    folder = Path(snakemake.params.folder)
    paths = {
        kind: folder / path for kind, path in zip(listed["format"], listed["path"], strict=True)
    }
    if "ratings" not in paths:
        raise InputError(
            folder, "no file of ratings", fix="list one with format: ratings in data/sources/"
        )
    named = [RawFile(**file) for file in snakemake.params.files if file["columns"]]
    named = {file.format: own_ratings.read_own_ratings(file, folder) for file in named}
    table = raw_ratings.read_ratings(paths["ratings"], study, named.get("ratings"))
    items = raw_ratings.read_items(paths.get("items"), table, list(study.tasks))
    raw_ratings.check_items(paths["ratings"], table, items)
    distances = raw_ratings.read_distances(paths.get("distances"), study, items)
    raw_ratings.build_rating_arrays(table, study, items, paths["ratings"])
    files.write_frame(table, snakemake.output.ratings)
    files.write_frame(items, snakemake.output.item_list)
    files.write_frame(distances, snakemake.output.distances)
    print(f"{len(table)} trials, {len(items)} items, {len(distances)} distances")
