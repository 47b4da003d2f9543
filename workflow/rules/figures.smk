# Numbers of figures to pictures: one job, which draws those whose numbers, style or code have changed.
#
# in:  <results>/{study}/figures/{figure}.csv
# out: <results>/{study}/figures/{figure}.pdf, .svg, .png; a copy of each in <results>/.cache/


rule figures:
    input:
        data=PLAN.list_figures(PLAN.all_figures, ["csv"]),
        notes=templates("figure_notes.txt"),
        code=code("scripts/draw_figures.py"),
    output:
        [
            report(
                path,
                caption="../report/figure.rst",
                category="Figures",
                labels={"figure": Path(path).stem},
            )
            for path in PLAN.list_figures(PLAN.all_figures, ["svg"] * ("svg" in STYLE["formats"]))
        ],
        PLAN.list_figures(PLAN.all_figures, [end for end in STYLE["formats"] if end != "svg"]),
    log:
        "<results>/<study>/logs/figures.log",
    benchmark:
        "<results>/<study>/benchmarks/figures.tsv"
    conda:
        "../../envs/environment.yaml"
    threads: count_cores(PLAN.all_figures)
    params:
        versions=versions("scripts/draw_figures.py"),
        declared=list(PLAN.study.figures),
        design=DESIGN,
        about={name: PLAN.describe_figure(name) for name in PLAN.all_figures},
        places={name: PLAN.place_panels(name) for name in PLAN.all_figures},
        style=STYLE,
        # Only the captions of the report use these.
        reading=PLAN.reading,
        data=PLAN.data_label,
    script:
        "../../scripts/draw_figures.py"
