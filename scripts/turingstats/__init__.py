"""Statistics, figures and checked claims of Turing-like tests.

The folders follow the data, and imports go one way only, from a later folder to an earlier one:

- `core`, `stats`: what every module may use, and statistics of arrays
- `config`: what a run is told
- `data`: from raw files to the tables of the data contract, and to counts
- `analysis`, `ratings`, `judges`: tables of statistics, studies of similarity ratings, and machine judges
- `figures`, `tables`: read those tables and show them
- `claims`, `report`: published numbers next to recomputed ones, and pages that put the results together
- `new_model`, `new_study`: a model or a study of one's own

Nothing here knows of Snakemake.
"""

__version__ = "0.1.0"
