# Studies of pairwise similarity ratings (design: ratings), from ratings to source data.
#
# in:  generated or own files (data/sources/{study}.yaml), data/published/{study}/ to generate them
# out: <results>/{study}/data/, statistics/ (alignment, agreement, individuals, tests, sizes, map, and
#      printed_alignments from what the paper prints),
#      figures/{figure}.csv, tables/


rule read_ratings:
    input:
        sources="<results>/{study}/data/sources.csv",
        raw=raw_files,
        code=code("scripts/read_ratings.py"),
    output:
        ratings="<results>/{study}/data/ratings.parquet",
        item_list="<results>/{study}/data/items.csv",
        distances="<results>/{study}/data/distances.parquet",
    log:
        "<results>/{study}/logs/read_ratings.log",
    benchmark:
        "<results>/{study}/benchmarks/read_ratings.tsv"
    wildcard_constraints:
        study=match_studies(RATINGS),
    group:
        submitted_with("data")
    conda:
        "../../envs/environment.yaml"
    params:
        folder=lambda w: plan(w).raw.folder,
        files=lambda w: [file.model_dump() for file in plan(w).raw.files],
        study=sections(),
    script:
        "../../scripts/read_ratings.py"


rule account_for_ratings:
    input:
        ratings="<results>/{study}/data/ratings.parquet",
        item_list="<results>/{study}/data/items.csv",
        code=code("scripts/account_for_ratings.py"),
    output:
        "<results>/{study}/data/exclusions.csv",
    log:
        "<results>/{study}/logs/account_for_ratings.log",
    benchmark:
        "<results>/{study}/benchmarks/account_for_ratings.tsv"
    wildcard_constraints:
        study=match_studies(RATINGS),
    group:
        submitted_with("data")
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections(keep=[LABEL]),
        data=data,
    script:
        "../../scripts/account_for_ratings.py"


rule align:
    input:
        ratings="<results>/{study}/data/ratings.parquet",
        item_list="<results>/{study}/data/items.csv",
        distances="<results>/{study}/data/distances.parquet",
        code=code("scripts/align.py"),
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
        study=match_studies(RATINGS),
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
        code=code("scripts/map_raters.py"),
    output:
        "<results>/{study}/statistics/map.csv",
    log:
        "<results>/{study}/logs/map_raters.log",
    benchmark:
        "<results>/{study}/benchmarks/map_raters.tsv"
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
        code=code("scripts/printed_alignments.py"),
    output:
        "<results>/{study}/statistics/printed_alignments.csv",
    log:
        "<results>/{study}/logs/printed_alignments.log",
    group:
        submitted_with("report")
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections(keep=[LABEL]),
    script:
        "../../scripts/printed_alignments.py"


# One rule per study, since the lists of figures and tables differ.
for name in RATINGS:

    rule:
        name:
            f"similarity_figures_{name}"
        input:
            ratings=f"<results>/{name}/data/ratings.parquet",
            item_list=f"<results>/{name}/data/items.csv",
            distances=f"<results>/{name}/data/distances.parquet",
            alignment=f"<results>/{name}/statistics/alignment.csv",
            agreement=f"<results>/{name}/statistics/agreement.csv",
            individuals=f"<results>/{name}/statistics/individuals.csv",
            map=f"<results>/{name}/statistics/map.csv",
            printed=lambda w, name=name: PLANS[name].list_if_made("printed_alignments"),
            code=code("scripts/similarity_figures.py"),
        output:
            expand(f"<results>/{name}/figures/{{figure}}.csv", figure=PLANS[name].drawn_figures),
        log:
            f"<results>/{name}/logs/similarity_figures.log",
        benchmark:
            f"<results>/{name}/benchmarks/similarity_figures.tsv"
        group:
            submitted_with("report")
        conda:
            "../../envs/environment.yaml"
        params:
            study=of_study(name, sections("figures", "maps", keep=[LABEL])),
            reading=of_study(name, reading),
            level=CONFIG.confidence,
            data=of_study(name, data),
        script:
            "../../scripts/similarity_figures.py"

    rule:
        name:
            f"similarity_table_{name}"
        input:
            item_list=f"<results>/{name}/data/items.csv",
            alignment=f"<results>/{name}/statistics/alignment.csv",
            printed=lambda w, name=name: PLANS[name].list_if_made("printed_alignments"),
            code=code("scripts/similarity_table.py"),
        output:
            expand(
                f"<results>/{name}/tables/{{table}}.{{format}}",
                table=PLANS[name].study.tables,
                format=["csv", "tex", "html"],
            ),
        log:
            f"<results>/{name}/logs/similarity_table.log",
        group:
            submitted_with("report")
        conda:
            "../../envs/environment.yaml"
        params:
            study=of_study(name, sections("tables", keep=[LABEL])),
            reading=of_study(name, reading),
            data=of_study(name, data),
        script:
            "../../scripts/similarity_table.py"
