# Published numbers beside the recomputed ones.
#
# in:  data/published/{paper}/claims.csv, consistency.csv, <results>/{study}/statistics/*.csv
# out: <results>/{study}/claims/claims.csv, consistency.csv, settings.csv, summary.csv


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
        tables=lambda w: statistics_targets(w.study),
        missing="<results>/{study}/data/missing.csv",
        code=code("check_claims.py"),
    output:
        claims="<results>/{study}/claims/claims.csv",
        consistency="<results>/{study}/claims/consistency.csv",
        settings="<results>/{study}/claims/settings.csv",
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
        # What the study file declares, whole in a subset, too: some claims are on that.
        study=lambda w: whole_study_of(w.study).model_dump(
            mode="json", exclude={"comparisons", "figures", "tables", "claims"}
        ),
        confidence=CONFIG.confidence,
        comparisons=lambda w: [c.model_dump(mode="json") for c in study_of(w.study).comparisons],
        data=data,
    script:
        "../../scripts/check_claims.py"
