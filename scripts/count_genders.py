"""Count the genders that judges attributed to the speakers."""

from turingstats.analysis import genders
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors

with report_errors(snakemake.log[0]):
    params, source = snakemake.params, snakemake.input
    study = Study(**params.study)
    judgments, groups = files.read_frame(source.judgments), files.read_frame(source.groups)
    table = genders.measure_perceived_genders(judgments, groups, study, params.level)
    files.write_frame(table.assign(data=params.data), snakemake.output[0])
    print(f"{len(table)} shares of speakers called female")
