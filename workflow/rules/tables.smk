# Results to the tables of the paper.
#
# in:  <results>/{study}/statistics/estimates.csv, sizes.csv, texts.csv
# out: <results>/{study}/tables/{table}.csv (source data), .tex, .html


rule tables:
    input:
        table_targets(CONFIG.study),


# A rule a study, since the lists of tables differ.
for name in filter(lambda name: study_of(name).tables, studies_of_design("verdicts")):

    rule:
        name:
            f"table_{name}"
        input:
            estimates="<results>/{study}/statistics/estimates.csv",
            sizes="<results>/{study}/statistics/sizes.csv",
            texts="<results>/{study}/statistics/texts.csv",
            missing="<results>/{study}/data/missing.csv",
            lengths=where_made(name, "lengths"),
            genders=where_made(name, "genders"),
            rates=where_made(name, "success_rates"),
            code=code("table.py"),
        output:
            expand(
                "<results>/{{study}}/tables/{table}.{format}",
                table=study_of(name).tables,
                format=["csv", "tex", "html"],
            ),
        log:
            "<results>/{study}/logs/table.log",
        benchmark:
            "<results>/{study}/benchmarks/table.tsv"
        wildcard_constraints:
            study=name,
        conda:
            "../../envs/environment.yaml"
        params:
            study=sections("tables", "subsets", "demographics", keep=[LABEL]),
            reading=reading,
            data=data,
        script:
            "../../scripts/table.py"
