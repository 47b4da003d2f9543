"""Train the machine judges of all tasks, and let them judge."""

from turingstats.config.settings import Judges
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.data import schema
from turingstats.judges.svm import training

with report_errors(snakemake.log[0]):
    responses = files.read_frame(snakemake.input.responses)
    params = snakemake.params
    study, options = Study(**params.study), Judges(**params.options)
    results = training.train_all(
        responses, study, options, params.seed, params.level, workers=snakemake.threads
    )
    judgments = schema.check_judgments(results["judgments"], "trained judges")
    files.write_frame(judgments, snakemake.output.judgments)
    for name in ("scores", "evaluation", "audit"):
        files.write_frame(results[name].assign(data=params.data), snakemake.output[name])
    evaluation = results["evaluation"]
    evaluation = evaluation[evaluation["quantity"].isin(["accuracy", "not trained"])]
    print(
        evaluation[["task", "cohort", "reading", "quantity", "value", "n"]].to_string(index=False)
    )
