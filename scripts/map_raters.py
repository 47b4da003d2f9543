"""Place the raters of a study of similarity ratings on maps."""

from turingstats.config.ratings_study import RatingsStudy
from turingstats.core import files
from turingstats.core.errors import reported
from turingstats.ratings import embedding_map, raw_ratings

with reported(snakemake.log[0]):
    study = RatingsStudy(**snakemake.params.study)
    table = files.read(snakemake.input.ratings)
    items = raw_ratings.read_list(snakemake.input.item_list)
    distances = files.read(snakemake.input.distances)
    found = raw_ratings.cubes(table, study, items)
    places = embedding_map.places(study, items, found, distances, snakemake.params.seed)
    files.write(places.assign(data=snakemake.params.data), snakemake.output[0])
    print(f"{len(places)} places")
