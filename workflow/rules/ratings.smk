# Studies of pairwise similarity ratings (design: ratings), from ratings to source data.
#
# in:  generated or own files (data/sources/{study}.yaml), data/published/{study}/ to generate them
# out: <results>/{study}/data/, statistics/ (alignment, agreement, individuals, tests, sizes, map, and of
#      what the paper prints printed_alignments),
#      figures/{figure}.csv, tables/


rule obtain_ratings:
    input:
        raw=raw_files,
        published=lambda w: (
            [f"data/published/{w.study}/{name}.csv" for name in ("design", "alignments", "items")]
            if source_of(w.study) == "demo"
            else []
        ),
        code=code("obtain_ratings.py"),
    output:
        sources="<results>/{study}/data/sources.csv",
        missing="<results>/{study}/data/missing.csv",
    log:
        "<results>/{study}/logs/obtain_ratings.log",
    benchmark:
        "<results>/{study}/benchmarks/obtain_ratings.tsv"
    wildcard_constraints:
        study=only("ratings"),
    conda:
        "../../envs/environment.yaml"
    params:
        source=lambda w: source_of(w.study),
        folder=raw_folder,
        files=lambda w: [file.model_dump() for file in sources_of(w.study).files],
        allow_missing=CONFIG.data.allow_missing,
        systems=systems_of,
        seed=lambda w: CONFIG.seed if source_of(w.study) == "demo" else None,
    script:
        "../../scripts/obtain_ratings.py"


rule read_ratings:
    input:
        sources="<results>/{study}/data/sources.csv",
        code=code("read_ratings.py"),
    output:
        ratings="<results>/{study}/data/ratings.parquet",
        item_list="<results>/{study}/data/items.csv",
        distances="<results>/{study}/data/distances.parquet",
    log:
        "<results>/{study}/logs/read_ratings.log",
    benchmark:
        "<results>/{study}/benchmarks/read_ratings.tsv"
    wildcard_constraints:
        study=only("ratings"),
    conda:
        "../../envs/environment.yaml"
    params:
        folder=raw_folder,
        study=sections(),
    script:
        "../../scripts/read_ratings.py"


rule account_for_ratings:
    input:
        ratings="<results>/{study}/data/ratings.parquet",
        item_list="<results>/{study}/data/items.csv",
        code=code("account_for_ratings.py"),
    output:
        "<results>/{study}/data/exclusions.csv",
    log:
        "<results>/{study}/logs/account_for_ratings.log",
    benchmark:
        "<results>/{study}/benchmarks/account_for_ratings.tsv"
    wildcard_constraints:
        study=only("ratings"),
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections(keep=[LABEL]),
        data=data,
    script:
        "../../scripts/account_for_ratings.py"


rule provenance_of_ratings:
    input:
        sources="<results>/{study}/data/sources.csv",
        # Written only once the files could be read.
        ratings="<results>/{study}/data/ratings.parquet",
        code=code("provenance.py"),
    output:
        "<results>/{study}/data/provenance.json",
    log:
        "<results>/{study}/logs/provenance.log",
    wildcard_constraints:
        study=only("ratings"),
    conda:
        "../../envs/environment.yaml"
    params:
        config=CONFIG.model_dump(mode="json"),
        source=lambda w: source_of(w.study),
    script:
        "../../scripts/provenance.py"


rule align:
    input:
        ratings="<results>/{study}/data/ratings.parquet",
        item_list="<results>/{study}/data/items.csv",
        distances="<results>/{study}/data/distances.parquet",
        code=code("align.py"),
    output:
        alignment="<results>/{study}/statistics/alignment.csv",
        agreement="<results>/{study}/statistics/agreement.csv",
        individuals="<results>/{study}/statistics/individuals.csv",
        tests="<results>/{study}/statistics/tests.csv",
        sizes="<results>/{study}/statistics/sizes.csv",
    log:
        "<results>/{study}/logs/align.log",
    benchmark:
        "<results>/{study}/benchmarks/align.tsv"
    wildcard_constraints:
        study=only("ratings"),
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections("tests"),
        data=data,
        options={
            "seed": CONFIG.seed,
            "n_permutation": CONFIG.resamples.permutation,
            "confidence": CONFIG.confidence,
        },
    script:
        "../../scripts/align.py"


rule map_raters:
    input:
        ratings="<results>/{study}/data/ratings.parquet",
        item_list="<results>/{study}/data/items.csv",
        distances="<results>/{study}/data/distances.parquet",
        code=code("map_raters.py"),
    output:
        "<results>/{study}/statistics/map.csv",
    log:
        "<results>/{study}/logs/map_raters.log",
    benchmark:
        "<results>/{study}/benchmarks/map_raters.tsv"
    wildcard_constraints:
        study=only("ratings"),
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections("maps"),
        seed=CONFIG.seed,
        data=data,
    script:
        "../../scripts/map_raters.py"


rule printed_alignments:
    input:
        published=expand("data/published/{{study}}/{name}.csv", name=["alignments", "items"]),
        code=code("printed_alignments.py"),
    output:
        "<results>/{study}/statistics/printed_alignments.csv",
    log:
        "<results>/{study}/logs/printed_alignments.log",
    wildcard_constraints:
        study=only("ratings"),
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections(keep=[LABEL]),
    script:
        "../../scripts/printed_alignments.py"


# A rule a study, since the lists of figures and tables differ.
for name in studies_of_design("ratings"):

    rule:
        name:
            f"similarity_figures_{name}"
        input:
            ratings="<results>/{study}/data/ratings.parquet",
            item_list="<results>/{study}/data/items.csv",
            distances="<results>/{study}/data/distances.parquet",
            alignment="<results>/{study}/statistics/alignment.csv",
            agreement="<results>/{study}/statistics/agreement.csv",
            individuals="<results>/{study}/statistics/individuals.csv",
            map="<results>/{study}/statistics/map.csv",
            printed=where_made(name, "printed_alignments"),
            code=code("similarity_figures.py"),
        output:
            expand("<results>/{{study}}/figures/{figure}.csv", figure=drawn_of(name)),
        log:
            "<results>/{study}/logs/similarity_figures.log",
        benchmark:
            "<results>/{study}/benchmarks/similarity_figures.tsv"
        wildcard_constraints:
            study=name,
        conda:
            "../../envs/environment.yaml"
        params:
            study=sections("figures", "maps", keep=[LABEL]),
            reading=lambda w: reading_of(w.study),
            level=CONFIG.confidence,
            data=data,
        script:
            "../../scripts/similarity_figures.py"

    rule:
        name:
            f"similarity_table_{name}"
        input:
            item_list="<results>/{study}/data/items.csv",
            alignment="<results>/{study}/statistics/alignment.csv",
            printed=where_made(name, "printed_alignments"),
            code=code("similarity_table.py"),
        output:
            expand(
                "<results>/{{study}}/tables/{table}.{format}",
                table=study_of(name).tables,
                format=["csv", "tex", "html"],
            ),
        log:
            "<results>/{study}/logs/similarity_table.log",
        wildcard_constraints:
            study=name,
        conda:
            "../../envs/environment.yaml"
        params:
            study=sections("tables", keep=[LABEL]),
            reading=lambda w: reading_of(w.study),
            data=data,
        script:
            "../../scripts/similarity_table.py"
