"""Measure messages of machines relative to those of people."""

from turingstats.analysis import message_lengths
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import reported

with reported(snakemake.log[0]):
    judgments = files.read(snakemake.input.judgments)
    responses = files.read(snakemake.input.responses)
    study = Study(**snakemake.params.study)
    table = message_lengths.measure(judgments, responses, study, snakemake.params.options)
    files.write(table.assign(data=snakemake.params.data), snakemake.output[0])
    print(f"{len(table)} differences of words per message")
