"""Align the systems of a study of similarity ratings, in both readings, and place raters on maps."""

from pathlib import Path

from turingstats.config.ratings_study import RatingsStudy
from turingstats.core.errors import report_errors
from turingstats.stages.similarity import write_statistics

with report_errors(snakemake.log[0]):
    params = snakemake.params
    write_statistics(
        RatingsStudy(**params.study),
        Path(snakemake.input.ratings).parent,
        snakemake.output,
        params.options,
        params.data,
        snakemake.threads,
    )
