"""Draw one figure from its source data."""

import gc
import importlib
from pathlib import Path

from turingstats.core.errors import report_errors

# The parts of a figure are needed until it is saved; garbage collection would take a sixth of the time.
gc.disable()

with report_errors(snakemake.log[0]):
    from turingstats.figures import pages

    path = Path(snakemake.params.module).relative_to("src").with_suffix("")
    module = importlib.import_module(".".join(path.parts))
    # Panels that the study file places.
    places = snakemake.params.get("places") or {}
    data = pages.read_source_data(snakemake.input.data)
    figure = module.draw(data, snakemake.params.colormap, **places)
    about = pages.describe_file(data, **snakemake.params.about)
    pages.save_figure(figure, snakemake.output, snakemake.params.dpi, about)
