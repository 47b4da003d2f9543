# Public or generated raw files of a study. They are outputs, so that deleted ones are made again.
#
# in:  the public repository, or data/published/ (for generated data)
# out: data/raw/{study}/

OWNER = load_or_stop(lambda: PLAN.raw.load_owner(Path.cwd()))


if OWNER.is_fetched_here:

    rule fetch:
        input:
            code=code("scripts/fetch.py"),
        output:
            OWNER.fetched,
        log:
            "<results>/<study>/logs/fetch.log",
        # Needs the network, which not every node of a cluster reaches.
        localrule: True
        conda:
            "../../envs/environment.yaml"
        params:
            repository=OWNER.repository,
            commit=OWNER.pinned_commit,
            folder=lambda w: OWNER.name_raw_folder("public"),
            files=OWNER.listed,
            allow_missing=CONFIG.data.allow_missing,
        script:
            "../../scripts/fetch.py"


if OWNER.is_generated_here:

    rule generate:
        input:
            published=OWNER.generated_from,
            code=code("scripts/generate.py", *list_modules("demo", HOME)),
        output:
            OWNER.generated,
        log:
            "<results>/<study>/logs/generate.log",
        benchmark:
            "<results>/<study>/benchmarks/generate.tsv"
        conda:
            "../../envs/environment.yaml"
        params:
            generator=OWNER.sources.generator,
            folder=lambda w: OWNER.name_raw_folder("demo"),
            seed=CONFIG.seed,
        script:
            "../../scripts/generate.py"


if PLAN.sources.observed:

    # Compare every trial that comes with the project with the files of the public repository or, if
    # data.source is a checkout, with those of the checkout.
    rule compare_with_public:
        input:
            tables=PLAN.raw.observed_tables,
            public=PLAN.raw.public_files,
            code=code(
                "scripts/compare_with_public.py", *list_modules("turingstats.data.adapters", HOME)
            ),
        output:
            "<results>/<study>/data/compared_with_public.csv",
        log:
            "<results>/<study>/logs/compare_with_public.log",
        conda:
            "../../envs/environment.yaml"
        params:
            commit=PLAN.raw.pinned_commit,
            folder=lambda w: PLAN.raw.public_folder,
            observed=lambda w: PLAN.sources.observed,
            files=[file.model_dump() for file in PLAN.sources.files],
            study=PLAN.whole.model_dump(mode="json"),
        script:
            "../../scripts/compare_with_public.py"
