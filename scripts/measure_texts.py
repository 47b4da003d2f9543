"""Measure the texts of people and models."""

from turingstats.analysis import texts
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors

with report_errors(snakemake.log[0]):
    responses = files.read_frame(snakemake.input.responses)
    table = texts.tabulate_text_measures(
        responses, Study(**snakemake.params.study), snakemake.params.level
    )
    files.write_frame(table.assign(data=snakemake.params.data), snakemake.output[0])
    print(f"{len(table)} measures of texts")
