"""Convert the raw files of a study to a data package."""

from pathlib import Path

from converters import load_converter
from turingstats.config.subset import load_study
from turingstats.core.errors import report_errors
from turingstats.data import package_writer

with report_errors(snakemake.log[0]):
    params = snakemake.params
    contents = load_converter(params.converter).convert(
        params.folder,
        load_study(f"config/studies/{params.study}.yaml"),
        dict(params.commits),
        params.repository,
        params.allow_missing,
    )
    folder = Path(snakemake.output[0]).parent
    package_writer.save_package(contents, folder)
    print(f"{len(contents) - 1} tables of {params.folder} in {folder}")
