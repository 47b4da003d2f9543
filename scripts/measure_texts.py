"""Measure the texts of people and models."""

from turingstats import files, texts
from turingstats.errors import reported
from turingstats.study import Study

with reported(snakemake.log[0]):
    responses = files.read(snakemake.input.responses)
    table = texts.measure(responses, Study(**snakemake.params.study), snakemake.params.level)
    files.write(table.assign(data=snakemake.params.data), snakemake.output[0])
    print(f"{len(table)} measures of texts")
