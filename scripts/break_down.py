"""Accuracy by groups of judges and by what trials were like; d' by demographics."""

from turingstats.analysis import breakdowns, judge_tests
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import reported

with reported(snakemake.log[0]):
    params, out = snakemake.params, snakemake.output
    study = Study(**params.study)
    judgments, groups = files.read(snakemake.input.judgments), files.read(snakemake.input.groups)
    table = breakdowns.measure(judgments, groups, study, params.level)
    compared = judge_tests.compare(judgments, groups, study, params.level)
    files.write(table.assign(data=params.data), out.breakdowns)
    files.write(compared.assign(data=params.data), out.tests)
    print(f"{len(table)} breakdowns, {len(compared)} tests of judges")
