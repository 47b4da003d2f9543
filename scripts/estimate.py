"""Estimate rates and detectability, in both readings."""

from turingstats.analysis.estimates.estimate import estimate_rates
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors

with report_errors(snakemake.log[0]):
    counts = files.read_frame(snakemake.input.counts)
    groups = files.read_frame(snakemake.input.groups)
    study = Study(**snakemake.params.study)
    table = estimate_rates(counts, groups, study, snakemake.params.options)
    files.write_frame(table.assign(data=snakemake.params.data), snakemake.output[0])
    print(f"{len(table)} estimates")
