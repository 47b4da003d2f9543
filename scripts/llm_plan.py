"""Say what language models would be asked, and what that would cost, without asking."""

from turingstats.config.settings import LanguageModels
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors

with report_errors(snakemake.log[0]):
    from turingstats.judges.llm import chat, language

    params = snakemake.params
    study, settings = Study(**params.study), LanguageModels(**params.settings)
    responses = files.read_frame(snakemake.input.responses)
    jobs = language.list_jobs(responses, study, settings, params.seed)
    planned = language.plan_calls(jobs, study, chat.Client(settings))
    files.write_frame(planned.assign(data=params.data), snakemake.output.plan)
    files.write_text(language.write_script(jobs, settings), snakemake.output.prompts)
    text = language.summarize_plan(jobs, planned, settings, snakemake.output.prompts)
    files.write_text(text, snakemake.output.summary)
