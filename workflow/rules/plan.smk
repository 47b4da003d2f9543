# A study to come: power of its designs, from a finished study or from stated values.
#
#   snakemake plan --config plan="{model: object.agents, looks: 3}"
#   snakemake plan --config study=trials plan="{cost_per_judge: 2, cost_per_trial: 0.05, currency: USD}"
#
# in:  <results>/{study}/statistics/models.csv, unless plan.model is stated
# out: <results>/{study}/plan/index.html, methods.txt; power.csv (every design, drawn as power.pdf, .svg,
#      .png), designs.csv (the cheapest ones), assumptions.csv, exact.csv, looks.csv (drawn as looks.*)


rule plan:
    input:
        PLAN.planned_files,


rule plan_study:
    input:
        models=lambda w: load_or_stop(lambda: plan(w).planning_models),
        code=code("scripts/plan_study.py"),
    output:
        power="<results>/{study}/plan/power.csv",
        designs="<results>/{study}/plan/designs.csv",
        assumptions="<results>/{study}/plan/assumptions.csv",
        exact="<results>/{study}/plan/exact.csv",
        looks="<results>/{study}/plan/looks.csv",
        methods="<results>/{study}/plan/methods.txt",
    log:
        "<results>/{study}/logs/plan_study.log",
    benchmark:
        "<results>/{study}/benchmarks/plan_study.tsv"
    group:
        submitted_with("plan")
    conda:
        "../../envs/environment.yaml"
    params:
        study=lambda w: w.study,
        labels=lambda w: plan(w).agent_labels,
        plan=CONFIG.plan.model_dump(mode="json"),
        options={
            "confidence": CONFIG.confidence,
            "margin": CONFIG.equivalence.margin,
            "seed": CONFIG.seed,
        },
    script:
        "../../scripts/plan_study.py"


rule draw_plan:
    input:
        data="<results>/{study}/plan/{figure}.csv",
        code=lambda w: code(
            "scripts/draw_figure.py", f"src/turingstats/figures/planning/{w.figure}.py"
        ),
    output:
        expand("<results>/{{study}}/plan/{{figure}}.{format}", format=CONFIG.figures.formats),
    log:
        "<results>/{study}/logs/draw_plan_{figure}.log",
    wildcard_constraints:
        figure="power|looks",
    group:
        submitted_with("plan")
    conda:
        "../../envs/environment.yaml"
    params:
        module=lambda w: f"src/turingstats/figures/planning/{w.figure}.py",
        colormap=CONFIG.figures.colormap,
        dpi=CONFIG.figures.dpi,
        about=lambda w: plan(w).describe_figure(w.figure),
    script:
        "../../scripts/draw_figure.py"


rule write_plan:
    input:
        power="<results>/{study}/plan/power.csv",
        designs="<results>/{study}/plan/designs.csv",
        assumptions="<results>/{study}/plan/assumptions.csv",
        exact="<results>/{study}/plan/exact.csv",
        looks="<results>/{study}/plan/looks.csv",
        methods="<results>/{study}/plan/methods.txt",
        pictures=lambda w: plan(w).planned_pictures,
        templates=templates("base", "reading", "plan"),
        code=code("scripts/plan_page.py"),
    output:
        "<results>/{study}/plan/index.html",
    log:
        "<results>/{study}/logs/plan_page.log",
    group:
        submitted_with("plan")
    conda:
        "../../envs/environment.yaml"
    params:
        study=lambda w: plan(w).reported,
        plan=CONFIG.plan.model_dump(mode="json"),
    script:
        "../../scripts/plan_page.py"
