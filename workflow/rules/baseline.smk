# The numbers that `make check` compares with the accepted ones (scripts/check.py): no picture is drawn.
#
# in:  <results>/{study}/data/provenance.json (the settings), statistics/*.csv, figures/*.csv, tables/*.csv, claims/*.csv


rule checked:
    input:
        f"<results>/{CONFIG.study}/data/provenance.json",
        rules.statistics.input,
        expand(
            f"<results>/{CONFIG.study}/figures/{{figure}}.csv",
            figure=[*STUDY.figures, "exclusions", "inventory"],
        ),
        expand(f"<results>/{CONFIG.study}/tables/{{table}}.csv", table=STUDY.tables),
        f"<results>/{CONFIG.study}/claims/claims.csv",
        f"<results>/{CONFIG.study}/claims/consistency.csv",
