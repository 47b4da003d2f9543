"""Write the tables of who judged what, and of how judges agree about the same responses."""

from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.tables import judges, writer

READING = "recommended"

with report_errors(snakemake.log[0]):
    study, output = Study(**snakemake.params.study), snakemake.output
    described, agreed = (
        files.read_frame(snakemake.input[name]) for name in ("sample", "agreement")
    )
    shown = {
        "sample": (judges.summarize_cohorts(described, study), "Judges, verdicts and stimuli"),
        "agreement": (
            judges.tabulate_agreement(agreed, study),
            "Agreement of judges about the same responses",
        ),
    }
    for name, (table, title) in shown.items():
        paths = {kind: output[f"{name}_{kind}"] for kind in ("csv", "tex", "html")}
        writer.write_table(table, title, READING, snakemake.params.data, **paths)
        print(f"{title}: {len(table)} rows")
