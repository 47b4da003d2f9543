# A study of any design, from raw files to all numbers that are shown; verdicts.smk has what only verdicts need.
#
# in:  raw files (data/observed/, data/raw/ or a folder), data/published/{study}/
# out: <results>/{study}/data/, statistics/, tables/, and figures/*.csv (numbers of figures)


rule read:
    input:
        raw=lambda w: load_or_stop(lambda: PLAN.raw.inputs),
        code=code("scripts/read_data.py", *list_modules("turingstats.data.adapters", HOME)),
    output:
        sources="<results>/<study>/data/sources.csv",
        missing="<results>/<study>/data/missing.csv",
        tables=PLAN.list_data(PLAN.read_tables),
    log:
        "<results>/<study>/logs/read.log",
    benchmark:
        "<results>/<study>/benchmarks/read.tsv"
    conda:
        "../../envs/environment.yaml"
    params:
        versions=versions("scripts/read_data.py", *list_modules("turingstats.data.adapters", HOME)),
        raw=PLAN.raw.described | {"cohorts": PLAN.cohorts},
        content=lambda w: load_or_stop(PLAN.raw.digest_content),
        study=PLAN.study_to_ingest,
        data=PLAN.data_label,
    script:
        "../../scripts/read_data.py"


# Also what was read, so that a failure to read is not hidden by earlier results.
rule data:
    input:
        [path for path in PLAN.data_targets if not path.endswith("provenance.json")],


rule statistics:
    input:
        data=PLAN.list_data(PLAN.analyzed_tables),
        published=[*PLAN.coding_schemes, *PLAN.list_published("benchmarks")],
        code=code("scripts/compute_statistics.py"),
    output:
        PLAN.list_statistics(PLAN.computed_statistics),
    log:
        "<results>/<study>/logs/statistics.log",
    benchmark:
        "<results>/<study>/benchmarks/statistics.tsv"
    conda:
        "../../envs/environment.yaml"
    threads: count_cores(PLAN.computed_statistics)
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        versions=versions("scripts/compute_statistics.py"),
        study=PLAN.select_sections(
            *("demographics", "ordered", "bands", "breakdowns", "comparisons"),
            *("codes", "tables", "alignment_tests"),
        ),
        grades=PLAN.grades,
        options={
            "seed": CONFIG.seed,
            "confidence": CONFIG.confidence,
            "correction": CONFIG.correction,
            "n_bootstrap": CONFIG.resamples.bootstrap,
            "n_permutation": CONFIG.resamples.permutation,
            "margin": CONFIG.equivalence.margin,
            "power": CONFIG.plan.power,
        },
        data=PLAN.data_label,
    script:
        "../../scripts/compute_statistics.py"


# All that is shown, except pictures: tables, the numbers of each figure, the list of figures.
rule tables:
    input:
        results=PLAN.shown_results,
        published=[
            path
            for name in (
                *("counts", "pass_rates", "design", "benchmarks", "figures", "notebooks"),
                *PLAN.study.tables,
            )
            for path in PLAN.list_published(name)
        ],
        templates=templates("base", "table"),
        code=code("scripts/write_tables.py"),
    output:
        PLAN.list_statistics(PLAN.shown_statistics),
        PLAN.list_figures(PLAN.all_figures, ["csv"]),
        "<results>/<study>/figures/inventory.csv",
        PLAN.list_tables([*PLAN.study.tables, *PLAN.made_tables]),
    log:
        "<results>/<study>/logs/tables.log",
    benchmark:
        "<results>/<study>/benchmarks/tables.tsv"
    conda:
        "../../envs/environment.yaml"
    params:
        versions=versions("scripts/write_tables.py"),
        study=PLAN.select_sections(
            *("figures", "tables", "demographics", "ordered", "shaded"),
            *("subsets", "contrasts", "comparisons", "models"),
            keep=[LABEL],
        ),
        reading=PLAN.reading,
        level=CONFIG.confidence,
        data=PLAN.data_label,
        figures=PLAN.all_figures,
        tables=PLAN.made_tables,
        listed=PLAN.listed_tables,
        settings={
            "equivalence": {"margin": CONFIG.equivalence.margin, "power": CONFIG.plan.power},
            "llm": LLM,
            "correction": CONFIG.correction,
        },
        # What the list of figures says besides their numbers.
        notes={
            "pools": PLAN.pools,
            "trained": PLAN.label_cohorts(lambda cohort: cohort.trained),
            "skipped": PLAN.skipped,
            "not_drawn": PLAN.study.not_drawn,
        },
    script:
        "../../scripts/write_tables.py"
