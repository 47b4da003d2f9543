# Responses to machine judges: one job trains those of all tasks and lets them judge.
#
# in:  <results>/{study}/data/responses.parquet; vectors and features of images where configured
# out: <results>/{study}/judges/judgments.parquet (read by clean), scores.parquet, evaluation.csv,
#      audit.csv


rule train_judges:
    input:
        responses="<results>/{study}/data/responses.parquet",
        given=[path for path in (CONFIG.judges.arrays, CONFIG.judges.images) if path],
        code=code("scripts/train_judges.py"),
    output:
        judgments="<results>/{study}/judges/judgments.parquet",
        scores="<results>/{study}/judges/scores.parquet",
        evaluation="<results>/{study}/judges/evaluation.csv",
        audit="<results>/{study}/judges/audit.csv",
    log:
        "<results>/{study}/logs/train_judges.log",
    benchmark:
        "<results>/{study}/benchmarks/train_judges.tsv"
    # All verdicts wait for this job, and it uses all cores, so it runs before jobs that use one.
    priority: 10
    conda:
        "../../envs/environment.yaml"
    threads: lambda w: count_cores(plan(w).trained_study.tasks)
    params:
        study=lambda w: plan(w).trained_study.model_dump(mode="json"),
        options=CONFIG.judges.model_dump(mode="json"),
        seed=CONFIG.seed,
        level=CONFIG.confidence,
        data=data,
    script:
        "../../scripts/train_judges.py"
