"""Read and check similarity ratings, items and distances, and count the trials that are left out."""

from pathlib import Path

from turingstats.config.ratings_study import RatingsStudy
from turingstats.config.raw_files import RawFile
from turingstats.core import files
from turingstats.core.errors import InputError, report_errors
from turingstats.ratings import own_ratings, raw_ratings
from turingstats.stages.obtain import list_raw_files

with report_errors(snakemake.log[0]):
    params, output = snakemake.params, snakemake.output
    present, missing = list_raw_files(params.raw)
    study, folder = RatingsStudy(**params.study), Path(params.raw["folder"])
    paths = {
        kind: folder / path for kind, path in zip(present["format"], present["path"], strict=True)
    }
    if "ratings" not in paths:
        raise InputError(
            folder, "no file of ratings", fix="list one with format: ratings in data/sources/"
        )
    named = [RawFile(**file) for file in params.raw["files"] if file["columns"]]
    named = {file.format: own_ratings.read_own_ratings(file, folder) for file in named}
    table = raw_ratings.read_ratings(paths["ratings"], study, named.get("ratings"))
    items = raw_ratings.read_items(paths.get("items"), table, list(study.tasks))
    raw_ratings.check_items(paths["ratings"], table, items)
    distances = raw_ratings.read_distances(paths.get("distances"), study, items)
    arrays = raw_ratings.build_rating_arrays(table, study, items, paths["ratings"])
    account = raw_ratings.log_rating_exclusions(table, arrays, study, items)
    files.write_frame(present, output.sources)
    files.write_frame(missing, output.missing)
    files.write_frame(table, output.ratings)
    files.write_frame(items, output.item_list)
    files.write_frame(distances, output.distances)
    files.write_frame(account.assign(data=params.data), output.exclusions)
    print(f"{len(table)} trials, {len(items)} items, {len(distances)} distances")
    print(account.to_string(index=False))
