# A study of any design, from raw files to all numbers that are shown; verdicts.smk has what only verdicts need.
#
# in:  raw files (data/observed/, data/raw/ or a folder), data/published/{study}/
# out: <results>/{study}/data/, statistics/, tables/, and figures/*.csv (numbers of figures)


# Adapters are chosen by name.
READERS = [*PLAN.list_functions("read"), *list_modules("turingstats.data.adapters", HOME)]


rule read:
    input:
        raw=lambda w: load_or_stop(lambda: PLAN.raw.inputs),
    output:
        PLAN.list_outputs("read"),
    log:
        "<results>/<study>/logs/read.log",
    benchmark:
        "<results>/<study>/benchmarks/read.tsv"
    conda:
        "../../envs/environment.yaml"
    params:
        code=code(JOB, *READERS),
        content=lambda w: load_or_stop(PLAN.raw.digest_content),
        job=PLAN.describe_job("read"),
    script:
        "../../scripts/make_results.py"


# Also what was read, so that a failure to read is not hidden by earlier results.
rule data:
    input:
        [path for path in PLAN.everything if "/data/" in path and not path.endswith(".json")],


rule statistics:
    input:
        PLAN.list_inputs("statistics"),
    output:
        PLAN.list_outputs("statistics"),
    log:
        "<results>/<study>/logs/statistics.log",
    benchmark:
        "<results>/<study>/benchmarks/statistics.tsv"
    conda:
        "../../envs/environment.yaml"
    threads: count_cores(PLAN.listed["statistics"])
    resources:
        mem_mb=4000,
        runtime=60,
    params:
        code=code(JOB, *PLAN.list_functions("statistics")),
        job=PLAN.describe_job("statistics"),
    script:
        "../../scripts/make_results.py"


# All that is shown, except pictures: tables, the numbers of each figure, the list of figures.
rule tables:
    input:
        PLAN.list_inputs("tables"),
        templates=templates("base", "table"),
    output:
        PLAN.list_outputs("tables"),
    log:
        "<results>/<study>/logs/tables.log",
    benchmark:
        "<results>/<study>/benchmarks/tables.tsv"
    conda:
        "../../envs/environment.yaml"
    threads: count_cores(PLAN.listed["tables"])
    params:
        code=code(JOB, *PLAN.list_functions("tables")),
        job=PLAN.describe_job("tables"),
    script:
        "../../scripts/make_results.py"
