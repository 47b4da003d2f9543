# Counts to estimates and tests, in both readings.
#
# in:  <results>/{study}/data/counts.parquet, groups.csv, responses.parquet,
#      data/published/{study}/benchmarks.csv
# out: <results>/{study}/statistics/estimates.csv, tests.csv, texts.csv, lengths.csv,
#      printed_rates.csv, across_tasks.csv;
#      <results>/{study}/figures/across_tasks.csv, tables/across_tasks.csv, .tex, .html


rule statistics:
    input:
        PLAN.statistics_targets,


rule estimate:
    input:
        counts="<results>/{study}/data/counts.parquet",
        groups="<results>/{study}/data/groups.csv",
        code=code("scripts/estimate.py"),
    output:
        "<results>/{study}/statistics/estimates.csv",
    log:
        "<results>/{study}/logs/estimate.log",
    benchmark:
        "<results>/{study}/benchmarks/estimate.tsv"
    group:
        submitted_with("statistics")
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections(),
        data=data,
        options={"seed": CONFIG.seed, "confidence": CONFIG.confidence},
    script:
        "../../scripts/estimate.py"


rule compare:
    input:
        counts="<results>/{study}/data/counts.parquet",
        groups="<results>/{study}/data/groups.csv",
        responses="<results>/{study}/data/responses.parquet",
        benchmarks=lambda w: plan(w).list_published("benchmarks"),
        code=code("scripts/compare.py"),
    output:
        "<results>/{study}/statistics/tests.csv",
    log:
        "<results>/{study}/logs/compare.log",
    benchmark:
        "<results>/{study}/benchmarks/compare.tsv"
    wildcard_constraints:
        study=match_studies(VERDICTS),
    group:
        submitted_with("statistics")
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections("demographics", "comparisons"),
        data=data,
        options={**BOOTSTRAP, "n_permutation": CONFIG.resamples.permutation},
    script:
        "../../scripts/compare.py"


rule relate_tasks:
    input:
        counts="<results>/{study}/data/counts.parquet",
        code=code("scripts/relate_tasks.py"),
    output:
        "<results>/{study}/statistics/across_tasks.csv",
    log:
        "<results>/{study}/logs/relate_tasks.log",
    benchmark:
        "<results>/{study}/benchmarks/relate_tasks.tsv"
    group:
        submitted_with("statistics")
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections(),
        data=data,
        same_rows=lambda w: plan(w).same_rows,
        options=BOOTSTRAP,
    script:
        "../../scripts/relate_tasks.py"


rule show_related_tasks:
    input:
        counts="<results>/{study}/data/counts.parquet",
        pairs="<results>/{study}/statistics/across_tasks.csv",
        code=code("scripts/show_related_tasks.py"),
    output:
        points="<results>/{study}/figures/across_tasks.csv",
        csv="<results>/{study}/tables/across_tasks.csv",
        tex="<results>/{study}/tables/across_tasks.tex",
        html="<results>/{study}/tables/across_tasks.html",
    log:
        "<results>/{study}/logs/show_related_tasks.log",
    group:
        submitted_with("report")
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections(keep=[LABEL]),
        data=data,
        level=CONFIG.confidence,
    script:
        "../../scripts/show_related_tasks.py"


rule measure_texts:
    input:
        responses="<results>/{study}/data/responses.parquet",
        code=code("scripts/measure_texts.py"),
    output:
        "<results>/{study}/statistics/texts.csv",
    log:
        "<results>/{study}/logs/measure_texts.log",
    benchmark:
        "<results>/{study}/benchmarks/measure_texts.tsv"
    group:
        submitted_with("data")
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections(),
        level=CONFIG.confidence,
        data=data,
    script:
        "../../scripts/measure_texts.py"


rule measure_lengths:
    input:
        judgments="<results>/{study}/data/judgments.parquet",
        responses="<results>/{study}/data/responses.parquet",
        code=code("scripts/measure_lengths.py"),
    output:
        "<results>/{study}/statistics/lengths.csv",
    log:
        "<results>/{study}/logs/measure_lengths.log",
    benchmark:
        "<results>/{study}/benchmarks/measure_lengths.tsv"
    group:
        submitted_with("statistics")
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections(),
        data=data,
        options=BOOTSTRAP,
    script:
        "../../scripts/measure_lengths.py"


rule printed_rates:
    input:
        published=expand("data/published/{{study}}/{name}.csv", name=["pass_rates", "design"]),
        code=code("scripts/printed_rates.py"),
    output:
        "<results>/{study}/statistics/printed_rates.csv",
    log:
        "<results>/{study}/logs/printed_rates.log",
    group:
        submitted_with("report")
    conda:
        "../../envs/environment.yaml"
    params:
        level=CONFIG.confidence,
        labels=lambda w: {key: agent.label for key, agent in plan(w).study.agents.items()},
    script:
        "../../scripts/printed_rates.py"
