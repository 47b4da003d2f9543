"""Account for the trials of each system, and for what is left out."""

from turingstats.config.ratings_study import RatingsStudy
from turingstats.core import files
from turingstats.core.errors import reported
from turingstats.ratings import raw_ratings

with reported(snakemake.log[0]):
    study = RatingsStudy(**snakemake.params.study)
    table = files.read(snakemake.input.ratings)
    items = raw_ratings.read_list(snakemake.input.item_list)
    account = raw_ratings.account(table, raw_ratings.cubes(table, study, items), study, items)
    files.write(account.assign(data=snakemake.params.data), snakemake.output[0])
    print(account.to_string(index=False))
