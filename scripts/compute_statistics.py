"""Compute the statistics that need no model of single verdicts."""

from pathlib import Path

from turingstats.config.study import Study
from turingstats.core.errors import report_errors
from turingstats.stages.statistics import Cleaned, write_statistics

with report_errors(snakemake.log[0]):
    params = snakemake.params
    cleaned = Cleaned(
        study=Study(**params.study),
        folder=Path(snakemake.input.data[0]).parent,
        options=params.options,
        grades=params.grades,
        published=Path("data/published", params.study["study"]),
    )
    write_statistics(cleaned, snakemake.output, params.data, snakemake.threads)
