# Counts that a paper prints to rates, intervals and contrasts ("published counts").
#
# in:  data/published/{study}/counts.csv, <results>/{study}/statistics/estimates.csv
# out: <results>/{study}/statistics/success_rates.csv, contrasts.csv,
#      printed_equivalence.csv


rule count_published:
    input:
        counts="data/published/{study}/counts.csv",
        estimates="<results>/{study}/statistics/estimates.csv",
        code=code("scripts/count_published.py"),
    output:
        rates="<results>/{study}/statistics/success_rates.csv",
        contrasts="<results>/{study}/statistics/contrasts.csv",
        equivalence="<results>/{study}/statistics/printed_equivalence.csv",
    log:
        "<results>/{study}/logs/count_published.log",
    benchmark:
        "<results>/{study}/benchmarks/count_published.tsv"
    group:
        submitted_with("statistics")
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections("subsets", "contrasts", keep=[LABEL]),
        level=CONFIG.confidence,
        equivalence=CONFIG.equivalence.model_dump() | {"confidence": CONFIG.confidence},
        reading=reading,
        data=data,
    script:
        "../../scripts/count_published.py"
