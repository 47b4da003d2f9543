# The numbers that `make check` compares with the accepted ones (tools/check.py): no picture is drawn.
#
# in:  <results>/{study}/data/provenance.json (the settings), statistics/*.csv, figures/*.csv, tables/*.csv, claims/*.csv


rule checked:
    input:
        [path for path in everything(CONFIG.study) if path.endswith((".csv", "provenance.json"))],
        expand(f"<results>/{CONFIG.study}/figures/{{figure}}.csv", figure=drawn_of(CONFIG.study)),
