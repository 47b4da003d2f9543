"""Simulate the designs of a planned study, and write the page on its power and cost."""

from pathlib import Path

from turingstats.config.planning import Plan
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.core.templating import render_page
from turingstats.figures import planned_power
from turingstats.figures.fonts import write_page
from turingstats.planning import assumptions, grid, page
from turingstats.stages.draw import Drawing, Style, draw_figure

with report_errors(snakemake.log[0]):
    params, output = snakemake.params, snakemake.output
    # None if the plan states all.
    models = next(map(files.read_frame, snakemake.input.models), None)
    assumed = assumptions.assume(
        Plan(**params.plan), models, params.study["agents"], params.study["study"], params.options
    )
    power = grid.simulate_grid(assumed)
    designs = grid.find_cheapest(power, assumed)
    power = grid.mark_cheapest(power, designs)
    made = {"power": power, "designs": designs, "assumptions": page.list_assumptions(assumed)}
    for name, table in made.items():
        files.write_frame(table.assign(data=assumed.data), output[name])
    drawing = Drawing(planned_power.draw, Path(output.power), params.about)
    draw_figure(drawing, Style(**params.style))
    answers = page.describe_designs(designs, assumed)
    context = page.build_context(
        params.study, assumed, power, answers, output.pictures, params.about
    )
    files.write_text(f"{context['methods']}\n", output.methods)
    write_page(render_page("plan.html", context), Path(output.page))
    print("\n".join(f"{answer['question_label']}: {answer['text']}" for answer in answers))
    print(f"Open {output.page}")
