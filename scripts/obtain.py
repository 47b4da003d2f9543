"""List the raw files of a run, and those that are not available."""

from pathlib import Path

from turingstats.config.raw_files import AbsentFile, RawFile
from turingstats.core import files
from turingstats.core.errors import SourceError, report_errors
from turingstats.data import provenance, sources

with report_errors(snakemake.log[0]):
    params = snakemake.params
    wanted = [RawFile(**file) for file in params.files]
    absent = [AbsentFile(**row) for row in params.not_public]
    commit = params.commit
    if params.source == "public" and not params.repository:
        raise SourceError(
            "The raw files of this study are not public. Use data.source: demo, or the path of a "
            "folder with the files listed in data/sources/."
        )
    if params.is_package:
        present, missing = sources.list_package(params.folder, params.cohorts, absent)
    else:
        if commit != "generated":
            commit = sources.verify_checkout(params.folder, commit, [file.path for file in wanted])
        present, missing = sources.list_raw_files(
            params.folder, wanted, absent, params.allow_missing, params.origin
        )
    files.write_frame(present.assign(commit=commit), snakemake.output.sources)
    files.write_frame(missing, snakemake.output.missing)
    origin = params.source if Path(params.origin).is_absolute() else params.origin
    print(
        f"{len(present)} raw files from {provenance.drop_folder(origin)}, commit {commit}; "
        f"{len(missing)} missing"
    )
