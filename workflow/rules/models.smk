# Single verdicts to mixed models, signal detection and equivalence.
#
# in:  <results>/{study}/data/judgments.parquet, groups.csv, counts.csv,
#      <results>/{study}/statistics/tests.csv, estimates.csv
# out: <results>/{study}/statistics/models.csv, random_effects.csv, what_changes.csv,
#      signal_detection.csv, equivalence.csv;
#      <results>/{study}/figures/, tables/: those of MODEL_FIGURES and MODEL_TABLES

# A part of the study without a model that compares agents has neither forest plot nor abilities.
MODEL_FIGURES = [
    *(
        ["forest", "abilities", "equivalence"]
        if any(model.id.endswith(".agents") for model in STUDY.models)
        else []
    ),
    "signal",
]
MODEL_TABLES = ["whatChanges", "equivalence"]


rule models:
    input:
        expand(
            f"<results>/{CONFIG.study}/figures/{{figure}}.{{format}}",
            figure=MODEL_FIGURES,
            format=CONFIG.figures.formats,
        ),
        expand(
            f"<results>/{CONFIG.study}/tables/{{table}}.{{format}}",
            table=MODEL_TABLES,
            format=["csv", "tex", "html"],
        ),
        expand(
            f"<results>/{CONFIG.study}/statistics/{{name}}.csv",
            name=[
                "models",
                "random_effects",
                "what_changes",
                "signal_detection",
                "equivalence",
            ],
        ),


rule fit_models:
    input:
        judgments="<results>/{study}/data/judgments.parquet",
        groups="<results>/{study}/data/groups.csv",
        tests="<results>/{study}/statistics/tests.csv",
        code=code("fit_models.py"),
    output:
        models="<results>/{study}/statistics/models.csv",
        random_effects="<results>/{study}/statistics/random_effects.csv",
        what_changes="<results>/{study}/statistics/what_changes.csv",
    log:
        "<results>/{study}/logs/fit_models.log",
    benchmark:
        "<results>/{study}/benchmarks/fit_models.tsv"
    conda:
        "../../envs/environment.yaml"
    # The longest job: the small ones can run beside it.
    priority: 10
    params:
        study=sections("demographics", "comparisons", "models"),
        data=DATA,
        options={
            "confidence": CONFIG.confidence,
            "second_opinion": CONFIG.models.second_opinion,
        },
    script:
        "../../scripts/fit_models.py"


rule judge_equivalence:
    input:
        counts="<results>/{study}/data/counts.csv",
        estimates="<results>/{study}/statistics/estimates.csv",
        code=code("judge_equivalence.py"),
    output:
        signal_detection="<results>/{study}/statistics/signal_detection.csv",
        equivalence="<results>/{study}/statistics/equivalence.csv",
    log:
        "<results>/{study}/logs/judge_equivalence.log",
    benchmark:
        "<results>/{study}/benchmarks/judge_equivalence.tsv"
    conda:
        "../../envs/environment.yaml"
    params:
        data=DATA,
        options={"confidence": CONFIG.confidence, **CONFIG.equivalence.model_dump()},
    script:
        "../../scripts/judge_equivalence.py"


rule model_figure_data:
    input:
        models="<results>/{study}/statistics/models.csv",
        random_effects="<results>/{study}/statistics/random_effects.csv",
        what_changes="<results>/{study}/statistics/what_changes.csv",
        equivalence="<results>/{study}/statistics/equivalence.csv",
        estimates="<results>/{study}/statistics/estimates.csv",
        code=code("model_figure_data.py"),
    output:
        expand("<results>/{{study}}/figures/{figure}.csv", figure=MODEL_FIGURES),
        expand(
            "<results>/{{study}}/tables/{table}.{format}",
            table=MODEL_TABLES,
            format=["csv", "tex", "html"],
        ),
    log:
        "<results>/{study}/logs/model_figure_data.log",
    benchmark:
        "<results>/{study}/benchmarks/model_figure_data.tsv"
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections("demographics", "comparisons", "models"),
        data=DATA,
        level=CONFIG.confidence,
    script:
        "../../scripts/model_figure_data.py"
