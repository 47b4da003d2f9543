"""Draw the figures of a study."""

from pathlib import Path

from turingstats.core.errors import report_errors
from turingstats.stages.draw import Drawing, Style, draw_figures
from turingstats.stages.drawers import choose_drawer

with report_errors(snakemake.log[0]):
    params = snakemake.params
    drawings = [
        Drawing(
            draw=choose_drawer(path.stem, params.declared, params.design),
            source=path,
            about=params.about[path.stem],
            places=params.places[path.stem],
        )
        for path in map(Path, snakemake.input.data)
    ]
    study = Path(snakemake.output[0]).parents[1]
    cache = study.parent / ".cache" / study.name
    draw_figures(drawings, Style(**params.style), cache, snakemake.threads)
