"""List every figure of the paper, and whether it is drawn."""

from pathlib import Path

from turingstats.claims import inventory
from turingstats.core import files
from turingstats.core.errors import report_errors

with report_errors(snakemake.log[0]):
    source_data = {Path(path).stem: files.read_frame(path) for path in snakemake.input.figures}
    missing = files.read_frame(snakemake.input.missing)
    params = snakemake.params
    skipped = dict(params.skipped)
    if any(files.read_frame(path).empty for path in snakemake.input.across):
        skipped["across_tasks"] = "no two tasks are known to share ten or more people"
    if snakemake.input.published:
        published = files.read_frame(snakemake.input.published[0])
        table = inventory.list_paper_panels(
            published,
            source_data,
            params.tables,
            missing,
            params.pools,
            params.not_drawn,
            skipped,
            params.trained,
        )
    else:
        table = inventory.list_study_panels(source_data, skipped, missing, params.pools)
    files.write_frame(table.assign(data=params.data), snakemake.output[0])
    print(table["drawn"].value_counts().to_string())
