"""Write the page with all results of a study."""

from pathlib import Path

from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.core.templating import render_page
from turingstats.report import study_page

with report_errors(snakemake.log[0]):
    page = Path(snakemake.output[0])
    context = study_page.build_context(
        snakemake.params.study, snakemake.input.made, page.parent.parent, page.parent
    )
    files.write_text(render_page("report.html", context), page)
    print(f"{len(context['figures'])} figures, {len(context['tables'])} tables")
