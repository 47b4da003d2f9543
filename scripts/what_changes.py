"""Compare published tests with contrasts of the fitted models that ask the same questions."""

from turingstats.analysis.models.asked import read_fit_summaries
from turingstats.analysis.models.counterparts import build_counterparts
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors

with report_errors(snakemake.log[0]):
    study, params = Study(**snakemake.params.study), snakemake.params
    asked, tests = (
        read_fit_summaries(snakemake.input.asked),
        files.read_frame(snakemake.input.tests),
    )
    changes = build_counterparts(study, asked, tests, params.confidence)
    files.write_frame(changes.assign(data=params.data), snakemake.output[0])
    print(f"{len(changes)} published tests compared with {len(asked)} models")
