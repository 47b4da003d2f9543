# Graded verdicts, which are ratings on a scale of points or scores of detectors.
#
# in:  <results>/{study}/data/judgments.parquet, judges.parquet
# out: <results>/{study}/statistics/ratings.csv, ordinal_models.csv;
#      <results>/{study}/tables/rating_summary.csv, .tex, .html


rule measure_ratings:
    input:
        judgments="<results>/{study}/data/judgments.parquet",
        judges="<results>/{study}/data/judges.parquet",
        code=code("scripts/measure_ratings.py"),
    output:
        ratings="<results>/{study}/statistics/ratings.csv",
        models="<results>/{study}/statistics/ordinal_models.csv",
    log:
        "<results>/{study}/logs/measure_ratings.log",
    benchmark:
        "<results>/{study}/benchmarks/measure_ratings.tsv"
    group:
        submitted_with("statistics")
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections("false_alarms"),
        grades=lambda w: plan(w).grades,
        level=CONFIG.confidence,
        data=data,
    script:
        "../../scripts/measure_ratings.py"


rule rating_summary:
    input:
        ratings="<results>/{study}/statistics/ratings.csv",
        models="<results>/{study}/statistics/ordinal_models.csv",
        code=code("scripts/rating_summary.py"),
    output:
        csv="<results>/{study}/tables/rating_summary.csv",
        tex="<results>/{study}/tables/rating_summary.tex",
        html="<results>/{study}/tables/rating_summary.html",
    log:
        "<results>/{study}/logs/rating_summary.log",
    group:
        submitted_with("report")
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections(keep=[LABEL]),
        reading=reading,
        data=data,
    script:
        "../../scripts/rating_summary.py"
