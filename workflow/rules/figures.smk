# Numbers of figures to pictures: one job, which draws those whose numbers, style or code have changed.
#
# in:  <results>/{study}/figures/{figure}.csv
# out: <results>/{study}/figures/{figure}.svg, .png; a copy of each in <results>/.cache/


FIGURES = [result for result in PLAN.listed["tables"] if result.draw]
PICTURES = PLAN.list_pictures(FIGURES)


rule figures:
    input:
        data=PLAN.list_files(FIGURES, []),
        notes=templates("figure_notes.txt"),
    output:
        [
            report(
                path,
                caption="../report/figure.rst",
                category="Figures",
                labels={"figure": Path(path).stem},
            )
            for path in PLAN.list_pictures(FIGURES, ["svg"] * ("svg" in STYLE["formats"]))
        ],
        PLAN.list_pictures(FIGURES, [end for end in STYLE["formats"] if end != "svg"]),
    log:
        "<results>/<study>/logs/figures.log",
    benchmark:
        "<results>/<study>/benchmarks/figures.tsv"
    conda:
        "../../envs/environment.yaml"
    # A few pictures are drawn by one process, beside that of the ledger.
    threads: count_cores(PICTURES[::10])
    params:
        code=code("scripts/draw_figures.py", *{figure.draw for figure in FIGURES}),
        draw={figure.name: figure.draw for figure in FIGURES},
        about={figure.name: PLAN.describe_figure(figure.name) for figure in FIGURES},
        places={figure.name: place_panels(PLAN.study, figure.name) for figure in FIGURES},
        style=STYLE,
        # Only the captions of the report use these.
        reading=choose_reading(PLAN.facts),
        data=PLAN.raw.label,
    script:
        "../../scripts/draw_figures.py"
