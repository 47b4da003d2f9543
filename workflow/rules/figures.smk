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
            estimates="<results>/{study}/statistics/estimates.csv",
            tests="<results>/{study}/statistics/tests.csv",
            sizes="<results>/{study}/statistics/sizes.csv",
            exclusions="<results>/{study}/data/exclusions.csv",
            missing="<results>/{study}/data/missing.csv",
            responses="<results>/{study}/data/responses.parquet",
            evaluation=lambda w: plan(w).list_trained("evaluation.csv"),
            audit=lambda w: plan(w).list_trained("audit.csv"),
            counts="<results>/{study}/data/counts.parquet",
            benchmarks=lambda w: plan(w).list_published("benchmarks"),
            listed=lambda w: plan(w).listed_tables,
            code=code("figure_data.py"),
        output:
            expand(
                "<results>/{{study}}/figures/{figure}.csv",
                figure=PLANS[name].picked_figures,
            ),
        log:
            "<results>/{study}/logs/figure_data.log",
        benchmark:
            "<results>/{study}/benchmarks/figure_data.tsv"
        wildcard_constraints:
            study=name,
        conda:
            "../../envs/environment.yaml"
        params:
            study=sections("figures", "demographics", "ordered", "shaded", keep=[LABEL]),
            reading=reading,
            level=CONFIG.confidence,
            data=data,
        script:
            "../../scripts/figure_data.py"


rule draw:
    input:
        data="<results>/{study}/figures/{figure}.csv",
        code=lambda w: code("draw_figure.py", plan(w).find_figure_module(w.figure)),
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
            published=lambda w: plan(w).list_published("figures"),
            figures=expand(
                "<results>/{{study}}/figures/{figure}.csv", figure=PLANS[name].study.figures
            ),
            missing="<results>/{study}/data/missing.csv",
            across=lambda w: plan(w).list_if_made("across_tasks"),
            code=code("inventory.py"),
        output:
            "<results>/{study}/figures/inventory.csv",
        log:
            "<results>/{study}/logs/inventory.log",
        wildcard_constraints:
            study=name,
        conda:
            "../../envs/environment.yaml"
        params:
            tables=lambda w: list(plan(w).study.tables),
            pools=lambda w: plan(w).pools,
            trained=lambda w: plan(w).label_cohorts(lambda c: c.trained),
            skipped=lambda w: plan(w).skipped,
            not_drawn=lambda w: plan(w).study.not_drawn,
            data=data,
        script:
            "../../scripts/inventory.py"
