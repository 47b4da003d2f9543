"""Compute judges' d' and c, and whether agents are distinguishable, equivalent or neither."""

from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.stats import equivalence, signal_detection

with report_errors(snakemake.log[0]):
    counts = files.read_frame(snakemake.input.counts)
    estimates = files.read_frame(snakemake.input.estimates)
    options, data = snakemake.params.options, snakemake.params.data
    judges = signal_detection.estimate_each_judge(counts, options["confidence"])
    judged = equivalence.assess_agents(estimates, options)
    files.write_frame(judges.assign(data=data), snakemake.output.signal_detection)
    files.write_frame(judged.assign(data=data), snakemake.output.equivalence)
    print(judged["conclusion"].value_counts().to_string())
