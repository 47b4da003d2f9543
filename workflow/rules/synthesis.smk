# All studies on one scale: the odds that an agent is called human, against those of a person.
#
# in:  of every study <results>/{study}/data/counts.parquet, provenance.json,
#      statistics/success_rates.csv, printed_rates.csv (printed counts)
# out: <results>/all-studies/statistics/effects.csv, covariances.csv, averages.csv, left_out.csv;
#      <results>/all-studies/figures/forest.csv (source data), .pdf, .svg, .png


rule synthesize:
    input:
        [path for plan in PLANS.values() for path in plan.synthesis_inputs],
        code=code("scripts/synthesize.py"),
    output:
        effects="<results>/all-studies/statistics/effects.csv",
        covariances="<results>/all-studies/statistics/covariances.csv",
        averages="<results>/all-studies/statistics/averages.csv",
        left_out="<results>/all-studies/statistics/left_out.csv",
        forest="<results>/all-studies/figures/forest.csv",
    log:
        "<results>/all-studies/logs/synthesize.log",
    group:
        submitted_with("overview")
    conda:
        "../../envs/environment.yaml"
    params:
        studies=[plan.synthesized for plan in PLANS.values()],
        broken=list(BROKEN),
        level=CONFIG.confidence,
    script:
        "../../scripts/synthesize.py"


rule draw_synthesis:
    input:
        data="<results>/all-studies/figures/forest.csv",
        code=code("scripts/draw_figure.py", "src/turingstats/figures/synthesis.py"),
    output:
        expand("<results>/all-studies/figures/forest.{format}", format=CONFIG.figures.formats),
    log:
        "<results>/all-studies/logs/draw_forest.log",
    group:
        submitted_with("overview")
    conda:
        "../../envs/environment.yaml"
    params:
        module="src/turingstats/figures/synthesis.py",
        colormap=CONFIG.figures.colormap,
        dpi=CONFIG.figures.dpi,
        about={
            "title": synthesis_section.TITLE,
            "caption": synthesis_section.CAPTION,
            "keywords": ["Turing-like test", "meta-analysis"],
        },
    script:
        "../../scripts/draw_figure.py"
