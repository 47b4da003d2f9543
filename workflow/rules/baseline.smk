# The numbers and pictures that `make check` compares with the accepted ones (tools/check.py).
#
# in:  <results>/{study}/data/provenance.json (the settings), statistics/*.csv, figures/*.csv, tables/*.csv, claims/*.csv,
#      and the pictures in figures/ and claims/


rule checked:
    input:
        PLAN.checked_results,
