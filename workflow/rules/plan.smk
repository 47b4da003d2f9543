# A planned study: power of its designs, from a finished study or from stated values.
#
#   snakemake plan --config plan="{model: object.agents}"
#   snakemake plan --config study=trials plan="{cost_per_judge: 2, cost_per_trial: 0.05}"
#
# in:  <results>/{study}/statistics/models.csv, unless plan.model is stated
# out: <results>/{study}/plan/index.html, methods.txt; power.csv (every design, drawn as power.svg and
#      .png), designs.csv (the cheapest ones), assumptions.csv


rule plan:
    input:
        models=lambda w: load_or_stop(list_planning_models, PLAN),
        templates=templates(
            "base",
            "reading",
            "plan",
            "plan_answer.txt",
            "plan_methods.txt",
            "captions.yaml",
            "figure_notes.txt",
        ),
    output:
        power="<results>/<study>/plan/power.csv",
        designs="<results>/<study>/plan/designs.csv",
        assumptions="<results>/<study>/plan/assumptions.csv",
        methods="<results>/<study>/plan/methods.txt",
        pictures=expand("<results>/<study>/plan/power.{format}", format=CONFIG.figures.formats),
        page="<results>/<study>/plan/index.html",
    log:
        "<results>/<study>/logs/plan.log",
    benchmark:
        "<results>/<study>/benchmarks/plan.tsv"
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("scripts/plan_study.py"),
        study=PLAN.reported,
        plan=CONFIG.plan.model_dump(mode="json"),
        options={
            "confidence": CONFIG.confidence,
            "margin": CONFIG.equivalence.margin,
            "seed": CONFIG.seed,
        },
        about=PLAN.describe_figure("power"),
        style=STYLE,
    script:
        "../../scripts/plan_study.py"
