# Published numbers beside the recomputed ones.
#
# in:  data/published/{paper}/claims.csv, <results>/{study}/statistics/*.csv
# out: <results>/{study}/claims/claims.csv, summary.csv;
#      tables/versions.csv, .tex, .html, of a study that another paper is set beside


rule ledger:
    input:
        ledger_targets(CONFIG.study),


rule check_claims:
    input:
        claims=lambda w: [
            f"data/published/{paper}/claims.csv" for paper in study_of(w.study).claims
        ],
        estimates="<results>/{study}/statistics/estimates.csv",
        tests="<results>/{study}/statistics/tests.csv",
        sizes="<results>/{study}/statistics/sizes.csv",
        missing="<results>/{study}/data/missing.csv",
        code=code("check_claims.py"),
    output:
        claims="<results>/{study}/claims/claims.csv",
        summary="<results>/{study}/claims/summary.csv",
    log:
        "<results>/{study}/logs/check_claims.log",
    benchmark:
        "<results>/{study}/benchmarks/check_claims.tsv"
    conda:
        "../../envs/environment.yaml"
    params:
        papers=lambda w: list(study_of(w.study).claims),
        tasks=lambda w: sorted(study_of(w.study).tasks),
        comparisons=lambda w: [c.model_dump(mode="json") for c in study_of(w.study).comparisons],
        data=data,
    script:
        "../../scripts/check_claims.py"


rule compare_versions:
    input:
        first=lambda w: f"data/published/{study_of(w.study).claims[0]}/claims.csv",
        second=lambda w: f"data/published/{study_of(w.study).versions}/claims.csv",
        ledger="<results>/{study}/claims/claims.csv",
        code=code("compare_versions.py"),
    output:
        csv="<results>/{study}/tables/versions.csv",
        tex="<results>/{study}/tables/versions.tex",
        html="<results>/{study}/tables/versions.html",
    log:
        "<results>/{study}/logs/compare_versions.log",
    conda:
        "../../envs/environment.yaml"
    params:
        first=lambda w: study_of(w.study).claims[0],
        second=lambda w: study_of(w.study).versions,
        reading=reading,
        data=data,
    script:
        "../../scripts/compare_versions.py"
