"""Write the page with all results of a study, and the one that says how they were made."""

from pathlib import Path

from turingstats.core.errors import report_errors
from turingstats.core.templating import render_page
from turingstats.figures.fonts import write_page
from turingstats.report import run_page, study_page

with report_errors(snakemake.log[0]):
    page, study = Path(snakemake.output.page), snakemake.params.study
    folder = page.parents[1]
    context = study_page.build_context(
        study, snakemake.input.made, folder, page.parent, snakemake.output.run
    )
    write_page(render_page("report.html", context), page)
    run = render_page("run.html", run_page.build_context(study, folder))
    write_page(run, snakemake.output.run)
    print(f"{len(context['figures'])} figures, {len(context['tables'])} tables")
