"""Measure the texts of people and models."""

from turingstats.analysis import texts
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import reported

with reported(snakemake.log[0]):
    responses = files.read(snakemake.input.responses)
    table = texts.measure(responses, Study(**snakemake.params.study), snakemake.params.level)
    files.write(table.assign(data=snakemake.params.data), snakemake.output[0])
    print(f"{len(table)} measures of texts")
