# Raw files to tables.
#
# in:  the public repository, a checkout of it, or data/published/ (for generated data)
# out: <results>/{study}/data/*.csv, *.parquet


# Needs the network, which not every node of a cluster reaches.
localrules:
    obtain,
    compare_trials,


rule data:
    input:
        data_targets(CONFIG.study),


rule obtain:
    input:
        raw=raw_files,
        published=lambda w: (
            [f"data/published/{w.study}/{name}.csv" for name in sources_of(w.study).generated_from]
            if kind_of_source(w.study) == "demo"
            else []
        ),
        code=code("obtain.py", *modules_of("demo")),
    output:
        sources="<results>/{study}/data/sources.csv",
        missing="<results>/{study}/data/missing.csv",
    log:
        "<results>/{study}/logs/obtain.log",
    benchmark:
        "<results>/{study}/benchmarks/obtain.tsv"
    wildcard_constraints:
        study=only("verdicts"),
    conda:
        "../../envs/environment.yaml"
    threads: lambda w: at_a_time(study_of(w.study).tasks)
    params:
        source=lambda w: kind_of_source(w.study),
        repository=lambda w: CONFIG.data.repository or sources_of(w.study).repository,
        commit=commit,
        folder=raw_folder,
        files=wanted_files,
        not_public=lambda w: [row.model_dump() for row in sources_of(w.study).not_public],
        allow_missing=CONFIG.data.allow_missing,
        tasks=lambda w: sorted(study_of(w.study).tasks),
        cohorts=lambda w: {
            name: sorted(task.cohorts) for name, task in study_of(w.study).tasks.items()
        },
        seed=lambda w: CONFIG.seed if kind_of_source(w.study) == "demo" else None,
        generator=lambda w: sources_of(w.study).generator,
    script:
        "../../scripts/obtain.py"


# The public repository is the authority: every trial that comes with the project against its files. With
# data.source a checkout, against that one.
rule compare_with_public:
    input:
        f"<results>/{CONFIG.study}/data/compared_with_public.csv",


rule compare_trials:
    input:
        tables=observed_inputs,
        code=code("compare_with_public.py", *modules_of("scripts/turingstats/data/adapters")),
    output:
        "<results>/{study}/data/compared_with_public.csv",
    log:
        "<results>/{study}/logs/compare_trials.log",
    wildcard_constraints:
        study=only("verdicts"),
    conda:
        "../../envs/environment.yaml"
    params:
        source=lambda w: "public" if public_folder(w).startswith("data/raw/") else "checkout",
        repository=lambda w: CONFIG.data.repository or sources_of(w.study).repository,
        commit=lambda w: CONFIG.data.commit or sources_of(w.study).commit,
        folder=public_folder,
        observed=lambda w: sources_of(w.study).observed,
        files=lambda w: [file.model_dump() for file in sources_of(w.study).files],
        study=lambda w: whole_study_of(w.study).model_dump(mode="json"),
    script:
        "../../scripts/compare_with_public.py"


rule ingest:
    input:
        sources="<results>/{study}/data/sources.csv",
        code=code("ingest.py", *modules_of("scripts/turingstats/data/adapters")),
    output:
        judgments="<results>/{study}/data/raw_judgments.parquet",
        judges="<results>/{study}/data/judges.parquet",
        responses="<results>/{study}/data/responses.parquet",
        left_out="<results>/{study}/data/left_out.csv",
    log:
        "<results>/{study}/logs/ingest.log",
    benchmark:
        "<results>/{study}/benchmarks/ingest.tsv"
    wildcard_constraints:
        study=only("verdicts"),
    conda:
        "../../envs/environment.yaml"
    params:
        observed=lambda w: source_of(w.study) == "observed",
        folder=raw_folder,
        files=wanted_files,
        study=study_to_ingest,
    script:
        "../../scripts/ingest.py"


rule clean:
    input:
        judgments="<results>/{study}/data/raw_judgments.parquet",
        judged_here=lambda w: [
            *of_trained("judgments.parquet")(w),
            *judged_by_language_models(w.study),
        ],
        judges="<results>/{study}/data/judges.parquet",
        responses="<results>/{study}/data/responses.parquet",
        left_out="<results>/{study}/data/left_out.csv",
        code=code("clean.py"),
    output:
        judgments="<results>/{study}/data/judgments.parquet",
        exclusions="<results>/{study}/data/exclusions.csv",
        flags="<results>/{study}/data/flags.csv",
        counts="<results>/{study}/data/counts.csv",
        groups="<results>/{study}/data/groups.csv",
        sizes="<results>/{study}/statistics/sizes.csv",
        protocol="<results>/{study}/statistics/protocol.csv",
    log:
        "<results>/{study}/logs/clean.log",
    benchmark:
        "<results>/{study}/benchmarks/clean.tsv"
    wildcard_constraints:
        study=only("verdicts"),
    conda:
        "../../envs/environment.yaml"
    params:
        cleaning=CONFIG.cleaning.model_dump(),
        judge_group=lambda w: group_of(w.study),
        study=sections("demographics"),
        data=data,
    script:
        "../../scripts/clean.py"


rule provenance:
    input:
        sources="<results>/{study}/data/sources.csv",
        # Written only once the raw files could be read.
        judgments="<results>/{study}/data/raw_judgments.parquet",
        code=code("provenance.py"),
    output:
        "<results>/{study}/data/provenance.json",
    log:
        "<results>/{study}/logs/provenance.log",
    wildcard_constraints:
        study=only("verdicts"),
    conda:
        "../../envs/environment.yaml"
    params:
        config=CONFIG.model_dump(mode="json"),
        source=lambda w: source_of(w.study),
    script:
        "../../scripts/provenance.py"
