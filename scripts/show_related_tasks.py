"""Pick the numbers of the figure and table of people who judged in two tasks."""

from turingstats.analysis import across_tasks
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import reported
from turingstats.tables import writer

TITLE = "How well the same people judge in two tasks"

with reported(snakemake.log[0]):
    counts, pairs = files.read(snakemake.input.counts), files.read(snakemake.input.pairs)
    # An empty note is read as a missing one.
    pairs["note"] = pairs["note"].fillna("").astype(str)
    study, params, output = Study(**snakemake.params.study), snakemake.params, snakemake.output
    files.write(across_tasks.points(counts, pairs, study, params.level, params.data), output.points)
    writer.write_table(
        across_tasks.table(pairs, study),
        TITLE,
        across_tasks.reading_of(study),
        params.data,
        csv=output.csv,
        tex=output.tex,
        html=output.html,
    )
    print(f"{len(pairs)} pairs of tasks")
