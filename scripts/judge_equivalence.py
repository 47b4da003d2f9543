"""Judges' d' and c, and whether agents are distinguishable, equivalent or neither."""

from turingstats.core import files
from turingstats.core.errors import reported
from turingstats.stats import equivalence, signal_detection

with reported(snakemake.log[0]):
    counts = files.read(snakemake.input.counts)
    estimates = files.read(snakemake.input.estimates)
    options, data = snakemake.params.options, snakemake.params.data
    judges = signal_detection.by_judge(counts, options["confidence"])
    verdicts = equivalence.judge_agents(estimates, options)
    files.write(judges.assign(data=data), snakemake.output.signal_detection)
    files.write(verdicts.assign(data=data), snakemake.output.equivalence)
    print(verdicts["verdict"].value_counts().to_string())
