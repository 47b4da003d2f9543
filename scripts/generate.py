"""Generate the raw files of a study."""

import sys
from pathlib import Path

from turingstats.config.raw_files import RawFile
from turingstats.core.errors import report_errors
from turingstats.data import sources

# Snakemake finds modules next to this script; the generators are next to the folder of scripts.
sys.path.append(str(Path(__file__).parents[1]))
import demo

with report_errors(snakemake.log[0]):
    params, published = snakemake.params, snakemake.input.published
    paths = demo.write_study(
        params.generator, published, params.folder, params.seed, snakemake.threads
    )
    if params.allow_missing:
        # The marker of a folder whose files are not known beforehand.
        Path(snakemake.output[0]).write_text(f"seed {params.seed}\n")
    else:
        wanted = [RawFile(**file) for file in params.files]
        sources.refuse_missing(params.folder, wanted, f"generated data in {params.folder}")
    print(f"{len(paths)} generated files in {params.folder}")
