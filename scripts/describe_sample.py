"""Describe judges, verdicts and stimuli of each cohort."""

from turingstats.analysis import sample
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.data import counts
from turingstats.tables import writer

with report_errors(snakemake.log[0]):
    study, output, data = Study(**snakemake.params.study), snakemake.output, snakemake.params.data
    judgments, judges, groups = (
        files.read_frame(snakemake.input[name]) for name in ("judgments", "judges", "groups")
    )
    table = sample.describe_sample(
        judgments, judges, groups, study, counts.map_judges_to_people(judges)
    )
    files.write_frame(table.assign(data=data), output.sample)
    writer.write_table(
        sample.summarize_cohorts(table, study),
        "Judges, verdicts and stimuli",
        sample.READING,
        data,
        csv=output.csv,
        tex=output.tex,
        html=output.html,
    )
    print(f"{len(table)} numbers")
