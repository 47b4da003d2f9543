# Single verdicts to mixed models, signal detection and equivalence.
#
# in:  <results>/{study}/data/judgments.parquet, judges.parquet, groups.csv, counts.parquet,
#      <results>/{study}/statistics/tests.csv, estimates.csv
# out: <results>/{study}/statistics/models.csv, random_effects.csv, model_contrasts.csv, fits.json,
#      what_changes.csv, signal_detection.csv, equivalence.csv;
#      <results>/{study}/figures/, tables/: those of model_figures and model_tables


rule models:
    input:
        PLAN.model_targets,


rule fit_models:
    input:
        judgments="<results>/{study}/data/judgments.parquet",
        judges="<results>/{study}/data/judges.parquet",
        groups="<results>/{study}/data/groups.csv",
        code=code("scripts/fit_models.py"),
    output:
        models="<results>/{study}/statistics/models.csv",
        random_effects="<results>/{study}/statistics/random_effects.csv",
        contrasts="<results>/{study}/statistics/model_contrasts.csv",
        # The parts of the fits that answer the questions of published tests.
        asked="<results>/{study}/statistics/fits.json",
    log:
        "<results>/{study}/logs/fit_models.log",
    benchmark:
        "<results>/{study}/benchmarks/fit_models.tsv"
    # The longest job, and others wait for it.
    priority: 10
    conda:
        "../../envs/environment.yaml"
    threads: lambda w: count_cores(plan(w).study.models)
    params:
        study=sections("demographics", "ordered", "comparisons", "models"),
        data=data,
        options={
            "confidence": CONFIG.confidence,
            "cross_check": CONFIG.models.cross_check,
            "most_verdicts": CONFIG.models.most_verdicts,
            "seed": CONFIG.seed,
        },
    script:
        "../../scripts/fit_models.py"


rule what_changes:
    input:
        asked="<results>/{study}/statistics/fits.json",
        tests="<results>/{study}/statistics/tests.csv",
        code=code("scripts/what_changes.py"),
    output:
        "<results>/{study}/statistics/what_changes.csv",
    log:
        "<results>/{study}/logs/what_changes.log",
    group:
        submitted_with("report")
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections("demographics", "comparisons", "models"),
        data=data,
        confidence=CONFIG.confidence,
    script:
        "../../scripts/what_changes.py"


rule judge_equivalence:
    input:
        counts="<results>/{study}/data/counts.parquet",
        estimates="<results>/{study}/statistics/estimates.csv",
        code=code("scripts/judge_equivalence.py"),
    output:
        signal_detection="<results>/{study}/statistics/signal_detection.csv",
        equivalence="<results>/{study}/statistics/equivalence.csv",
    log:
        "<results>/{study}/logs/judge_equivalence.log",
    benchmark:
        "<results>/{study}/benchmarks/judge_equivalence.tsv"
    group:
        submitted_with("statistics")
    conda:
        "../../envs/environment.yaml"
    params:
        data=data,
        options={"confidence": CONFIG.confidence, **CONFIG.equivalence.model_dump()},
    script:
        "../../scripts/judge_equivalence.py"


# One rule per study, since the lists of figures differ.
for name in VERDICTS:

    rule:
        name:
            f"model_figure_data_{name}"
        input:
            models=f"<results>/{name}/statistics/models.csv",
            random_effects=f"<results>/{name}/statistics/random_effects.csv",
            model_contrasts=f"<results>/{name}/statistics/model_contrasts.csv",
            what_changes=f"<results>/{name}/statistics/what_changes.csv",
            equivalence=f"<results>/{name}/statistics/equivalence.csv",
            estimates=f"<results>/{name}/statistics/estimates.csv",
            code=code("scripts/model_figure_data.py"),
        output:
            expand(f"<results>/{name}/figures/{{figure}}.csv", figure=PLANS[name].model_figures),
            expand(
                f"<results>/{name}/tables/{{table}}.{{format}}",
                table=PLANS[name].model_tables,
                format=["csv", "tex", "html"],
            ),
        log:
            f"<results>/{name}/logs/model_figure_data.log",
        benchmark:
            f"<results>/{name}/benchmarks/model_figure_data.tsv"
        group:
            submitted_with("report")
        conda:
            "../../envs/environment.yaml"
        params:
            study=of_study(name, sections("demographics", "comparisons", "models", keep=[LABEL])),
            data=of_study(name, data),
            level=CONFIG.confidence,
            power=CONFIG.equivalence.power,
        script:
            "../../scripts/model_figure_data.py"
