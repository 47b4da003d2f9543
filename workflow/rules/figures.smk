# Results to figures: one job picks the numbers of all figures, one light job draws each.
#
# in:  <results>/{study}/statistics/*.csv, data/exclusions.csv, data/missing.csv,
#      data/responses.parquet, judges/evaluation.csv, audit.csv,
#      data/published/{study}/benchmarks.csv, figures.csv
# out: <results>/{study}/figures/{figure}.csv (source data), .pdf, .svg, .png;
#      figures/inventory.csv: every figure of the paper, drawn or why not


rule figures:
    input:
        figure_targets(CONFIG.study),


# A rule a study, since the lists of figures differ.
for name in studies_of_design("verdicts"):

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
            evaluation=of_trained("evaluation.csv"),
            audit=of_trained("audit.csv"),
            counts="<results>/{study}/data/counts.csv",
            benchmarks=published("benchmarks"),
            listed=lambda w: listed_tables(w.study),
            code=code("figure_data.py"),
        output:
            expand(
                "<results>/{{study}}/figures/{figure}.csv",
                figure=picked_of(name),
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
            study=sections("figures", keep=[LABEL]),
            reading=reading,
            level=CONFIG.confidence,
            data=data,
        script:
            "../../scripts/figure_data.py"


rule draw:
    input:
        data="<results>/{study}/figures/{figure}.csv",
        code=lambda w: code("draw_figure.py", figure_module(w.study, w.figure)),
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
        module=lambda w: figure_module(w.study, w.figure),
        places=lambda w: places_of(w.study, w.figure),
        colormap=CONFIG.figures.colormap,
        dpi=CONFIG.figures.dpi,
        # Only the caption of the report uses these; they change what the source data holds as well.
        reading=reading,
        data=data,
    script:
        "../../scripts/draw_figure.py"


for name in STUDIES:

    rule:
        name:
            f"inventory_{name}"
        input:
            published=published("figures"),
            figures=expand(
                "<results>/{{study}}/figures/{figure}.csv", figure=study_of(name).figures
            ),
            missing="<results>/{study}/data/missing.csv",
            across=where_made(name, "across_tasks"),
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
            tables=lambda w: list(study_of(w.study).tables),
            pools=lambda w: pools_of(w.study),
            skipped=lambda w: skipped_of(w.study),
            not_drawn=lambda w: study_of(w.study).not_drawn,
            data=data,
        script:
            "../../scripts/inventory.py"
