# Language models as judges. Only where llm.base_url names an endpoint are their verdicts part of the
# other results; no default target asks a model.
#
#   snakemake llm_dry_run     every prompt, the number of calls and their cost; nothing is asked
#   snakemake llm_judges      ask, and draw figures/llm
#
# in:  <results>/{study}/data/responses.parquet, config/prompts/, answers kept in data/cache/llm/
# out: <results>/{study}/llm/*, figures/llm.*


rule llm_dry_run:
    input:
        "<results>/<study>/llm/plan.txt",
    log:
        "<results>/<study>/logs/llm_dry_run.log",
    conda:
        "../../envs/environment.yaml"
    shell:
        "cat {input} | tee {log}"


rule llm_judges:
    input:
        # Says what to set if no endpoint is configured.
        lambda w: load_or_stop(require_judgments, PLAN),
        PLAN.list_pictures(
            [result for result in PLAN.made if result.path == "figures/llm.csv"], STYLE["formats"]
        ),


rule llm_plan:
    input:
        responses="<results>/<study>/data/responses.parquet",
        prompts=PROMPTS,
        templates=templates("llm_plan.txt"),
    output:
        plan="<results>/<study>/llm/plan.csv",
        summary="<results>/<study>/llm/plan.txt",
        prompts="<results>/<study>/llm/prompts.txt",
    log:
        "<results>/<study>/logs/llm_plan.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("scripts/llm_plan.py"),
        study=select_sections(PLAN.study),
        settings=CONFIG.llm.model_dump(mode="json"),
        seed=CONFIG.seed,
        data=PLAN.raw.label,
    script:
        "../../scripts/llm_plan.py"


if PLAN.listed["llm_judge"]:

    rule llm_judge:
        input:
            PLAN.list_inputs("llm_judge"),
            prompts=PROMPTS,
        output:
            PLAN.list_outputs("llm_judge"),
        log:
            "<results>/<study>/logs/llm_judge.log",
        benchmark:
            "<results>/<study>/benchmarks/llm_judge.tsv"
        # Needs the network, which not every node of a cluster reaches.
        localrule: True
        conda:
            "../../envs/environment.yaml"
        params:
            code=code(JOB, *PLAN.list_functions("llm_judge")),
            job=PLAN.describe_job("llm_judge"),
        script:
            "../../scripts/make_results.py"
