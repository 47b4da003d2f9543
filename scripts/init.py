"""Write a starting study file for a table of verdicts."""

from pathlib import Path

from turingstats.core.errors import ConfigError, report_errors
from turingstats.new_study import starting_study

with report_errors(snakemake.log[0]):
    if snakemake.params.csv is None:
        raise ConfigError("say which table: snakemake init --config csv=trials.csv")
    summary = starting_study.write_study(
        snakemake.params.csv,
        snakemake.params.name,
        named=snakemake.params.columns,
        words=snakemake.params.words,
        shape=snakemake.params.table,
    )
    print(summary)
# The user should read this directly, not in a log.
print(Path(snakemake.log[0]).read_text())
