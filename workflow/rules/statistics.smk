# Counts to estimates and tests, in both readings.
#
# in:  <results>/{study}/data/counts.csv, groups.csv, data/published/{study}/benchmarks.csv
# out: <results>/{study}/statistics/estimates.csv, tests.csv


rule statistics:
    input:
        statistics_targets(CONFIG.study),


rule estimate:
    input:
        counts="<results>/{study}/data/counts.csv",
        groups="<results>/{study}/data/groups.csv",
        code=code("estimate.py"),
    output:
        "<results>/{study}/statistics/estimates.csv",
    log:
        "<results>/{study}/logs/estimate.log",
    benchmark:
        "<results>/{study}/benchmarks/estimate.tsv"
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections(),
        data=data,
        options={
            "seed": CONFIG.seed,
            "n_bootstrap": CONFIG.resamples.bootstrap,
            "confidence": CONFIG.confidence,
        },
    script:
        "../../scripts/estimate.py"


rule compare:
    input:
        counts="<results>/{study}/data/counts.csv",
        groups="<results>/{study}/data/groups.csv",
        benchmarks=published("benchmarks"),
        code=code("compare.py"),
    output:
        "<results>/{study}/statistics/tests.csv",
    log:
        "<results>/{study}/logs/compare.log",
    benchmark:
        "<results>/{study}/benchmarks/compare.tsv"
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections("demographics", "comparisons"),
        data=data,
        options={
            "seed": CONFIG.seed,
            "n_bootstrap": CONFIG.resamples.bootstrap,
            "n_permutation": CONFIG.resamples.permutation,
            "confidence": CONFIG.confidence,
        },
    script:
        "../../scripts/compare.py"
