"""Put the results of a study together on one page."""

from pathlib import Path

from turingstats import claims_page, files, report
from turingstats.errors import reported

with reported(snakemake.log[0]):
    page = Path(snakemake.output[0])
    shown = report.context(
        snakemake.params.study, snakemake.input.made, page.parent.parent, page.parent
    )
    files.write_text(claims_page.render("report.html", shown), page)
    print(f"{len(shown['figures'])} figures, {len(shown['tables'])} tables")
