# A study to come: power of its designs, from a finished study or from stated values.
#
#   snakemake plan --config plan="{model: object.agents, looks: 3}"
#   snakemake plan --config study=trials plan="{cost_per_judge: 2, cost_per_trial: 0.05}"
#
# in:  <results>/{study}/statistics/models.csv, unless plan.model is stated
# out: <results>/{study}/plan/index.html, methods.txt; power.csv (every design, drawn as power.pdf, .svg,
#      .png), designs.csv (the cheapest ones), assumptions.csv, looks.csv (drawn as looks.*)


rule plan:
    input:
        models=lambda w: load_or_stop(lambda: PLAN.planning_models),
        templates=templates("base", "reading", "plan", "headings.yaml"),
        code=code("scripts/plan_study.py"),
    output:
        expand(
            "<results>/<study>/plan/{name}.csv",
            name=["power", "designs", "assumptions", "looks"],
        ),
        methods="<results>/<study>/plan/methods.txt",
        pictures=PLAN.planned_pictures,
        page="<results>/<study>/plan/index.html",
    log:
        "<results>/<study>/logs/plan.log",
    benchmark:
        "<results>/<study>/benchmarks/plan.tsv"
    conda:
        "../../envs/environment.yaml"
    params:
        study=PLAN.reported,
        labels=PLAN.reported["agents"],
        plan=CONFIG.plan.model_dump(mode="json"),
        options={
            "confidence": CONFIG.confidence,
            "margin": CONFIG.equivalence.margin,
            "seed": CONFIG.seed,
        },
        about={name: PLAN.describe_figure(name) for name in PLAN.planned_figures},
        style=STYLE,
    script:
        "../../scripts/plan_study.py"
