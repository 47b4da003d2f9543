# Published numbers next to the recomputed ones.
#
# in:  data/published/{paper}/claims.csv, consistency.csv, <results>/{study}/statistics/*.csv
#      notebooks.csv, where the numbers of the authors' notebooks are listed
# out: <results>/{study}/claims/claims.csv, consistency.csv, settings.csv, summary.csv;
#      notebooks.csv, notebooks_summary.csv
#      index.html (every claim), summary.html (one page), notebooks.html, answers.html (rows of results),
#      panels.csv (panels that show the numbers of claims), claims_overview.csv (source data), .pdf, .svg, .png
#      tables/versions.csv, .tex, .html, for a study that is compared with another paper


rule ledger:
    input:
        PLAN.claims_targets,


rule check_claims:
    input:
        claims=lambda w: [f"data/published/{paper}/claims.csv" for paper in plan(w).study.claims],
        consistency=lambda w: plan(w).list_published_claims("consistency"),
        known=sorted(str(path) for path in Path("data/published").glob("*/claims.csv")),
        # A claim may refer to any table that the target `statistics` makes.
        tables=lambda w: plan(w).statistics_targets,
        missing="<results>/{study}/data/missing.csv",
        code=code("scripts/check_claims.py"),
    output:
        claims="<results>/{study}/claims/claims.csv",
        consistency="<results>/{study}/claims/consistency.csv",
        settings="<results>/{study}/claims/settings.csv",
        summary="<results>/{study}/claims/summary.csv",
    log:
        "<results>/{study}/logs/check_claims.log",
    benchmark:
        "<results>/{study}/benchmarks/check_claims.tsv"
    # Before drawings, which do not depend on each other.
    priority: 5
    group:
        submitted_with("report")
    conda:
        "../../envs/environment.yaml"
    params:
        papers=lambda w: list(plan(w).study.claims),
        tasks=lambda w: sorted(plan(w).study.tasks),
        pools=lambda w: plan(w).pools,
        study=lambda w: plan(w).declared,
        confidence=CONFIG.confidence,
        judges=CONFIG.judges.model_dump(mode="json"),
        comparisons=lambda w: plan(w).comparisons,
        data=data,
    script:
        "../../scripts/check_claims.py"


rule check_notebooks:
    input:
        notebooks=lambda w: plan(w).notebooks,
        tables=lambda w: plan(w).statistics_targets,
        settings="<results>/{study}/claims/settings.csv",
        missing="<results>/{study}/data/missing.csv",
        code=code("scripts/check_notebooks.py"),
    output:
        notebooks="<results>/{study}/claims/notebooks.csv",
        summary="<results>/{study}/claims/notebooks_summary.csv",
    log:
        "<results>/{study}/logs/check_notebooks.log",
    benchmark:
        "<results>/{study}/benchmarks/check_notebooks.tsv"
    priority: 5
    group:
        submitted_with("report")
    conda:
        "../../envs/environment.yaml"
    params:
        tasks=lambda w: sorted(plan(w).whole.tasks),
        run=lambda w: sorted(plan(w).study.tasks),
        pools=lambda w: plan(w).pools,
        comparisons=lambda w: plan(w).comparisons,
        data=data,
    script:
        "../../scripts/check_notebooks.py"


rule claims_page:
    input:
        notebooks=lambda w: [f"<results>/{w.study}/claims/notebooks.csv"] * bool(plan(w).notebooks),
        claims="<results>/{study}/claims/claims.csv",
        consistency="<results>/{study}/claims/consistency.csv",
        settings="<results>/{study}/claims/settings.csv",
        tables=lambda w: plan(w).statistics_targets,
        figures=lambda w: plan(w).list_figures(plan(w).study.figures, ["csv"]),
        templates=templates("base", "claims_base", "ledger", "summary", "notebooks", "answers"),
        code=code("scripts/claims_page.py"),
    output:
        ledger="<results>/{study}/claims/index.html",
        summary="<results>/{study}/claims/summary.html",
        notebooks="<results>/{study}/claims/notebooks.html",
        answers="<results>/{study}/claims/answers.html",
        panels="<results>/{study}/claims/panels.csv",
        overview="<results>/{study}/claims/claims_overview.csv",
    log:
        "<results>/{study}/logs/claims_page.log",
    benchmark:
        "<results>/{study}/benchmarks/claims_page.tsv"
    priority: 5
    group:
        submitted_with("report")
    conda:
        "../../envs/environment.yaml"
    params:
        design=lambda w: plan(w).study.design,
        titles=lambda w: plan(w).reported["figures"],
        tasks=lambda w: plan(w).reported["tasks"],
    script:
        "../../scripts/claims_page.py"


rule draw_claims:
    input:
        data="<results>/{study}/claims/{figure}.csv",
        code=code("scripts/draw_figure.py", "src/turingstats/claims/overview.py"),
    output:
        [f"<results>/{{study}}/claims/{{figure}}.{format}" for format in CONFIG.figures.formats],
    log:
        "<results>/{study}/logs/draw_{figure}.log",
    benchmark:
        "<results>/{study}/benchmarks/draw_{figure}.tsv"
    wildcard_constraints:
        figure="claims_overview",
    group:
        submitted_with("report")
    conda:
        "../../envs/environment.yaml"
    params:
        module="src/turingstats/claims/overview.py",
        colormap=CONFIG.figures.colormap,
        dpi=CONFIG.figures.dpi,
        about=lambda w: plan(w).describe_figure(w.figure),
    script:
        "../../scripts/draw_figure.py"


rule compare_versions:
    input:
        first=lambda w: f"data/published/{plan(w).study.claims[0]}/claims.csv",
        second=lambda w: f"data/published/{plan(w).study.versions}/claims.csv",
        statements=lambda w: f"data/published/{plan(w).study.claims[0]}/versions.csv",
        ledger="<results>/{study}/claims/claims.csv",
        code=code("scripts/compare_versions.py"),
    output:
        csv="<results>/{study}/tables/versions.csv",
        tex="<results>/{study}/tables/versions.tex",
        html="<results>/{study}/tables/versions.html",
    log:
        "<results>/{study}/logs/compare_versions.log",
    group:
        submitted_with("report")
    conda:
        "../../envs/environment.yaml"
    params:
        first=lambda w: plan(w).study.claims[0],
        second=lambda w: plan(w).study.versions,
        reading=reading,
        data=data,
    script:
        "../../scripts/compare_versions.py"
