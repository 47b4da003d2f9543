"""Which gender judges took the speakers for."""

from turingstats.analysis import genders
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import reported

with reported(snakemake.log[0]):
    params, source = snakemake.params, snakemake.input
    study = Study(**params.study)
    judgments, groups = files.read(source.judgments), files.read(source.groups)
    table = genders.measure(judgments, groups, study, params.level)
    files.write(table.assign(data=params.data), snakemake.output[0])
    print(f"{len(table)} shares of speakers called female")
