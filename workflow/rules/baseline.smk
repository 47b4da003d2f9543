# The numbers that `make check` compares with the accepted ones (tools/check.py): no picture is drawn.
#
# in:  <results>/{study}/data/provenance.json (the settings), statistics/*.csv, figures/*.csv, tables/*.csv, claims/*.csv


rule checked:
    input:
        PLAN.checked_results,
