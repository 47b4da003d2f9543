"""Correlate how well people judge in one task with how well they judge in another."""

from turingstats.analysis import across_tasks
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors

with report_errors(snakemake.log[0]):
    counts = files.read_frame(snakemake.input.counts)
    study, params = Study(**snakemake.params.study), snakemake.params
    pairs = across_tasks.correlate_tasks(counts, study, params.same_rows, params.options)
    files.write_frame(pairs.assign(data=params.data), snakemake.output[0])
    print(f"{len(pairs)} pairs of tasks share people")
