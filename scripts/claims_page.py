"""Write the ledger as HTML pages, and the source data of its figure."""

from pathlib import Path

import pandas as pd

from turingstats.claims import ledger_page
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.core.templating import render_page
from turingstats.figures import source_data
from turingstats.figures.fonts import write_page

with report_errors(snakemake.log[0]):
    given, params = snakemake.input, snakemake.params
    # Numbers of the ledger stay as printed: 0.50, and 190 judges.
    ledger, checks = pd.read_csv(given.claims, dtype=str), files.read_frame(given.consistency)
    notebooks = pd.read_csv(given.notebooks[0], dtype=str) if given.notebooks else None
    tables = {Path(path).stem: files.read_frame(path) for path in [*given.tables, given.settings]}
    if params.design == "verdicts":
        study = snakemake.wildcards.study
        tables["tests"] = ledger_page.add_printed_p(tables["tests"], ledger, study)
    figures = {Path(path).stem: files.read_frame(path) for path in given.figures}
    context = ledger_page.build_context(
        ledger, checks, tables, figures, params.titles, params.tasks, notebooks
    )
    for page in ("ledger", "summary", "notebooks", "answers"):
        write_page(render_page(f"{page}.html", context), snakemake.output[page])
    files.write_frame(ledger_page.list_panels(context), snakemake.output.panels)
    source_data.write_source_data(
        ledger_page.build_overview(ledger, params.tasks), snakemake.output.overview
    )
    print(
        f"{len(context['claims'])} claims, {len(context['notebooks'])} numbers of notebooks, "
        f"{len(context['answers'])} rows that answer"
    )
