"""Rank systems by the alignments that a paper prints."""

from turingstats.config.ratings_study import RatingsStudy
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.ratings import printed_alignments

with report_errors(snakemake.log[0]):
    study = RatingsStudy(**snakemake.params.study)
    printed, items = map(files.read_frame, snakemake.input.published)
    table = printed_alignments.rank_printed_alignments(printed, items, study)
    files.write_frame(table, snakemake.output[0])
    print(f"{len(table)} printed alignments with people")
