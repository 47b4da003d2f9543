"""One page over the reports of all studies."""

from pathlib import Path

from turingstats.claims import ledger_page
from turingstats.core import files
from turingstats.core.errors import reported
from turingstats.report import study_page

with reported(snakemake.log[0]):
    page = Path(snakemake.output[0])
    folders = [Path(path).parent.parent for path in snakemake.input.reports]
    cards = [
        study_page.card(study, folder, page.parent)
        for study, folder in zip(snakemake.params.studies, folders, strict=True)
    ]
    files.write_text(ledger_page.render("studies.html", study_page.overview(cards)), page)
    print(f"{len(cards)} studies")
