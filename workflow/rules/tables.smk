# Results to the tables of the paper.
#
# in:  <results>/{study}/statistics/estimates.csv, sizes.csv, texts.csv
# out: <results>/{study}/tables/{table}.csv (source data), .tex, .html


rule tables:
    input:
        PLAN.table_targets,


# One rule per study, since the lists of tables differ.
for name in filter(lambda name: PLANS[name].study.tables, VERDICTS):

    rule:
        name:
            f"table_{name}"
        input:
            estimates="<results>/{study}/statistics/estimates.csv",
            sizes="<results>/{study}/statistics/sizes.csv",
            texts="<results>/{study}/statistics/texts.csv",
            missing="<results>/{study}/data/missing.csv",
            lengths=lambda w: plan(w).list_if_made("lengths"),
            genders=lambda w: plan(w).list_if_made("genders"),
            rates=lambda w: plan(w).list_if_made("success_rates"),
            code=code("table.py"),
        output:
            expand(
                "<results>/{{study}}/tables/{table}.{format}",
                table=PLANS[name].study.tables,
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
