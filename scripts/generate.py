"""Generate the raw files of a study."""

import demo
from turingstats.core.errors import report_errors

with report_errors(snakemake.log[0]):
    params, published = snakemake.params, snakemake.input.published
    paths = demo.write_study(params.generator, published, params.folder, params.seed)
    print(f"{len(paths)} generated files in {params.folder}")
