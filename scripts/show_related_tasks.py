"""Pick the numbers of the figure and table of people who judged in two tasks."""

from turingstats.analysis import across_tasks
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.tables import writer

TITLE = "How well the same people judge in two tasks"

with report_errors(snakemake.log[0]):
    counts, pairs = (
        files.read_frame(snakemake.input.counts),
        files.read_frame(snakemake.input.pairs),
    )
    # An empty note is read as a missing one.
    pairs["note"] = pairs["note"].fillna("").astype(str)
    study, params, output = Study(**snakemake.params.study), snakemake.params, snakemake.output
    files.write_frame(
        across_tasks.list_points(counts, pairs, study, params.level, params.data), output.points
    )
    writer.write_table(
        across_tasks.tabulate_pairs(pairs, study),
        TITLE,
        across_tasks.choose_reading(study),
        params.data,
        csv=output.csv,
        tex=output.tex,
        html=output.html,
    )
    print(f"{len(pairs)} pairs of tasks")
