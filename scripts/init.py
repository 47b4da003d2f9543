"""Write a starting study file for a table of verdicts."""

import sys
from pathlib import Path

from turingstats import new_study
from turingstats.errors import ConfigError, TuringError

try:
    if snakemake.params.csv is None:
        raise ConfigError("Say which table: snakemake init --config csv=trials.csv")
    told = new_study.write(
        snakemake.params.csv,
        snakemake.params.name,
        named=snakemake.params.columns,
        words=snakemake.params.words,
    )
except TuringError as error:
    sys.exit(f"\n{error}\n")
Path(snakemake.log[0]).write_text(told + "\n")
print(told)
