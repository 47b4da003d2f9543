"""Simulate the designs of a study to come, and write the page on its power and cost."""

from pathlib import Path

from turingstats.config.planning import Plan
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.core.templating import render_page
from turingstats.figures.fonts import write_page
from turingstats.figures.planning import looks as looks_figure
from turingstats.figures.planning import power as power_figure
from turingstats.planning import assumptions, grid, interim_analyses, page, tables
from turingstats.stages.draw import Drawing, Style, draw_figure

with report_errors(snakemake.log[0]):
    params, output = snakemake.params, snakemake.output
    plan, options, folder = Plan(**params.plan), params.options, Path(output.page).parent
    # None if the plan states all.
    models = next(map(files.read_frame, snakemake.input.models), None)
    assumed = assumptions.assume(plan, models, params.labels, params.study["study"])
    power = grid.simulate_grid(plan, assumed, options)
    designs = grid.find_cheapest(power, plan, assumed, options)
    made = {
        "power": tables.mark_cheapest(power, designs),
        "designs": designs,
        "assumptions": tables.list_assumptions(plan, assumed, options),
        "looks": interim_analyses.plan_interim_analyses(plan, assumed, designs, power, options),
    }
    for name, table in made.items():
        files.write_frame(table.assign(data=assumed.data), folder / f"{name}.csv")
    text = tables.write_methods(plan, assumed, designs, made["looks"], options)
    files.write_text(f"{text}\n", output.methods)
    drawers = {"power": power_figure.draw, "looks": looks_figure.draw}
    for name, about in params.about.items():
        draw_figure(Drawing(drawers[name], folder / f"{name}.csv", about), Style(**params.style))
    context = page.build_context(folder, params.study, plan, output.pictures)
    write_page(render_page("plan.html", context), Path(output.page))
    print("\n".join(f"{answer['label']}: {answer['text']}" for answer in context["answers"]))
    print(f"Open {output.page}")
