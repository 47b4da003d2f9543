"""Measure messages of machines relative to those of people."""

from turingstats.analysis import message_lengths
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors

with report_errors(snakemake.log[0]):
    judgments = files.read_frame(snakemake.input.judgments)
    responses = files.read_frame(snakemake.input.responses)
    study = Study(**snakemake.params.study)
    table = message_lengths.measure_message_lengths(
        judgments, responses, study, snakemake.params.options
    )
    files.write_frame(table.assign(data=snakemake.params.data), snakemake.output[0])
    print(f"{len(table)} differences of words per message")
