# Only for a study of verdicts: judges trained here, the judgments that are analyzed, mixed models.
#
# in:  <results>/{study}/data/ (raw judgments)
# out: <results>/{study}/data/, judges/, statistics/ of models


if PLAN.trained_tasks:

    # Machine judges of all tasks, and what they say of the responses.
    rule judges:
        input:
            responses="<results>/<study>/data/responses.parquet",
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
        threads: count_cores(PLAN.trained_tasks)
        resources:
            mem_mb=4000,
            runtime=60,
        params:
            versions=versions("scripts/train_judges.py"),
            study=PLAN.study_to_train,
            options=CONFIG.judges.model_dump(mode="json"),
            seed=CONFIG.seed,
            level=CONFIG.confidence,
            data=PLAN.data_label,
        script:
            "../../scripts/train_judges.py"


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
        versions=versions("scripts/clean.py"),
        cleaning=CONFIG.cleaning.model_dump(),
        study=PLAN.select_sections("demographics"),
        data=PLAN.data_label,
    script:
        "../../scripts/clean.py"


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
        versions=versions("scripts/fit_models.py"),
        study=PLAN.select_sections("demographics", "ordered", "comparisons", "models"),
        data=PLAN.data_label,
        options={
            "confidence": CONFIG.confidence,
            "correction": CONFIG.correction,
            "seed": CONFIG.seed,
        },
    script:
        "../../scripts/fit_models.py"
