"""The statistics of a study of similarity ratings."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

from turingstats.config.ratings_study import RatingsStudy
from turingstats.core import files
from turingstats.core.parallel import call_in_parallel
from turingstats.ratings import embedding_map, raw_ratings
from turingstats.ratings.analysis import analyze_ratings


def read_arrays(folder: Path, study: RatingsStudy) -> tuple[Any, Any]:
    """Read the items, and the ratings as arrays."""
    items = raw_ratings.read_item_list(folder / "items.csv")
    ratings = files.read_frame(folder / "ratings.parquet")
    return items, raw_ratings.build_rating_arrays(ratings, study, items)


def align_systems(study: RatingsStudy, folder: Path, options: dict[str, Any]) -> dict[str, Any]:
    """Align systems with people, in both readings."""
    items, arrays = read_arrays(folder, study)
    distances = files.read_frame(folder / "distances.parquet")
    return analyze_ratings(study, items, arrays, distances, options)


def place_raters(study: RatingsStudy, folder: Path, options: dict[str, Any]) -> dict[str, Any]:
    """Place raters on maps."""
    items, arrays = read_arrays(folder, study)
    distances = files.read_frame(folder / "distances.parquet")
    return {"map": embedding_map.place_raters(study, items, arrays, distances, options["seed"])}


def make_tables(
    function: Any, study: RatingsStudy, folder: Path, options: dict[str, Any]
) -> dict[str, Any]:
    """Call a function that makes tables."""
    return function(study, folder, options)


def write_statistics(
    study: RatingsStudy,
    folder: Path,
    paths: Collection[str],
    options: dict[str, Any],
    data: str,
    workers: int,
) -> None:
    """Compute and write tables of statistics/, as the names of `paths` say, from the files of `folder`."""
    functions = (align_systems, place_raters)
    made = call_in_parallel(
        make_tables, [(function, study, folder, options) for function in functions], workers
    )
    tables = made[0] | made[1]
    for path in map(Path, paths):
        files.write_frame(tables[path.stem].assign(data=data), path)
        print(f"{path.stem}: {len(tables[path.stem])} rows")
