"""Write the page on a study to come."""

from pathlib import Path

from turingstats.config.planning import Plan
from turingstats.core.errors import report_errors
from turingstats.core.templating import render_page
from turingstats.figures.fonts import write_page
from turingstats.planning import page

with report_errors(snakemake.log[0]):
    params, path = snakemake.params, Path(snakemake.output[0])
    plan = Plan(**params.plan)
    context = page.build_context(path.parent, params.study, plan, snakemake.input.pictures)
    write_page(render_page("plan.html", context), path)
    print("\n".join(f"{answer['label']}: {answer['text']}" for answer in context["answers"]))
