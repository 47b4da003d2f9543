"""Fill the tables of a study of similarity ratings."""

from pathlib import Path

from turingstats.config.ratings_study import RatingsStudy
from turingstats.core import files
from turingstats.core.data_labels import PRINTED_TABLE
from turingstats.core.errors import report_errors
from turingstats.ratings import raw_ratings, tables
from turingstats.tables import writer

with report_errors(snakemake.log[0]):
    params = snakemake.params
    study = RatingsStudy(**params.study)
    items = raw_ratings.read_item_list(snakemake.input.item_list)
    alignment = files.read_frame(snakemake.input.alignment)
    printed = files.read_frame(snakemake.input.printed[0]) if snakemake.input.printed else None
    folder = Path(snakemake.output[0]).parent
    for name, title in study.tables.items():
        frame = tables.fill_table(name, study, items, alignment, params.reading, printed)
        data = PRINTED_TABLE if name == tables.PRINTED else params.data
        paths = {ending: folder / f"{name}.{ending}" for ending in ("csv", "tex", "html")}
        writer.write_table(frame, title, params.reading, data, **paths)
        print(f"{name}: {len(frame)} rows")
