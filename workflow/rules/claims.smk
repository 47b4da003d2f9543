# Published numbers next to the recomputed ones.
#
# in:  data/published/{paper}/claims.csv, consistency.csv, derivations.csv, <results>/{study}/statistics/*.csv
#      notebooks.csv, where the numbers of the authors' notebooks are listed
# out: <results>/{study}/claims/claims.csv, consistency.csv, settings.csv, summary.csv;
#      notebooks.csv, notebooks_summary.csv
#      index.html (every claim), summary.html (one page), notebooks.html,
#      panels.csv (panels that show the numbers of claims), claims_overview.csv (source data), .svg, .png


if PLAN.study.claims:

    rule ledger:
        input:
            claims=[f"data/published/{paper}/claims.csv" for paper in PLAN.study.claims],
            published=list_published("consistency", PLAN.study.claims),
            derivations=list_published("derivations", PLAN.study.claims),
            notebooks=PLAN.notebooks,
            # A paper may be checked against the numbers of another one.
            known=sorted(str(path) for path in Path("data/published").glob("*/claims.csv")),
            # A claim may refer to any table.
            tables=PLAN.list_files([result for result in PLAN.made if result.is_claimable], []),
            figures=[f"<results>/<study>/figures/{name}.csv" for name in PLAN.study.figures],
            missing="<results>/<study>/data/missing.csv",
            templates=templates("base", "claims_base", "ledger", "summary", "notebooks"),
        output:
            PLAN.list_files(PLAN.listed["ledger"]),
        log:
            "<results>/<study>/logs/ledger.log",
        benchmark:
            "<results>/<study>/benchmarks/ledger.tsv"
        conda:
            "../../envs/environment.yaml"
        params:
            code=code("scripts/check_claims.py"),
            study=describe_declared(PLAN.whole),
            confidence=CONFIG.confidence,
            judges=CONFIG.judges.model_dump(mode="json"),
            comparisons=[test.model_dump(mode="json") for test in PLAN.study.comparisons],
            tasks=sorted(PLAN.study.tasks),
            pools=list_pools(PLAN.study),
            labels=PLAN.reported["tasks"],
            about=PLAN.describe_figure("claims_overview"),
            style=STYLE,
            data=PLAN.raw.label,
        script:
            "../../scripts/check_claims.py"
