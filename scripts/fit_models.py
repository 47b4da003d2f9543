"""Fit the declared models."""

from turingstats.analysis.models.asked import write_fit_summaries
from turingstats.analysis.models.contrasts import extract_fit_summaries, list_contrasts
from turingstats.analysis.models.fits import fit_models
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.data import counts

with report_errors(snakemake.log[0]):
    judgments = files.read_frame(snakemake.input.judgments)
    groups = files.read_frame(snakemake.input.groups)
    study, options = Study(**snakemake.params.study), snakemake.params.options
    people = counts.map_judges_to_people(files.read_frame(snakemake.input.judges))
    table, random, fits = fit_models(
        judgments, groups, study, options, workers=snakemake.threads, people=people
    )
    data = snakemake.params.data
    files.write_frame(table.assign(data=data), snakemake.output.models)
    files.write_frame(random.assign(data=data), snakemake.output.random_effects)
    contrasts = list_contrasts(study, fits, options["confidence"], options["correction"])
    files.write_frame(contrasts.assign(data=data), snakemake.output.contrasts)
    write_fit_summaries(extract_fit_summaries(study, fits), snakemake.output.asked)
    print(f"{len(fits)} models, {len(contrasts)} contrasts")
