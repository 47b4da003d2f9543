"""Pick the numbers that each figure of a study of similarity ratings shows."""

from pathlib import Path

from turingstats import figure_data, files, ratings, similarity_figures
from turingstats.errors import reported
from turingstats.ratings_study import RatingsStudy

with reported(snakemake.log[0]):
    params = snakemake.params
    study = RatingsStudy(**params.study)
    items = ratings.read_list(snakemake.input.item_list)
    found = ratings.cubes(files.read(snakemake.input.ratings), study, items)
    results = {
        name: files.read(snakemake.input[name])
        for name in ("alignment", "agreement", "individuals", "map", "distances")
    }
    # A paper may print no alignments.
    results["printed"] = files.read(snakemake.input.printed[0]) if snakemake.input.printed else None
    for path in snakemake.output:
        name = Path(path).stem
        table = similarity_figures.select(
            study.figures[name],
            study,
            items,
            found,
            results,
            params.reading,
            params.level,
            params.data,
        )
        figure_data.write(table, path)
        print(f"{name}: {len(table)} numbers")
