"""Count the trials of each system, and those that are left out, by reason."""

from turingstats.config.ratings_study import RatingsStudy
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.ratings import raw_ratings

with report_errors(snakemake.log[0]):
    study = RatingsStudy(**snakemake.params.study)
    table = files.read_frame(snakemake.input.ratings)
    items = raw_ratings.read_item_list(snakemake.input.item_list)
    account = raw_ratings.log_rating_exclusions(
        table, raw_ratings.build_rating_arrays(table, study, items), study, items
    )
    files.write_frame(account.assign(data=snakemake.params.data), snakemake.output[0])
    print(account.to_string(index=False))
