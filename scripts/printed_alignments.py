"""Rank systems by the alignments that a paper prints."""

from turingstats import files, printed_alignments
from turingstats.errors import reported
from turingstats.ratings_study import RatingsStudy

with reported(snakemake.log[0]):
    study = RatingsStudy(**snakemake.params.study)
    printed, items = map(files.read, snakemake.input.published)
    table = printed_alignments.measure(printed, items, study)
    files.write(table, snakemake.output[0])
    print(f"{len(table)} printed alignments with people")
