"""Rank systems by the alignments that a paper prints."""

from turingstats.config.ratings_study import RatingsStudy
from turingstats.core import files
from turingstats.core.errors import reported
from turingstats.ratings import printed_alignments

with reported(snakemake.log[0]):
    study = RatingsStudy(**snakemake.params.study)
    printed, items = map(files.read, snakemake.input.published)
    table = printed_alignments.measure(printed, items, study)
    files.write(table, snakemake.output[0])
    print(f"{len(table)} printed alignments with people")
