"""Compare every observed trial that comes with the project with the public files."""

import sys

from converters import load_converter
from turingstats.config.subset import load_study
from turingstats.core import files
from turingstats.core.errors import report_errors

with report_errors(snakemake.log[0]):
    params = snakemake.params
    differences, summary = load_converter(params.converter).compare(
        params.folder,
        load_study(f"config/studies/{params.study}.yaml"),
        dict(params.commits),
        params.repository,
    )
    files.write_frame(differences, snakemake.output[0])
    print(summary)
    print(f"{summary}, listed in {snakemake.output[0]}", file=sys.stderr)
