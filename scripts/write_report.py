"""Write the page with all results of a study, its findings, and what the results were made from."""

import json
from pathlib import Path

import pandas as pd

from turingstats.analysis import findings
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.core.labels import find_alpha
from turingstats.core.templating import render_page
from turingstats.data import provenance
from turingstats.figures.fonts import embed_page_fonts
from turingstats.report import at_a_glance, mailed_page, study_page

with report_errors(snakemake.log[0]):
    params, output = snakemake.params, snakemake.output
    page, folder = Path(output.page), Path(output.page).parents[1]
    sources = files.read_frame(snakemake.input.sources)
    source = {"kind": params.source, "commit": sources["commit"].iloc[0]}
    source["sha256"] = dict(zip(sources["path"], sources["sha256"], strict=True))
    described = provenance.describe_run(params.config, source)
    files.write_text(json.dumps(described, indent=2) + "\n", output.provenance)
    if params.study["design"] == "verdicts":
        names = ("estimates", "equivalence", "tests", "sizes")
        tables = {name: files.read_frame(folder / f"statistics/{name}.csv") for name in names}
        tables["claims"] = pd.DataFrame(columns=["task", "kind", "status"])
        if params.claimed:
            tables["claims"] = files.read_frame(folder / "claims/claims.csv")
        study, alpha = Study(**params.parts), find_alpha(params.config["confidence"])
        found = findings.summarize_tasks(study, **tables, data=params.study["data"], alpha=alpha)
        files.write_frame(found, output.findings[0])
    made = [*snakemake.input.made, *snakemake.input.source_data, *output]
    context = study_page.build_context(params.study, made, folder, page.parent)
    text = embed_page_fonts(render_page("report.html", context))
    files.write_text(text, page)
    files.write_text(mailed_page.inline_files(text, page.parent), output.mailed)
    print(at_a_glance.summarize_study(params.study, folder, "."))
