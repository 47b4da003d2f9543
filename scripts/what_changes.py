"""Set published tests beside the same questions asked of the fitted models."""

from turingstats.analysis.models.asked import read_asked
from turingstats.analysis.models.counterparts import counterparts
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import reported

with reported(snakemake.log[0]):
    study, params = Study(**snakemake.params.study), snakemake.params
    asked, tests = read_asked(snakemake.input.asked), files.read(snakemake.input.tests)
    changes = counterparts(study, asked, tests, params.confidence)
    files.write(changes.assign(data=params.data), snakemake.output[0])
    print(f"{len(changes)} published tests beside {len(asked)} models")
