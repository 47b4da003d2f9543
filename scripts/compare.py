"""Run the declared tests, in both readings."""

from turingstats.analysis.comparisons.compare import run_comparisons
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors

with report_errors(snakemake.log[0]):
    counts = files.read_frame(snakemake.input.counts)
    groups = files.read_frame(snakemake.input.groups)
    study = Study(**snakemake.params.study)
    # A study without agents' scores from the literature has no such file.
    benchmarks = (
        files.read_frame(snakemake.input.benchmarks[0]) if snakemake.input.benchmarks else None
    )
    responses = files.read_frame(snakemake.input.responses)
    table = run_comparisons(counts, groups, study, snakemake.params.options, benchmarks, responses)
    files.write_frame(table.assign(data=snakemake.params.data), snakemake.output[0])
    print(f"{len(table)} tests")
