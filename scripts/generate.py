"""Generate the raw files of a study."""

import sys
from pathlib import Path

from turingstats.core.errors import report_errors

# Snakemake finds modules next to this script; the generators are next to the folder of scripts.
sys.path.append(str(Path(__file__).parents[1]))
import demo

with report_errors(snakemake.log[0]):
    params, published = snakemake.params, snakemake.input.published
    paths = demo.write_study(params.generator, published, params.folder, params.seed)
    print(f"{len(paths)} generated files in {params.folder}")
