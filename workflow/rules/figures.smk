# Results to figures: one job picks the numbers of all figures, one light job draws each.
#
# in:  <results>/{study}/statistics/*.csv, data/exclusions.csv, data/missing.csv,
#      data/responses.parquet, data/published/{study}/benchmarks.csv, figures.csv
# out: <results>/{study}/figures/{figure}.csv (source data), .pdf, .svg, .png;
#      figures/inventory.csv: every figure of the paper, drawn or why not


rule figures:
    input:
        expand(
            f"<results>/{CONFIG.study}/figures/{{figure}}.{{format}}",
            figure=[*STUDY.figures, "exclusions"],
            format=CONFIG.figures.formats,
        ),
        f"<results>/{CONFIG.study}/figures/inventory.csv",


rule figure_data:
    input:
        estimates="<results>/{study}/statistics/estimates.csv",
        tests="<results>/{study}/statistics/tests.csv",
        sizes="<results>/{study}/statistics/sizes.csv",
        exclusions="<results>/{study}/data/exclusions.csv",
        missing="<results>/{study}/data/missing.csv",
        responses="<results>/{study}/data/responses.parquet",
        benchmarks="data/published/{study}/benchmarks.csv",
        code=code("figure_data.py"),
    output:
        expand(
            "<results>/{{study}}/figures/{figure}.csv",
            figure=[*STUDY.figures, "exclusions"],
        ),
    log:
        "<results>/{study}/logs/figure_data.log",
    benchmark:
        "<results>/{study}/benchmarks/figure_data.tsv"
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections("figures"),
        reading=CONFIG.figures.reading,
        level=CONFIG.confidence,
        data=DATA,
    script:
        "../../scripts/figure_data.py"


rule draw:
    input:
        data="<results>/{study}/figures/{figure}.csv",
        code=lambda w: code("draw_figure.py", f"turingstats/figures/{w.figure}.py"),
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
        colormap=CONFIG.figures.colormap,
        dpi=CONFIG.figures.dpi,
        # Only the caption of the report uses these; they change what the source data holds as well.
        reading=CONFIG.figures.reading,
        data=DATA,
    script:
        "../../scripts/draw_figure.py"


rule inventory:
    input:
        published="data/published/{study}/figures.csv",
        figures=expand("<results>/{{study}}/figures/{figure}.csv", figure=STUDY.figures),
        missing="<results>/{study}/data/missing.csv",
        code=code("inventory.py"),
    output:
        "<results>/{study}/figures/inventory.csv",
    log:
        "<results>/{study}/logs/inventory.log",
    conda:
        "../../envs/environment.yaml"
    params:
        tables=lambda w: list(study_of(w.study).tables),
        pools=lambda w: {
            name: {pool: list(cohort.pools) for pool, cohort in task.cohorts.items()}
            for name, task in study_of(w.study).tasks.items()
        },
        data=DATA,
    script:
        "../../scripts/inventory.py"
