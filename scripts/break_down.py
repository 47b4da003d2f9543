"""Accuracy by groups of judges and by what trials were like; d' on demographics."""

from turingstats import breakdowns, files
from turingstats.config import Study
from turingstats.errors import reported

with reported(snakemake.log[0]):
    params, out = snakemake.params, snakemake.output
    study = Study(**params.study)
    judgments, groups = files.read(snakemake.input.judgments), files.read(snakemake.input.groups)
    table = breakdowns.measure(judgments, groups, study, params.level)
    slopes = breakdowns.regress(judgments, groups, study, params.level)
    files.write(table.assign(data=params.data), out.breakdowns)
    files.write(slopes.assign(data=params.data), out.regressions)
    print(f"{len(table)} breakdowns, {len(slopes)} regressions")
