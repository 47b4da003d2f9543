# Results to figures: one job picks the numbers of all figures, one light job draws each.
#
# in:  <results>/{study}/statistics/*.csv, data/exclusions.csv, data/missing.csv,
#      data/responses.parquet, judges/evaluation.csv, audit.csv,
#      data/published/{study}/benchmarks.csv, figures.csv
# out: <results>/{study}/figures/{figure}.csv (source data), .pdf, .svg, .png;
#      figures/inventory.csv: every figure of the paper, drawn or why not


rule figures:
    input:
        PLAN.figure_targets,


# One rule per study, since the lists of figures differ.
for name in VERDICTS:

    rule:
        name:
            f"figure_data_{name}"
        input:
            estimates=f"<results>/{name}/statistics/estimates.csv",
            tests=f"<results>/{name}/statistics/tests.csv",
            sizes=f"<results>/{name}/statistics/sizes.csv",
            exclusions=f"<results>/{name}/data/exclusions.csv",
            missing=f"<results>/{name}/data/missing.csv",
            responses=f"<results>/{name}/data/responses.parquet",
            evaluation=lambda w, name=name: PLANS[name].list_trained("evaluation.csv"),
            audit=lambda w, name=name: PLANS[name].list_trained("audit.csv"),
            counts=f"<results>/{name}/data/counts.parquet",
            benchmarks=lambda w, name=name: PLANS[name].list_published("benchmarks"),
            claims=lambda w, name=name: PLANS[name].list_published_claims("claims"),
            listed=lambda w, name=name: PLANS[name].listed_tables,
            code=code("scripts/figure_data.py"),
        output:
            expand(
                f"<results>/{name}/figures/{{figure}}.csv",
                figure=PLANS[name].picked_figures,
            ),
        log:
            f"<results>/{name}/logs/figure_data.log",
        benchmark:
            f"<results>/{name}/benchmarks/figure_data.tsv"
        group:
            submitted_with("report")
        conda:
            "../../envs/environment.yaml"
        params:
            study=of_study(
                name, sections("figures", "demographics", "ordered", "shaded", keep=[LABEL])
            ),
            reading=of_study(name, reading),
            level=CONFIG.confidence,
            data=of_study(name, data),
        script:
            "../../scripts/figure_data.py"


rule draw:
    input:
        data="<results>/{study}/figures/{figure}.csv",
        code=lambda w: code("scripts/draw_figure.py", plan(w).find_figure_module(w.figure)),
    output:
        [
            (
                report(
                    f"<results>/{{study}}/figures/{{figure}}.{format}",
                    caption="../report/figure.rst",
                    category="Figures",
                    labels={"figure": "{figure}"},
                )
                if format == "png"
                else f"<results>/{{study}}/figures/{{figure}}.{format}"
            )
            for format in CONFIG.figures.formats
        ],
    log:
        "<results>/{study}/logs/draw_{figure}.log",
    benchmark:
        "<results>/{study}/benchmarks/draw_{figure}.tsv"
    group:
        submitted_with("report")
    conda:
        "../../envs/environment.yaml"
    params:
        module=lambda w: plan(w).find_figure_module(w.figure),
        places=lambda w: plan(w).place_panels(w.figure),
        colormap=CONFIG.figures.colormap,
        dpi=CONFIG.figures.dpi,
        about=lambda w: plan(w).describe_figure(w.figure),
        # Only the captions of the report use these, but they also change the content of the source data.
        reading=reading,
        data=data,
    script:
        "../../scripts/draw_figure.py"


for name in PLANS:

    rule:
        name:
            f"inventory_{name}"
        input:
            published=lambda w, name=name: PLANS[name].list_published("figures"),
            figures=expand(
                f"<results>/{name}/figures/{{figure}}.csv", figure=PLANS[name].study.figures
            ),
            missing=f"<results>/{name}/data/missing.csv",
            across=lambda w, name=name: PLANS[name].list_if_made("across_tasks"),
            code=code("scripts/inventory.py"),
        output:
            f"<results>/{name}/figures/inventory.csv",
        log:
            f"<results>/{name}/logs/inventory.log",
        group:
            submitted_with("report")
        conda:
            "../../envs/environment.yaml"
        params:
            tables=lambda w, name=name: list(PLANS[name].study.tables),
            pools=lambda w, name=name: PLANS[name].pools,
            trained=lambda w, name=name: PLANS[name].label_cohorts(lambda c: c.trained),
            skipped=lambda w, name=name: PLANS[name].skipped,
            not_drawn=lambda w, name=name: PLANS[name].study.not_drawn,
            data=of_study(name, data),
        script:
            "../../scripts/inventory.py"
