"""Put the agents of all studies on one scale, and average them."""

from pathlib import Path

from turingstats.analysis.synthesis import gather, pool
from turingstats.core import files
from turingstats.core.errors import report_errors

with report_errors(snakemake.log[0]):
    params, paths = snakemake.params, snakemake.output
    results = Path(paths.effects).parents[2]
    effects, left_out = gather.gather_effects(params.studies, results, params.level, params.broken)
    averages = pool.pool_effects(effects, params.level)
    files.write_frame(effects.table, paths.effects)
    files.write_frame(gather.list_covariances(effects), paths.covariances)
    files.write_frame(averages, paths.averages)
    files.write_frame(left_out, paths.left_out)
    files.write_frame(pool.list_forest(effects, averages), paths.forest)
    print(f"{len(effects.table)} agents of {effects.table['study'].nunique()} studies")
