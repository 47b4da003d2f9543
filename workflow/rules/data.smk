# Raw files to tables.
#
# in:  the public repository, a checkout of it, or data/published/ (for generated data)
# out: <results>/{study}/data/*.csv, *.parquet


rule data:
    input:
        PLAN.data_targets,


# One rule per study, since the lists of raw files differ. They are outputs, so that deleted ones are made again.
for name in filter(lambda name: PLANS[name].raw.is_fetched_here, PLANS):

    rule:
        name:
            f"fetch_{name}"
        input:
            code=code("scripts/fetch.py"),
        output:
            PLANS[name].raw.fetched,
        log:
            f"<results>/{name}/logs/fetch.log",
        # Needs the network, which not every node of a cluster reaches.
        localrule: True
        conda:
            "../../envs/environment.yaml"
        params:
            repository=PLANS[name].raw.repository,
            commit=PLANS[name].raw.pinned_commit,
            folder=lambda w, name=name: PLANS[name].raw.name_raw_folder("public"),
            files=PLANS[name].raw.listed,
            allow_missing=CONFIG.data.allow_missing,
        script:
            "../../scripts/fetch.py"


for name in filter(lambda name: PLANS[name].raw.is_generated_here, PLANS):

    rule:
        name:
            f"generate_{name}"
        input:
            published=PLANS[name].raw.generated_from,
            code=code("scripts/generate.py", *list_package_modules("demo")),
        output:
            PLANS[name].raw.generated,
        log:
            f"<results>/{name}/logs/generate.log",
        benchmark:
            f"<results>/{name}/benchmarks/generate.tsv"
        group:
            submitted_with("data")
        conda:
            "../../envs/environment.yaml"
        params:
            generator=PLANS[name].sources.generator,
            folder=lambda w, name=name: PLANS[name].raw.name_raw_folder("demo"),
            seed=CONFIG.seed,
        script:
            "../../scripts/generate.py"


rule obtain:
    input:
        raw=raw_files,
        code=code("scripts/obtain.py"),
    output:
        sources="<results>/{study}/data/sources.csv",
        missing="<results>/{study}/data/missing.csv",
    log:
        "<results>/{study}/logs/obtain.log",
    benchmark:
        "<results>/{study}/benchmarks/obtain.tsv"
    group:
        submitted_with("data")
    conda:
        "../../envs/environment.yaml"
    params:
        source=lambda w: plan(w).raw.source,
        is_package=lambda w: plan(w).raw.is_package,
        repository=lambda w: plan(w).raw.repository,
        origin=lambda w: plan(w).raw.origin,
        commit=lambda w: plan(w).raw.commit,
        folder=lambda w: plan(w).raw.folder,
        files=lambda w: [file.model_dump() for file in plan(w).raw.files],
        not_public=lambda w: [row.model_dump() for row in plan(w).sources.not_public],
        allow_missing=CONFIG.data.allow_missing,
        cohorts=lambda w: plan(w).cohorts,
    script:
        "../../scripts/obtain.py"


rule provenance:
    input:
        sources="<results>/{study}/data/sources.csv",
        # Written only once the raw files could be read.
        read=lambda w: f"<results>/{w.study}/data/{plan(w).first_table}",
        code=code("scripts/provenance.py"),
    output:
        "<results>/{study}/data/provenance.json",
    log:
        "<results>/{study}/logs/provenance.log",
    group:
        submitted_with("data")
    conda:
        "../../envs/environment.yaml"
    params:
        config=CONFIG.model_dump(mode="json"),
        source=lambda w: plan(w).raw.source,
    script:
        "../../scripts/provenance.py"


# Compare every trial that comes with the project with the files of the public repository or, if data.source
# is a checkout, with those of the checkout.
rule compare_with_public:
    input:
        f"<results>/{PLAN.name}/data/compared_with_public.csv",


rule compare_trials:
    input:
        tables=lambda w: load_or_stop(lambda: plan(w).raw.observed_tables),
        public=lambda w: plan(w).raw.public_files,
        code=code(
            "scripts/compare_with_public.py", *list_package_modules("turingstats.data.adapters")
        ),
    output:
        "<results>/{study}/data/compared_with_public.csv",
    log:
        "<results>/{study}/logs/compare_trials.log",
    conda:
        "../../envs/environment.yaml"
    params:
        commit=lambda w: plan(w).raw.pinned_commit,
        folder=lambda w: plan(w).raw.public_folder,
        observed=lambda w: plan(w).sources.observed,
        files=lambda w: [file.model_dump() for file in plan(w).sources.files],
        study=lambda w: plan(w).whole.model_dump(mode="json"),
    script:
        "../../scripts/compare_with_public.py"


rule ingest:
    input:
        sources="<results>/{study}/data/sources.csv",
        raw=raw_files,
        code=code("scripts/ingest.py", *list_package_modules("turingstats.data.adapters")),
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
        study=match_studies(VERDICTS),
    group:
        submitted_with("data")
    conda:
        "../../envs/environment.yaml"
    params:
        bundled=lambda w: plan(w).sources.observed,
        source=lambda w: plan(w).raw.source,
        is_package=lambda w: plan(w).raw.is_package,
        folder=lambda w: plan(w).raw.folder,
        files=lambda w: [file.model_dump() for file in plan(w).raw.files],
        study=lambda w: plan(w).study_to_ingest,
    script:
        "../../scripts/ingest.py"


rule clean:
    input:
        judgments="<results>/{study}/data/raw_judgments.parquet",
        judged_here=lambda w: [
            *plan(w).list_trained("judgments.parquet"),
            *plan(w).asked_judgments,
        ],
        judges="<results>/{study}/data/judges.parquet",
        responses="<results>/{study}/data/responses.parquet",
        left_out="<results>/{study}/data/left_out.csv",
        code=code("scripts/clean.py"),
    output:
        judgments="<results>/{study}/data/judgments.parquet",
        exclusions="<results>/{study}/data/exclusions.csv",
        flags="<results>/{study}/data/flags.csv",
        checks="<results>/{study}/data/record_checks.csv",
        counts="<results>/{study}/data/counts.parquet",
        groups="<results>/{study}/data/groups.csv",
        sizes="<results>/{study}/statistics/sizes.csv",
        protocol="<results>/{study}/statistics/protocol.csv",
    log:
        "<results>/{study}/logs/clean.log",
    benchmark:
        "<results>/{study}/benchmarks/clean.tsv"
    wildcard_constraints:
        study=match_studies(VERDICTS),
    group:
        submitted_with("statistics")
    conda:
        "../../envs/environment.yaml"
    params:
        cleaning=CONFIG.cleaning.model_dump(),
        judge_group=lambda w: plan(w).judge_group,
        study=sections("demographics"),
        data=data,
    script:
        "../../scripts/clean.py"
