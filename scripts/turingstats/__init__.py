"""Statistics, figures and checked claims of Turing-like tests.

The modules follow the data: `sources` and `adapters` read raw files, `cleaning` filters them, `counts`
tabulates verdicts, `estimates` and `comparisons` compute, `claims` checks published numbers, `figures`
and `tables` show. Nothing here knows of Snakemake.
"""

__version__ = "0.1.0"
