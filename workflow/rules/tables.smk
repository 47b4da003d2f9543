# Results to the tables of the paper.
#
# in:  <results>/{study}/statistics/estimates.csv, sizes.csv, texts.csv
# out: <results>/{study}/tables/{table}.csv (source data), .tex, .html


rule tables:
    input:
        expand(
            f"<results>/{CONFIG.study}/tables/{{table}}.{{format}}",
            table=STUDY.tables,
            format=["csv", "tex", "html"],
        ),


rule table:
    input:
        estimates="<results>/{study}/statistics/estimates.csv",
        sizes="<results>/{study}/statistics/sizes.csv",
        texts="<results>/{study}/statistics/texts.csv",
        missing="<results>/{study}/data/missing.csv",
        code=code("table.py"),
    output:
        expand(
            "<results>/{{study}}/tables/{table}.{format}",
            table=STUDY.tables,
            format=["csv", "tex", "html"],
        ),
    log:
        "<results>/{study}/logs/table.log",
    benchmark:
        "<results>/{study}/benchmarks/table.tsv"
    conda:
        "../../envs/environment.yaml"
    params:
        study=sections("tables"),
        reading=CONFIG.figures.reading,
        data=DATA,
    script:
        "../../scripts/table.py"
