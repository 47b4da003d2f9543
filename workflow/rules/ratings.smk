# A study of pairwise similarity ratings (design: ratings), from raw files to all numbers that are shown.
#
# in:  generated or own files (data/sources/{study}.yaml), data/published/{study}/
# out: <results>/{study}/data/, statistics/, tables/, and figures/*.csv (numbers of figures)


rule data:
    input:
        raw=lambda w: load_or_stop(lambda: PLAN.raw.inputs),
        code=code("scripts/read_ratings.py"),
    output:
        sources="<results>/<study>/data/sources.csv",
        missing="<results>/<study>/data/missing.csv",
        ratings="<results>/<study>/data/ratings.parquet",
        item_list="<results>/<study>/data/items.csv",
        distances="<results>/<study>/data/distances.parquet",
        exclusions="<results>/<study>/data/exclusions.csv",
    log:
        "<results>/<study>/logs/data.log",
    benchmark:
        "<results>/<study>/benchmarks/data.tsv"
    conda:
        "../../envs/environment.yaml"
    params:
        raw=PLAN.raw.described | {"cohorts": PLAN.cohorts},
        study=PLAN.select_sections(keep=[LABEL]),
        data=PLAN.data_label,
    script:
        "../../scripts/read_ratings.py"


rule statistics:
    input:
        ratings="<results>/<study>/data/ratings.parquet",
        item_list="<results>/<study>/data/items.csv",
        distances="<results>/<study>/data/distances.parquet",
        code=code("scripts/compute_similarity.py"),
    output:
        PLAN.list_statistics(PLAN.computed_statistics),
    log:
        "<results>/<study>/logs/statistics.log",
    benchmark:
        "<results>/<study>/benchmarks/statistics.tsv"
    conda:
        "../../envs/environment.yaml"
    threads: 2
    params:
        study=PLAN.select_sections("tests", "maps"),
        data=PLAN.data_label,
        options={
            "seed": CONFIG.seed,
            "n_permutation": CONFIG.resamples.permutation,
            "confidence": CONFIG.confidence,
        },
    script:
        "../../scripts/compute_similarity.py"


# All that is shown, except pictures: tables, the numbers of each figure, the list of figures.
rule tables:
    input:
        results=[
            *PLAN.list_statistics(PLAN.computed_statistics),
            "<results>/<study>/data/ratings.parquet",
            "<results>/<study>/data/items.csv",
            "<results>/<study>/data/distances.parquet",
            "<results>/<study>/data/missing.csv",
        ],
        published=PLAN.printed_files,
        code=code("scripts/write_similarity_tables.py"),
    output:
        PLAN.list_statistics(PLAN.shown_statistics),
        PLAN.list_figures(PLAN.all_figures, ["csv"]),
        "<results>/<study>/figures/inventory.csv",
        PLAN.list_tables([*PLAN.study.tables, *PLAN.made_tables]),
    log:
        "<results>/<study>/logs/tables.log",
    benchmark:
        "<results>/<study>/benchmarks/tables.tsv"
    conda:
        "../../envs/environment.yaml"
    params:
        study=PLAN.select_sections("tables", "figures", "maps", keep=[LABEL]),
        reading=PLAN.reading,
        level=CONFIG.confidence,
        data=PLAN.data_label,
        notes=PLAN.inventory_notes,
    script:
        "../../scripts/write_similarity_tables.py"
