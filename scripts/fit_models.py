"""Fit the declared models, and set published tests beside them."""

from turingstats import counts, files, models
from turingstats.errors import reported
from turingstats.study import Study

with reported(snakemake.log[0]):
    judgments = files.read(snakemake.input.judgments)
    groups = files.read(snakemake.input.groups)
    tests = files.read(snakemake.input.tests)
    study, options = Study(**snakemake.params.study), snakemake.params.options
    people = counts.people_of(files.read(snakemake.input.judges))
    table, random, fits = models.run(
        judgments, groups, study, options, workers=snakemake.threads, people=people
    )
    changes = models.counterparts(study, fits, tests, options["confidence"])
    data = snakemake.params.data
    files.write(table.assign(data=data), snakemake.output.models)
    files.write(random.assign(data=data), snakemake.output.random_effects)
    files.write(changes.assign(data=data), snakemake.output.what_changes)
    print(f"{len(fits)} models, {len(changes)} published tests beside them")
