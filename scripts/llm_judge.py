"""Let language models judge the responses."""

from turingstats.config.settings import LanguageModels
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import reported

with reported(snakemake.log[0]):
    from turingstats.judges.llm import language

    params, output = snakemake.params, snakemake.output
    study, settings = Study(**params.study), LanguageModels(**params.settings)
    responses = files.read(snakemake.input.responses)
    tables = language.judge(responses, study, settings, params.seed)
    rates = language.estimate_pass_rates(tables["pairs"], params.confidence)
    files.write(tables["judgments"], output.judgments)
    for name in ("answers", "unparsed", "pairs"):
        files.write(tables[name].assign(data=params.data), output[name])
    files.write(rates.assign(data=params.data), output.pass_rates)
    lost = tables["unparsed"].groupby(["task", "cohort", "reason"]).size()
    print(f"{len(tables['judgments'])} verdicts, {len(tables['unparsed'])} responses without one")
    if len(lost):
        print(lost.to_string())
