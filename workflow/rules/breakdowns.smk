# Single verdicts by who judged and what the trial was like; codes of free text; genders of speakers.
#
# in:  <results>/{study}/data/judgments.parquet, groups.csv; schemes in data/published/{study}/
# out: <results>/{study}/statistics/breakdowns.csv, judge_tests.csv, codes.csv, genders.csv


rule break_down:
    input:
        judgments="<results>/{study}/data/judgments.parquet",
        groups="<results>/{study}/data/groups.csv",
        code=code("break_down.py"),
    output:
        breakdowns="<results>/{study}/statistics/breakdowns.csv",
        tests="<results>/{study}/statistics/judge_tests.csv",
    log:
        "<results>/{study}/logs/break_down.log",
    benchmark:
        "<results>/{study}/benchmarks/break_down.tsv"
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections("demographics", "ordered", "bands"),
        level=CONFIG.confidence,
        data=data,
    script:
        "../../scripts/break_down.py"


rule count_codes:
    input:
        judgments="<results>/{study}/data/judgments.parquet",
        schemes=lambda w: plan(w).coding_schemes,
        code=code("count_codes.py"),
    output:
        "<results>/{study}/statistics/codes.csv",
    log:
        "<results>/{study}/logs/count_codes.log",
    benchmark:
        "<results>/{study}/benchmarks/count_codes.tsv"
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections("codes"),
        level=CONFIG.confidence,
        data=data,
    script:
        "../../scripts/count_codes.py"


rule count_genders:
    input:
        judgments="<results>/{study}/data/judgments.parquet",
        groups="<results>/{study}/data/groups.csv",
        code=code("count_genders.py"),
    output:
        "<results>/{study}/statistics/genders.csv",
    log:
        "<results>/{study}/logs/count_genders.log",
    benchmark:
        "<results>/{study}/benchmarks/count_genders.tsv"
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections("demographics", "tables"),
        level=CONFIG.confidence,
        data=data,
    script:
        "../../scripts/count_genders.py"
