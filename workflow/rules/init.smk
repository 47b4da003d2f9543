# A table of verdicts to a starting study.
#
#   snakemake init --config csv=trials.csv
#
# in:  the table
# out: config/studies/{name}.yaml, data/sources/{name}.yaml; neither is ever overwritten, so they are
#      not outputs that Snakemake tracks


localrules:
    init,


rule init:
    log:
        "<results>/init.log",
    conda:
        "../../envs/environment.yaml"
    params:
        code=code("scripts/init.py"),
        # A name may have braces.
        csv=lambda w: CONFIG.csv,
        name=CONFIG.name,
        columns=CONFIG.columns,
        words=CONFIG.values,
        table=CONFIG.table,
    script:
        "../../scripts/init.py"
