"""Write a starting study file for a table of verdicts."""

from pathlib import Path

from turingstats import new_study
from turingstats.errors import ConfigError, reported

with reported(snakemake.log[0]):
    if snakemake.params.csv is None:
        raise ConfigError("say which table: snakemake init --config csv=trials.csv")
    told = new_study.write(
        snakemake.params.csv,
        snakemake.params.name,
        named=snakemake.params.columns,
        words=snakemake.params.words,
    )
    print(told)
# The user is to read it, not to look for it in a log.
print(Path(snakemake.log[0]).read_text())
