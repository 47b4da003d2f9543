"""Place the raters of a study of similarity ratings on maps."""

from turingstats import files, maps, ratings
from turingstats.errors import reported
from turingstats.ratings_study import RatingsStudy

with reported(snakemake.log[0]):
    study = RatingsStudy(**snakemake.params.study)
    table = files.read(snakemake.input.ratings)
    items = ratings.read_list(snakemake.input.item_list)
    distances = files.read(snakemake.input.distances)
    found = ratings.cubes(table, study, items)
    places = maps.places(study, items, found, distances, snakemake.params.seed)
    files.write(places.assign(data=snakemake.params.data), snakemake.output[0])
    print(f"{len(places)} places")
