"""Measure how judges agree about the same responses, and count verdicts by response and by pair of agents."""

from turingstats.analysis import agreement, machine_judges, responses, wins
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.data import counts
from turingstats.tables import writer

with report_errors(snakemake.log[0]):
    study, options = Study(**snakemake.params.study), snakemake.params.options
    people = counts.map_judges_to_people(files.read_frame(snakemake.input.judges))
    judgments = files.read_frame(snakemake.input.judgments)
    verdicts = responses.select_first_verdicts(judgments, study, people)
    level = options["confidence"]
    tables = {
        "agreement": agreement.measure_agreement(verdicts, study, options),
        "stimuli": responses.tabulate_responses(verdicts, level),
        "machine_judges": machine_judges.compare_machine_judges(verdicts, study, level),
        "wins": wins.count_wins(verdicts, study, level),
    }
    for name, table in tables.items():
        files.write_frame(table.assign(data=snakemake.params.data), snakemake.output[name])
        print(f"{name}: {len(table)} rows")
    writer.write_table(
        agreement.tabulate_agreement(tables["agreement"], study),
        "Agreement of judges about the same responses",
        responses.READING,
        snakemake.params.data,
        csv=snakemake.output.csv,
        tex=snakemake.output.tex,
        html=snakemake.output.html,
    )
