# Only for a study of verdicts: judges trained here, the judgments that are analyzed, mixed models.
#
# in:  <results>/{study}/data/ (raw judgments)
# out: <results>/{study}/data/, judges/, statistics/ of models


if PLAN.listed["judges"]:

    # Machine judges of all tasks, and what they say of the responses.
    rule judges:
        input:
            PLAN.list_inputs("judges"),
        output:
            PLAN.list_outputs("judges"),
        log:
            "<results>/<study>/logs/judges.log",
        benchmark:
            "<results>/<study>/benchmarks/judges.tsv"
        conda:
            "../../envs/environment.yaml"
        # Both readings have judges of their own.
        threads: count_cores(2 * PLAN.facts.trained_tasks)
        resources:
            mem_mb=4000,
            runtime=60,
        params:
            code=code(JOB, *PLAN.list_functions("judges")),
            job=PLAN.describe_job("judges"),
        script:
            "../../scripts/make_results.py"


# Which judgments are analyzed, the log of the others, and counts of verdicts.
rule clean:
    input:
        PLAN.list_inputs("clean"),
    output:
        PLAN.list_outputs("clean"),
    log:
        "<results>/<study>/logs/clean.log",
    benchmark:
        "<results>/<study>/benchmarks/clean.tsv"
    conda:
        "../../envs/environment.yaml"
    threads: count_cores(PLAN.listed["clean"])
    params:
        code=code(JOB, *PLAN.list_functions("clean")),
        job=PLAN.describe_job("clean"),
    script:
        "../../scripts/make_results.py"


# Mixed models of single verdicts.
rule models:
    input:
        PLAN.list_inputs("models"),
    output:
        PLAN.list_outputs("models"),
    log:
        "<results>/<study>/logs/models.log",
    benchmark:
        "<results>/<study>/benchmarks/models.tsv"
    # The longest job, and others wait for it.
    priority: 10
    conda:
        "../../envs/environment.yaml"
    threads: count_cores(PLAN.study.models)
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        code=code(JOB, *PLAN.list_functions("models")),
        job=PLAN.describe_job("models"),
    script:
        "../../scripts/make_results.py"
