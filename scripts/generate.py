"""Generate the raw files of a study."""

from pathlib import Path

from turingstats import simulate
from turingstats.config.raw_files import RawFile
from turingstats.core.errors import reported
from turingstats.data import sources

with reported(snakemake.log[0]):
    params, published = snakemake.params, snakemake.input.published
    if params.generator:
        made = simulate.write_study(params.generator, published, params.folder, params.seed)
    else:
        made = simulate.write_demo(
            *published, params.folder, params.seed, params.tasks, snakemake.threads
        )
    if params.allow_missing:
        # The mark of a folder whose files nobody knows beforehand.
        Path(snakemake.output[0]).write_text(f"seed {params.seed}\n")
    else:
        wanted = [RawFile(**file) for file in params.files]
        sources.refuse_missing(params.folder, wanted, f"generated data in {params.folder}")
    print(f"{len(made)} generated files in {params.folder}")
