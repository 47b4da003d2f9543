# Language models as judges. Only where llm.base_url names an endpoint are their verdicts part of the
# other results; no default target asks a model.
#
#   snakemake llm_dry_run     every prompt, the number of calls and their cost; nothing is asked
#   snakemake llm_judges      ask, and draw figures/llm
#
# in:  <results>/{study}/data/responses.parquet, config/prompts/, answers kept in data/cache/llm/
# out: <results>/{study}/llm/*, figures/llm.*


# Needs the network, which not every node of a cluster reaches.
localrules:
    llm_judge,


rule llm_dry_run:
    input:
        f"<results>/{PLAN.name}/llm/plan.txt",
    log:
        f"<results>/{PLAN.name}/logs/llm_dry_run.log",
    conda:
        "../../envs/environment.yaml"
    shell:
        "cat {input} | tee {log}"


rule llm_judges:
    input:
        PLAN.asked_judgments,
        PLAN.list_figures(["llm"], CONFIG.figures.formats),


rule llm_plan:
    input:
        responses="<results>/{study}/data/responses.parquet",
        prompts=sorted(map(str, Path(find_prompts()).glob("*.txt"))),
        code=code("scripts/llm_plan.py"),
    output:
        plan="<results>/{study}/llm/plan.csv",
        summary="<results>/{study}/llm/plan.txt",
        prompts="<results>/{study}/llm/prompts.txt",
    log:
        "<results>/{study}/logs/llm_plan.log",
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections(),
        settings=CONFIG.llm.model_dump(mode="json") | {"prompts": find_prompts()},
        seed=CONFIG.seed,
        data=data,
    script:
        "../../scripts/llm_plan.py"


rule llm_judge:
    input:
        responses="<results>/{study}/data/responses.parquet",
        prompts=sorted(map(str, Path(find_prompts()).glob("*.txt"))),
        code=code("scripts/llm_judge.py"),
    output:
        judgments="<results>/{study}/llm/judgments.parquet",
        answers="<results>/{study}/llm/answers.csv",
        unparsed="<results>/{study}/llm/unparsed.csv",
        pairs="<results>/{study}/llm/pairs.csv",
        pass_rates="<results>/{study}/llm/pass_rates.csv",
    log:
        "<results>/{study}/logs/llm_judge.log",
    benchmark:
        "<results>/{study}/benchmarks/llm_judge.tsv"
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections(),
        settings=CONFIG.llm.model_dump(mode="json") | {"prompts": find_prompts()},
        seed=CONFIG.seed,
        confidence=CONFIG.confidence,
        data=data,
    script:
        "../../scripts/llm_judge.py"


rule llm_figure:
    input:
        estimates="<results>/{study}/statistics/estimates.csv",
        tests="<results>/{study}/statistics/tests.csv",
        sizes="<results>/{study}/statistics/sizes.csv",
        missing="<results>/{study}/data/missing.csv",
        responses="<results>/{study}/data/responses.parquet",
        benchmarks=lambda w: plan(w).list_published("benchmarks"),
        answers=lambda w: ([f"<results>/{w.study}/llm/answers.csv"] if CONFIG.llm.base_url else []),
        code=code("scripts/llm_figure.py"),
    output:
        "<results>/{study}/figures/llm.csv",
    log:
        "<results>/{study}/logs/llm_figure.log",
    group:
        submitted_with("report")
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections("figures", keep=[LABEL]),
        settings=CONFIG.llm.model_dump(mode="json") | {"prompts": find_prompts()},
        reading=reading,
        level=CONFIG.confidence,
        data=data,
    script:
        "../../scripts/llm_figure.py"
