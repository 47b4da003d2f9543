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
            estimates=f"<results>/{name}/statistics/estimates.csv",
            sizes=f"<results>/{name}/statistics/sizes.csv",
            texts=f"<results>/{name}/statistics/texts.csv",
            missing=f"<results>/{name}/data/missing.csv",
            lengths=lambda w, name=name: PLANS[name].list_if_made("lengths"),
            genders=lambda w, name=name: PLANS[name].list_if_made("genders"),
            rates=lambda w, name=name: PLANS[name].list_if_made("success_rates"),
            code=code("scripts/table.py"),
        output:
            expand(
                f"<results>/{name}/tables/{{table}}.{{format}}",
                table=PLANS[name].study.tables,
                format=["csv", "tex", "html"],
            ),
        log:
            f"<results>/{name}/logs/table.log",
        benchmark:
            f"<results>/{name}/benchmarks/table.tsv"
        group:
            submitted_with("report")
        conda:
            "../../envs/environment.yaml"
        params:
            study=of_study(name, sections("tables", "subsets", "demographics", keep=[LABEL])),
            reading=of_study(name, reading),
            data=of_study(name, data),
        script:
            "../../scripts/table.py"
