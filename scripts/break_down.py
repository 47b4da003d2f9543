"""Compute accuracy by groups of judges and properties of trials, and d' by demographics."""

from turingstats.analysis import breakdowns, judge_tests
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors

with report_errors(snakemake.log[0]):
    params, out = snakemake.params, snakemake.output
    study = Study(**params.study)
    judgments, groups = (
        files.read_frame(snakemake.input.judgments),
        files.read_frame(snakemake.input.groups),
    )
    table = breakdowns.measure_breakdowns(judgments, groups, study, params.level)
    compared = judge_tests.compare_judge_groups(judgments, groups, study, params.level)
    files.write_frame(table.assign(data=params.data), out.breakdowns)
    files.write_frame(compared.assign(data=params.data), out.tests)
    print(f"{len(table)} breakdowns, {len(compared)} tests of judges")
