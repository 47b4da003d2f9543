"""Train the machine judges of one task, and let them judge."""

from turingstats import files, schema
from turingstats.config import Judges, Study
from turingstats.errors import reported
from turingstats.judges import training

with reported(snakemake.log[0]):
    responses = files.read(snakemake.input.responses)
    params = snakemake.params
    study, options = Study(**params.study), Judges(**params.options)
    made = training.train(
        responses, study, snakemake.wildcards.task, options, params.seed, params.level
    )
    judgments = schema.checked(schema.judgments_schema(), made["judgments"], "trained judges")
    files.write(judgments, snakemake.output.judgments)
    for name in ("scores", "evaluation", "audit"):
        files.write(made[name].assign(data=params.data), snakemake.output[name])
