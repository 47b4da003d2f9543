"""Fill the tables of a study of similarity ratings."""

from pathlib import Path

from turingstats import files, ratings, similarity_tables, tables
from turingstats.data_labels import PRINTED_TABLE
from turingstats.errors import reported
from turingstats.ratings_study import RatingsStudy

with reported(snakemake.log[0]):
    params = snakemake.params
    study = RatingsStudy(**params.study)
    items = ratings.read_list(snakemake.input.item_list)
    alignment = files.read(snakemake.input.alignment)
    printed = files.read(snakemake.input.printed[0]) if snakemake.input.printed else None
    folder = Path(snakemake.output[0]).parent
    for name, title in study.tables.items():
        frame = similarity_tables.build(name, study, items, alignment, params.reading, printed)
        data = PRINTED_TABLE if name == similarity_tables.PRINTED else params.data
        paths = {ending: folder / f"{name}.{ending}" for ending in ("csv", "tex", "html")}
        tables.write(frame, title, params.reading, data, **paths)
        print(f"{name}: {len(frame)} rows")
