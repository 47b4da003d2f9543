"""Let language models judge the responses."""

from turingstats.config.settings import LanguageModels
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors

with report_errors(snakemake.log[0]):
    from turingstats.judges.llm import language

    params, output = snakemake.params, snakemake.output
    study, settings = Study(**params.study), LanguageModels(**params.settings)
    responses = files.read_frame(snakemake.input.responses)
    tables = language.judge_responses(responses, study, settings, params.seed)
    files.write_frame(tables["judgments"], output.judgments)
    for name in ("answers", "unparsed"):
        files.write_frame(tables[name].assign(data=params.data), output[name])
    lost = tables["unparsed"].groupby(["task", "cohort", "reason"]).size()
    print(f"{len(tables['judgments'])} verdicts, {len(tables['unparsed'])} responses without one")
    if len(lost):
        print(lost.to_string())
