# Public, converted or generated files of a study. They are outputs, so that deleted ones are made again.
#
# in:  the public repository, or data/published/ (for generated data)
# out: data/raw/{study}/

OWNER = load_or_stop(lambda: PLAN.raw.load_owner(Path.cwd()))


if OWNER.is_converted_here:
    # The files of a checkout that are converted; those of a repository are fetched.
    CHECKED_OUT = []
    if not OWNER.is_named and not OWNER.is_package_at_hand:
        from converters import load_converter

        CONVERTER = load_or_stop(load_converter, OWNER.sources.converter)
        CHECKED_OUT = CONVERTER.list_inputs(OWNER.converted_folder)

    rule convert:
        input:
            checked_out=CHECKED_OUT,
            study=[f"config/studies/{OWNER.name}.yaml", *find_lists("config/studies", OWNER.name)],
            lists=find_lists(os.path.relpath(HOME / "converters"), OWNER.sources.converter),
        output:
            OWNER.converted,
        log:
            "<results>/<study>/logs/convert.log",
        # Needs the network, which not every node of a cluster reaches.
        localrule: True
        conda:
            "../../envs/environment.yaml"
        params:
            code=code("scripts/convert.py", *list_modules("converters", HOME)),
            converter=OWNER.sources.converter,
            study=OWNER.name,
            repository=OWNER.repository if OWNER.is_named else None,
            commits=OWNER.commits,
            folder=lambda w: OWNER.converted_folder,
            allow_missing=CONFIG.data.allow_missing,
        script:
            "../../scripts/convert.py"

    # Compare every trial that comes with the project with the files of the public repository or, if
    # data.source is a checkout, with those of the checkout.
    rule compare_with_public:
        input:
            # Converting fetches the files of a repository.
            public=CHECKED_OUT or OWNER.converted,
            observed=f"{OWNER.sources.observed}/datapackage.json",
        output:
            "<results>/<study>/data/compared_with_public.csv",
        log:
            "<results>/<study>/logs/compare_with_public.log",
        conda:
            "../../envs/environment.yaml"
        params:
            code=code("scripts/compare_with_public.py", *list_modules("converters", HOME)),
            converter=OWNER.sources.converter,
            study=OWNER.name,
            repository=OWNER.repository if OWNER.is_named else None,
            commits=OWNER.commits,
            folder=lambda w: OWNER.converted_folder,
        script:
            "../../scripts/compare_with_public.py"


if OWNER.is_generated_here:

    rule generate:
        input:
            published=OWNER.generated_from,
        output:
            OWNER.list_generated(OWNER.sources.files),
        log:
            "<results>/<study>/logs/generate.log",
        benchmark:
            "<results>/<study>/benchmarks/generate.tsv"
        conda:
            "../../envs/environment.yaml"
        params:
            code=code("scripts/generate.py", *list_modules("demo", HOME)),
            generator=OWNER.sources.generator,
            folder=lambda w: OWNER.name_raw_folder("demo"),
            seed=CONFIG.seed,
        script:
            "../../scripts/generate.py"
