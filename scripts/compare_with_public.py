"""Compare every observed trial that comes with the project with the public files."""

import sys

from turingstats.config.raw_files import RawFile, list_present
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import SourceError, report_errors
from turingstats.data import adapters, bundling, data_package, observed, package_writer, sources

with report_errors(snakemake.log[0]):
    params = snakemake.params
    study = Study(**params.study)
    bundled = data_package.list_public_paths(params.observed)
    wanted = [RawFile(**file) for file in params.files]
    wanted = [file for file in wanted if file.path in bundled]
    paths = [file.path for file in wanted]
    commit = sources.verify_checkout(params.folder, params.commit, paths)
    present = list_present(wanted, params.folder)
    lacking = sorted(bundled - {file.path for file in present})
    if lacking:
        raise SourceError(
            f"{len(lacking)} files whose facts come with the project are not in {params.folder}:\n"
            + "\n".join(f"  {path}" for path in lacking)
        )
    read = adapters.collect_tables(present, params.folder, study)
    read["responses"] = observed.fill_tags(read["responses"], params.observed)
    made = bundling.make_tables(read, study)
    public = {name: package_writer.format_cells(table) for name, table in made.items()}
    tables = data_package.list_files(params.observed, study.tasks)
    ours = {
        file.path.removesuffix(".csv"): observed.load_table(params.observed, file.path).fillna("")
        for file in tables
    }
    differences = bundling.compare_tables(ours, public)
    files.write_frame(differences, snakemake.output[0])
    rows = sum(len(table) for name, table in ours.items() if name.endswith("_trials"))
    summary = f"{rows:,} trials compared with commit {commit}: {len(differences)} differences"
    print(summary)
    print(f"{summary}, listed in {snakemake.output[0]}", file=sys.stderr)
