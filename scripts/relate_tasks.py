"""Relate how well people judge in one task to how well they judge in another."""

from turingstats import across_tasks, files, tables
from turingstats.errors import reported
from turingstats.study import Study

TITLE = "How well the same people judge in two tasks"

with reported(snakemake.log[0]):
    counts = files.read(snakemake.input.counts)
    study, params = Study(**snakemake.params.study), snakemake.params
    pairs = across_tasks.relate(counts, study, params.same_rows, params.options)
    points = across_tasks.points(counts, pairs, study, params.options["confidence"], params.data)
    files.write(pairs.assign(data=params.data), snakemake.output.pairs)
    files.write(points, snakemake.output.points)
    tables.write(
        across_tasks.table(pairs, study),
        TITLE,
        across_tasks.reading_of(study),
        params.data,
        csv=snakemake.output.csv,
        tex=snakemake.output.tex,
        html=snakemake.output.html,
    )
    print(f"{len(pairs)} pairs of tasks share people")
