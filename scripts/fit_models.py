"""Fit the declared models."""

from turingstats.analysis.models.asked import write_asked
from turingstats.analysis.models.fits import fit_models
from turingstats.analysis.models.predictors import keep_asked
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import reported
from turingstats.data import counts

with reported(snakemake.log[0]):
    judgments = files.read(snakemake.input.judgments)
    groups = files.read(snakemake.input.groups)
    study, options = Study(**snakemake.params.study), snakemake.params.options
    people = counts.people_of(files.read(snakemake.input.judges))
    table, random, fits = fit_models(
        judgments, groups, study, options, workers=snakemake.threads, people=people
    )
    data = snakemake.params.data
    files.write(table.assign(data=data), snakemake.output.models)
    files.write(random.assign(data=data), snakemake.output.random_effects)
    write_asked(keep_asked(study, fits), snakemake.output.asked)
    print(f"{len(fits)} models")
