"""Put the agents of all studies on one scale, and write the overview page of all studies."""

from pathlib import Path

import pandas as pd

from turingstats.analysis.synthesis import gather
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.core.templating import CAPTIONS, render_page
from turingstats.figures.fonts import write_page
from turingstats.figures.forests import draw_synthesis
from turingstats.report import at_a_glance, overview_page
from turingstats.stages.draw import Drawing, Style, draw_figure

with report_errors(snakemake.log[0]):
    params, paths = snakemake.params, snakemake.output
    page = Path(paths.page)
    top = page.parent
    effects, left_out = gather.gather_effects(params.studies, top, params.level, params.broken)
    files.write_frame(effects, paths.effects)
    files.write_frame(left_out, paths.left_out)
    files.write_frame(gather.list_forest(effects), paths.forest)
    about = {"title": params.title, "caption": CAPTIONS["synthesis"]}
    draw_figure(Drawing(draw_synthesis, Path(paths.forest), about), Style(**params.style))
    print(f"{len(effects)} agents of {effects['study'].nunique()} studies")
    cards = [
        overview_page.describe_study(study, top / study["study"], top) for study in params.reported
    ]
    synthesis = overview_page.describe_synthesis(top / "all-studies", top, params.title)
    write_page(render_page("studies.html", overview_page.build_overview(cards, synthesis)), page)
    rows = [
        at_a_glance.make_row(card["study"], top / card["study"]["study"], ".") for card in cards
    ]
    print(pd.DataFrame(rows).to_string(index=False))
    print(f"Open {page}")
