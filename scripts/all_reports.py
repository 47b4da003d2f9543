"""Write the overview page of all studies."""

from pathlib import Path

from turingstats.core.errors import report_errors
from turingstats.core.templating import render_page
from turingstats.figures.fonts import write_page
from turingstats.report import overview_page, synthesis_section

with report_errors(snakemake.log[0]):
    page = Path(snakemake.output[0])
    folders = [Path(path).parent.parent for path in snakemake.input.reports]
    cards = [
        overview_page.describe_study(study, folder, page.parent)
        for study, folder in zip(snakemake.params.studies, folders, strict=True)
    ]
    synthesis = synthesis_section.describe_synthesis(page.parent / "all-studies", page.parent)
    overview = overview_page.build_overview(cards, synthesis)
    text = render_page("studies.html", overview)
    write_page(text, page)
    print(f"{len(cards)} studies")
