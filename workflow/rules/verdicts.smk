# A study of verdicts, from raw files to all numbers that are shown.
#
# in:  raw files (data/observed/, data/raw/ or a folder), data/published/{study}/
# out: <results>/{study}/data/, judges/, statistics/, tables/, and figures/*.csv (numbers of figures)


rule read:
    input:
        raw=lambda w: load_or_stop(lambda: PLAN.raw.inputs),
        code=code("scripts/read_judgments.py", *list_modules("turingstats.data.adapters", HOME)),
    output:
        sources="<results>/<study>/data/sources.csv",
        missing="<results>/<study>/data/missing.csv",
        judgments="<results>/<study>/data/raw_judgments.parquet",
        judges="<results>/<study>/data/judges.parquet",
        responses="<results>/<study>/data/responses.parquet",
        left_out="<results>/<study>/data/left_out.csv",
        notes="<results>/<study>/data/reading_notes.csv",
    log:
        "<results>/<study>/logs/read.log",
    benchmark:
        "<results>/<study>/benchmarks/read.tsv"
    conda:
        "../../envs/environment.yaml"
    params:
        raw=PLAN.raw.described | {"cohorts": PLAN.cohorts},
        study=PLAN.study_to_ingest,
    script:
        "../../scripts/read_judgments.py"


if PLAN.trains_judges:

    # Machine judges of all tasks, and what they say of the responses.
    rule judges:
        input:
            responses="<results>/<study>/data/responses.parquet",
            given=[path for path in (CONFIG.judges.vectors, CONFIG.judges.images) if path],
            code=code("scripts/train_judges.py"),
        output:
            judgments="<results>/<study>/judges/judgments.parquet",
            scores="<results>/<study>/judges/scores.parquet",
            evaluation="<results>/<study>/judges/evaluation.csv",
            audit="<results>/<study>/judges/audit.csv",
        log:
            "<results>/<study>/logs/judges.log",
        benchmark:
            "<results>/<study>/benchmarks/judges.tsv"
        conda:
            "../../envs/environment.yaml"
        threads: count_cores(PLAN.trained_study.tasks)
        resources:
            mem_mb=4000,
            runtime=60,
        params:
            study=PLAN.trained_study.model_dump(mode="json"),
            options=CONFIG.judges.model_dump(mode="json"),
            seed=CONFIG.seed,
            level=CONFIG.confidence,
            data=PLAN.data_label,
        script:
            "../../scripts/train_judges.py"


# Also what was read, so that a failure to read is not hidden by earlier results.
rule data:
    input:
        [path for path in PLAN.data_targets if not path.endswith("provenance.json")],


# Which judgments are analyzed, the log of the others, and counts of verdicts.
rule clean:
    input:
        judgments="<results>/<study>/data/raw_judgments.parquet",
        judged_here=[*PLAN.list_trained("judgments.parquet"), *PLAN.asked_judgments],
        judges="<results>/<study>/data/judges.parquet",
        responses="<results>/<study>/data/responses.parquet",
        left_out="<results>/<study>/data/left_out.csv",
        notes="<results>/<study>/data/reading_notes.csv",
        code=code("scripts/clean.py"),
    output:
        judgments="<results>/<study>/data/judgments.parquet",
        exclusions="<results>/<study>/data/exclusions.csv",
        flags="<results>/<study>/data/flags.csv",
        checks="<results>/<study>/data/record_checks.csv",
        counts="<results>/<study>/data/counts.parquet",
        groups="<results>/<study>/data/groups.csv",
        sizes="<results>/<study>/statistics/sizes.csv",
        protocol="<results>/<study>/statistics/protocol.csv",
    log:
        "<results>/<study>/logs/clean.log",
    benchmark:
        "<results>/<study>/benchmarks/clean.tsv"
    conda:
        "../../envs/environment.yaml"
    params:
        cleaning=CONFIG.cleaning.model_dump(),
        judge_group=PLAN.judge_group,
        study=PLAN.select_sections("demographics"),
        data=PLAN.data_label,
    script:
        "../../scripts/clean.py"


rule statistics:
    input:
        judgments="<results>/<study>/data/judgments.parquet",
        judges="<results>/<study>/data/judges.parquet",
        responses="<results>/<study>/data/responses.parquet",
        counts="<results>/<study>/data/counts.parquet",
        groups="<results>/<study>/data/groups.csv",
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
        study=PLAN.select_sections(
            *("demographics", "ordered", "bands", "comparisons"),
            *("codes", "tables"),
        ),
        grades=PLAN.grades,
        same_rows=PLAN.same_rows,
        options={
            "seed": CONFIG.seed,
            "confidence": CONFIG.confidence,
            "n_bootstrap": CONFIG.resamples.bootstrap,
            "n_permutation": CONFIG.resamples.permutation,
            "margin": CONFIG.equivalence.margin,
            "power": CONFIG.plan.power,
        },
        data=PLAN.data_label,
    script:
        "../../scripts/compute_statistics.py"


# Mixed models of single verdicts.
rule models:
    input:
        judgments="<results>/<study>/data/judgments.parquet",
        judges="<results>/<study>/data/judges.parquet",
        groups="<results>/<study>/data/groups.csv",
        code=code("scripts/fit_models.py"),
    output:
        models="<results>/<study>/statistics/models.csv",
        random_effects="<results>/<study>/statistics/random_effects.csv",
        contrasts="<results>/<study>/statistics/model_contrasts.csv",
        # The parts of the fits that answer the questions of published tests.
        asked="<results>/<study>/statistics/fits.json",
    log:
        "<results>/<study>/logs/models.log",
    benchmark:
        "<results>/<study>/benchmarks/models.tsv"
    # The longest job, and others wait for it.
    priority: 10
    conda:
        "../../envs/environment.yaml"
    threads: count_cores(PLAN.study.models)
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        study=PLAN.select_sections("demographics", "ordered", "comparisons", "models"),
        data=PLAN.data_label,
        options={
            "confidence": CONFIG.confidence,
            "seed": CONFIG.seed,
        },
    script:
        "../../scripts/fit_models.py"


# All that is shown, except pictures: tables, the numbers of each figure, the list of figures.
rule tables:
    input:
        results=[
            *PLAN.list_statistics([*PLAN.computed_statistics, *PLAN.fitted_statistics, "sizes"]),
            *PLAN.list_trained("evaluation.csv"),
            *PLAN.list_trained("audit.csv"),
            *PLAN.list_asked("answers.csv"),
            "<results>/<study>/data/counts.parquet",
            "<results>/<study>/data/responses.parquet",
            "<results>/<study>/data/exclusions.csv",
            "<results>/<study>/data/missing.csv",
        ],
        fits="<results>/<study>/statistics/fits.json",
        published=PLAN.printed_files,
        claims=PLAN.list_published_claims("claims"),
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
        },
        notes=PLAN.inventory_notes,
    script:
        "../../scripts/write_tables.py"
