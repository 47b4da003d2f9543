"""Get the raw files, from wherever the configuration says, and list them."""

import sys
from pathlib import Path

from turingstats.config.raw_files import AbsentFile, RawFile
from turingstats.core import files
from turingstats.core.errors import SourceError, reported
from turingstats.data import data_package, observed, sources

# Snakemake finds what lies beside this script; the generators lie beside the folder of scripts.
sys.path.append(str(Path(__file__).parents[1]))
import demo

with reported(snakemake.log[0]):
    params = snakemake.params
    wanted = [RawFile(**file) for file in params.files]
    absent = [AbsentFile(**row) for row in params.not_public]
    paths = [file.path for file in wanted]
    commit, origin = "generated", f"generated data in {params.folder}"
    if params.source == "demo" and not params.generator:
        raise SourceError(
            "No generated data come with this study. Use another data.source, or name a generator of its "
            "raw files (`generator`) in data/sources/."
        )
    elif params.source == "demo":
        demo.write_study(
            params.generator,
            snakemake.input.published,
            params.folder,
            params.seed,
            params.tasks,
            snakemake.threads,
        )
    elif params.source == "public" and not params.repository:
        raise SourceError(
            "The trials of this study are not public. Use data.source: demo, or the path of a folder "
            "with the files listed in data/sources/."
        )
    elif params.source == "public":
        origin = f"{params.repository} at commit {params.commit}"
        sources.clone(params.repository, params.commit, paths, params.folder)
        commit = sources.verify(params.folder, params.commit, paths)
    elif params.source == "observed":
        commit, origin = params.commit, f"the observed trials in {params.folder}"
    else:
        origin = params.source
        commit = sources.verify(params.folder, params.commit, paths)
    if params.source == "observed":
        held = data_package.list_held_files(params.folder)
        tables = data_package.list_files(params.folder, params.tasks)
        trials = {
            table.path: observed.count_trials(params.folder, table, params.cohorts[table.task])
            for table in tables
        }
        present, missing = sources.list_observed_tables(
            params.folder, tables, held, wanted, absent, trials
        )
    else:
        present, missing = sources.list_raw_files(
            params.folder, wanted, absent, params.allow_missing, origin
        )
    files.write(present.assign(commit=commit), snakemake.output.sources)
    files.write(missing, snakemake.output.missing)
    print(f"{len(present)} raw files from {origin}, commit {commit}; {len(missing)} missing")
