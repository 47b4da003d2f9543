# Single verdicts by who judged and what the trial was like; who judged; judges of the same responses; codes
# of free text; genders of speakers.
#
# in:  <results>/{study}/data/judgments.parquet, judges.parquet, groups.csv;
#      schemes in data/published/{study}/
# out: <results>/{study}/statistics/breakdowns.csv, judge_tests.csv, sample.csv, agreement.csv, stimuli.csv,
#      machine_judges.csv, wins.csv, codes.csv, genders.csv;
#      <results>/{study}/tables/sample.csv, agreement.csv, .tex, .html


rule break_down:
    input:
        judgments="<results>/{study}/data/judgments.parquet",
        groups="<results>/{study}/data/groups.csv",
        code=code("scripts/break_down.py"),
    output:
        breakdowns="<results>/{study}/statistics/breakdowns.csv",
        tests="<results>/{study}/statistics/judge_tests.csv",
    log:
        "<results>/{study}/logs/break_down.log",
    benchmark:
        "<results>/{study}/benchmarks/break_down.tsv"
    group:
        submitted_with("statistics")
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections("demographics", "ordered", "bands"),
        level=CONFIG.confidence,
        data=data,
    script:
        "../../scripts/break_down.py"


rule describe_judges:
    input:
        judgments="<results>/{study}/data/judgments.parquet",
        judges="<results>/{study}/data/judges.parquet",
        groups="<results>/{study}/data/groups.csv",
        code=code("scripts/describe_judges.py"),
    output:
        sample="<results>/{study}/statistics/sample.csv",
        agreement="<results>/{study}/statistics/agreement.csv",
        stimuli="<results>/{study}/statistics/stimuli.csv",
        machine_judges="<results>/{study}/statistics/machine_judges.csv",
        wins="<results>/{study}/statistics/wins.csv",
    log:
        "<results>/{study}/logs/describe_judges.log",
    benchmark:
        "<results>/{study}/benchmarks/describe_judges.tsv"
    wildcard_constraints:
        study=match_studies(VERDICTS),
    group:
        submitted_with("statistics")
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections("demographics"),
        data=data,
        options=BOOTSTRAP,
    script:
        "../../scripts/describe_judges.py"


rule show_judges:
    input:
        sample="<results>/{study}/statistics/sample.csv",
        agreement="<results>/{study}/statistics/agreement.csv",
        code=code("scripts/show_judges.py"),
    output:
        **{
            f"{table}_{kind}": f"<results>/{{study}}/tables/{table}.{kind}"
            for table in ("sample", "agreement")
            for kind in ("csv", "tex", "html")
        },
    log:
        "<results>/{study}/logs/show_judges.log",
    group:
        submitted_with("report")
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections("demographics", keep=[LABEL]),
        data=data,
    script:
        "../../scripts/show_judges.py"


rule count_codes:
    input:
        judgments="<results>/{study}/data/judgments.parquet",
        schemes=lambda w: plan(w).coding_schemes,
        code=code("scripts/count_codes.py"),
    output:
        "<results>/{study}/statistics/codes.csv",
    log:
        "<results>/{study}/logs/count_codes.log",
    benchmark:
        "<results>/{study}/benchmarks/count_codes.tsv"
    group:
        submitted_with("statistics")
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
        code=code("scripts/count_genders.py"),
    output:
        "<results>/{study}/statistics/genders.csv",
    log:
        "<results>/{study}/logs/count_genders.log",
    benchmark:
        "<results>/{study}/benchmarks/count_genders.tsv"
    group:
        submitted_with("statistics")
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections("demographics", "tables"),
        level=CONFIG.confidence,
        data=data,
    script:
        "../../scripts/count_genders.py"
