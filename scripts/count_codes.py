"""Compute frequency, accuracy and mean game index of the codes of strategies and reasons."""

from pathlib import Path

from turingstats.analysis import codes
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors

with report_errors(snakemake.log[0]):
    params = snakemake.params
    study = Study(**params.study)
    read = {Path(path).name: codes.read_scheme(path) for path in snakemake.input.schemes}
    schemes = {name: read[declared.scheme] for name, declared in study.codes.items()}
    table = codes.measure_codes(
        files.read_frame(snakemake.input.judgments), study, schemes, params.level
    )
    files.write_frame(table.assign(data=params.data), snakemake.output[0])
    print(f"{len(table)} numbers of {len(schemes)} schemes")
