"""Draw the figures of a study."""

import gc

# A job ends soon, and leaves little garbage: to look for it takes a sixth of the time.
gc.disable()

from pathlib import Path

from turingstats.core.errors import report_errors
from turingstats.stages.draw import Drawing, Style, draw_figures
from turingstats.stages.job import find_function

with report_errors(snakemake.log[0]):
    params = snakemake.params
    drawings = [
        Drawing(
            draw=find_function(params.draw[path.stem]),
            source=path,
            about=params.about[path.stem],
            places=params.places[path.stem],
        )
        for path in map(Path, snakemake.input.data)
    ]
    study = Path(snakemake.output[0]).parents[1]
    cache = study.parent / ".cache" / study.name
    draw_figures(drawings, Style(**params.style), cache, snakemake.threads)
