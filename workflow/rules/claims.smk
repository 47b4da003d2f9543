# Published numbers beside the recomputed ones.
#
# in:  data/published/{paper}/claims.csv, consistency.csv, <results>/{study}/statistics/*.csv
# out: <results>/{study}/claims/claims.csv, consistency.csv, summary.csv


rule ledger:
    input:
        ledger_targets(CONFIG.study),


rule check_claims:
    input:
        claims=lambda w: [
            f"data/published/{paper}/claims.csv" for paper in study_of(w.study).claims
        ],
        consistency=lambda w: [
            path
            for paper in study_of(w.study).claims
            if Path(path := f"data/published/{paper}/consistency.csv").exists()
        ],
        # A claim may ask any table that the target `statistics` makes.
        tables=lambda w: [path for path in statistics_targets(w.study) if path.endswith(".csv")],
        missing="<results>/{study}/data/missing.csv",
        code=code("check_claims.py"),
    output:
        claims="<results>/{study}/claims/claims.csv",
        consistency="<results>/{study}/claims/consistency.csv",
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
        known_tasks=lambda w: sorted(whole_study_of(w.study).tasks),
        comparisons=lambda w: [c.model_dump(mode="json") for c in study_of(w.study).comparisons],
        data=data,
    script:
        "../../scripts/check_claims.py"
