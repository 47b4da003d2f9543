"""One page over the reports of all studies."""

from pathlib import Path

from turingstats import claims_page, files, report
from turingstats.errors import reported

with reported(snakemake.log[0]):
    page = Path(snakemake.output[0])
    folders = [Path(path).parent.parent for path in snakemake.input.reports]
    cards = [
        report.card(study, folder, page.parent)
        for study, folder in zip(snakemake.params.studies, folders, strict=True)
    ]
    files.write_text(claims_page.render("studies.html", report.overview(cards)), page)
    print(f"{len(cards)} studies")
