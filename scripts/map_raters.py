"""Place the raters of a study of similarity ratings on maps."""

from turingstats.config.ratings_study import RatingsStudy
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.ratings import embedding_map, raw_ratings

with report_errors(snakemake.log[0]):
    study = RatingsStudy(**snakemake.params.study)
    table = files.read_frame(snakemake.input.ratings)
    items = raw_ratings.read_item_list(snakemake.input.item_list)
    distances = files.read_frame(snakemake.input.distances)
    arrays = raw_ratings.build_rating_arrays(table, study, items)
    places = embedding_map.place_raters(study, items, arrays, distances, snakemake.params.seed)
    files.write_frame(places.assign(data=snakemake.params.data), snakemake.output[0])
    print(f"{len(places)} places")
