"""Draw one figure from its source data."""

import importlib

from turingstats.errors import reported

with reported(snakemake.log[0]):
    from turingstats import files, pages

    module = importlib.import_module(f"turingstats.figures.{snakemake.wildcards.figure}")
    figure = module.draw(files.read(snakemake.input.data), snakemake.params.colormap)
    pages.save(figure, snakemake.output, snakemake.params.dpi)
