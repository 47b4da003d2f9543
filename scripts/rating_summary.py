"""Make the table of ratings and scores."""

from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.tables import rating_summary, writer

with report_errors(snakemake.log[0]):
    study, params, output = Study(**snakemake.params.study), snakemake.params, snakemake.output
    ratings, models = map(files.read_frame, (snakemake.input.ratings, snakemake.input.models))
    table = rating_summary.tabulate_ratings(ratings, models, study, params.reading)
    writer.write_table(
        table,
        rating_summary.TITLE,
        params.reading,
        params.data,
        csv=output.csv,
        tex=output.tex,
        html=output.html,
    )
    print(f"{len(table)} rows")
