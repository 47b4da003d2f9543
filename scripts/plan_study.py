"""Simulate the designs of a study to come: power, cost, what would do, and looks at the data."""

from turingstats.config.planning import Plan
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.planning import assumptions, grid, looks, tables

with report_errors(snakemake.log[0]):
    params, output = snakemake.params, snakemake.output
    plan, options = Plan(**params.plan), params.options
    # None if the plan states all.
    models = next(map(files.read_frame, snakemake.input.models), None)
    assumed = assumptions.assume(plan, models, params.labels, params.study)
    power = grid.simulate_grid(plan, assumed, options)
    designs = grid.find_cheapest(power, plan, assumed, options)
    made = {
        "power": tables.mark_cheapest(power, designs),
        "designs": designs,
        "assumptions": tables.list_assumptions(plan, assumed, options),
        "exact": grid.compute_exact_designs(plan, assumed, options),
        "looks": looks.plan_looks(plan, assumed, designs, power, options),
    }
    for name, table in made.items():
        files.write_frame(table.assign(data=assumed.data), output[name])
    text = tables.write_methods(plan, assumed, designs, made["looks"], options)
    files.write_text(f"{text}\n", output.methods)
    print("\n".join(tables.describe_answers(designs, plan)))
