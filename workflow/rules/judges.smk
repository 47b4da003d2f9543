# Responses to machine judges: one job a task trains them and lets them judge.
#
# in:  <results>/{study}/data/responses.parquet; features of images where configured
# out: <results>/{study}/judges/{task}/judgments.parquet (read by clean), scores.parquet,
#      evaluation.csv, audit.csv


def trained_tasks(name):
    """Tasks of a study with judges to train."""
    if not CONFIG.judges.train:
        return []
    tasks = study_of(name).tasks
    return [task for task in tasks if any(c.trained for c in tasks[task].cohorts.values())]


def judge_files(table):
    """Input function: one table of all trained judges of a study."""
    return lambda wildcards: [
        f"<results>/{wildcards.study}/judges/{task}/{table}"
        for task in trained_tasks(wildcards.study)
    ]


rule train_judges:
    input:
        responses="<results>/{study}/data/responses.parquet",
        given=[
            path for path in (CONFIG.judges.arrays, CONFIG.judges.images) if path and CONFIG.judges.train
        ],
        code=code("train_judges.py"),
    output:
        judgments="<results>/{study}/judges/{task}/judgments.parquet",
        scores="<results>/{study}/judges/{task}/scores.parquet",
        evaluation="<results>/{study}/judges/{task}/evaluation.csv",
        audit="<results>/{study}/judges/{task}/audit.csv",
    log:
        "<results>/{study}/logs/train_judges_{task}.log",
    benchmark:
        "<results>/{study}/benchmarks/train_judges_{task}.tsv"
    conda:
        "../../envs/environment.yaml"
    params:
        study=lambda w: sections()(w)
        | {"tasks": {w.task: study_of(w.study).tasks[w.task].model_dump(mode="json")}},
        options=CONFIG.judges.model_dump(mode="json"),
        seed=CONFIG.seed,
        level=CONFIG.confidence,
        data=data,
    script:
        "../../scripts/train_judges.py"
