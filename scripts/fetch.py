"""Fetch the public raw files of a study, or put back those that were deleted."""

from pathlib import Path

from turingstats.config.raw_files import RawFile
from turingstats.core.errors import report_errors
from turingstats.data import sources

with report_errors(snakemake.log[0]):
    params = snakemake.params
    wanted = [RawFile(**file) for file in params.files]
    paths = [file.path for file in wanted]
    sources.clone_files(params.repository, params.commit, paths, params.folder)
    commit = sources.verify_checkout(params.folder, params.commit, paths)
    if params.allow_missing:
        # The marker of a folder whose files are not known beforehand.
        Path(snakemake.output[0]).write_text(f"{commit}\n")
    else:
        origin = f"{params.repository} at commit {params.commit}"
        sources.refuse_missing(params.folder, wanted, origin)
    print(f"commit {commit} of {params.repository}")
