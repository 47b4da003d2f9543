"""Describe who judged what, how judges agree about the same responses, and how often each response passed."""

from turingstats.analysis import agreement, machine_judges, responses, sample, wins
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.data import counts

with report_errors(snakemake.log[0]):
    study, options = Study(**snakemake.params.study), snakemake.params.options
    judgments = files.read_frame(snakemake.input.judgments, responses.NEEDED)
    judges, groups = (files.read_frame(snakemake.input[name]) for name in ("judges", "groups"))
    people = counts.map_judges_to_people(judges)
    verdicts = responses.select_first_verdicts(judgments, study, people)
    level = options["confidence"]
    tables = {
        "sample": sample.describe_sample(judgments, judges, groups, study, people),
        "agreement": agreement.measure_agreement(verdicts, study, options),
        "stimuli": responses.tabulate_responses(verdicts, level),
        "machine_judges": machine_judges.compare_machine_judges(verdicts, study, level),
        "wins": wins.count_wins(verdicts, study, level),
    }
    for name, table in tables.items():
        files.write_frame(table.assign(data=snakemake.params.data), snakemake.output[name])
        print(f"{name}: {len(table)} rows")
