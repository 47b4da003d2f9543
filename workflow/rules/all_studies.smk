# Everything of every study in config/studies/, one module each, and all studies on one scale: the odds that an
# agent is called human, against those of a person.
#
# in:  of every study its report, <results>/{study}/data/counts.parquet, provenance.json,
#      statistics/success_rates.csv, printed_rates.csv (printed counts)
# out: <results>/index.html; <results>/all-studies/statistics/effects.csv, left_out.csv;
#      <results>/all-studies/figures/forest.csv (source data), .svg, .png

PLANS, BROKEN = load_plans(CONFIG, Path.cwd())
USER_LOGS = [f"{CONFIG.pathvars.results}/all-studies/logs/overview.log"]
for name, problem in BROKEN.items():
    logger.warning(f"Study {name} is left out of this run.\n{problem}\n")
EVERYTHING = [
    "<results>/index.html",
    *(path for plan in PLANS.values() for path in plan.everything),
]

for study, plan in PLANS.items():
    label = f"{study}_"

    module:
        name: study
        snakefile:
            str(HOME / "Snakefile")
        config:
            config | {"study": study}

    # Studies may share their raw files.
    if plan.raw.owner == study or plan.raw.owner not in PLANS:

        use rule * from study as label*

    else:

        use rule * from study exclude generate as label*


rule overview:
    input:
        reports=[f"{plan.folder}/report/index.html" for plan in PLANS.values()],
        results=[path for plan in PLANS.values() for path in plan.synthesis_inputs],
        templates=templates("base", "reading", "studies", "figure_notes.txt", "first_screen.txt"),
    output:
        expand("<results>/all-studies/figures/forest.{ending}", ending=CONFIG.figures.formats),
        page="<results>/index.html",
        effects="<results>/all-studies/statistics/effects.csv",
        left_out="<results>/all-studies/statistics/left_out.csv",
        forest="<results>/all-studies/figures/forest.csv",
    log:
        "<results>/all-studies/logs/overview.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("scripts/write_overview.py"),
        studies=[describe_for_synthesis(plan.study) for plan in PLANS.values()],
        reported=[plan.reported for plan in PLANS.values()],
        broken=list(BROKEN),
        level=CONFIG.confidence,
        title=ALL_STUDIES[-1].title,
        style=STYLE,
    script:
        "../../scripts/write_overview.py"
