"""Run the declared tests, in both readings."""

from turingstats.analysis.comparisons.compare import compare
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import reported

with reported(snakemake.log[0]):
    counts = files.read(snakemake.input.counts)
    groups = files.read(snakemake.input.groups)
    study = Study(**snakemake.params.study)
    # A study without agents' scores from the literature has no such file.
    benchmarks = files.read(snakemake.input.benchmarks[0]) if snakemake.input.benchmarks else None
    responses = files.read(snakemake.input.responses)
    table = compare(counts, groups, study, snakemake.params.options, benchmarks, responses)
    files.write(table.assign(data=snakemake.params.data), snakemake.output[0])
    print(f"{len(table)} tests")
