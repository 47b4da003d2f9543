"""Get the files of a study of similarity ratings, or generate them, and list them."""

import sys
from pathlib import Path

from turingstats.config.raw_files import RawFile
from turingstats.core import files
from turingstats.core.errors import SourceError, reported
from turingstats.data import sources

# Snakemake finds what lies beside this script; the generators lie beside the folder of scripts.
sys.path.append(str(Path(__file__).parents[1]))
from demo.turingrsa import ratings

with reported(snakemake.log[0]):
    params = snakemake.params
    wanted = [RawFile(**file) for file in params.files]
    commit, origin = "unverified", params.source
    if params.source == "demo":
        ratings.write_demo(*snakemake.input.published, params.folder, params.seed, params.systems)
        commit, origin = "generated", f"generated data in {params.folder}"
    elif params.source == "public":
        raise SourceError(
            "The ratings of this study are not public. Use data.source: demo, or the path of a "
            "folder with the files listed in data/sources/."
        )
    present, missing = sources.list_raw_files(
        params.folder, wanted, [], params.allow_missing, origin
    )
    files.write(present.assign(commit=commit), snakemake.output.sources)
    files.write(missing, snakemake.output.missing)
    print(f"{len(present)} files from {origin}; {len(missing)} missing")
