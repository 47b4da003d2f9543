"""Account for the trials of each system, and for what is left out."""

from turingstats import files, ratings
from turingstats.errors import reported
from turingstats.ratings_study import RatingsStudy

with reported(snakemake.log[0]):
    study = RatingsStudy(**snakemake.params.study)
    table = files.read(snakemake.input.ratings)
    items = ratings.read_list(snakemake.input.item_list)
    account = ratings.account(table, ratings.cubes(table, study, items), study, items)
    files.write(account.assign(data=snakemake.params.data), snakemake.output[0])
    print(account.to_string(index=False))
