"""List printed rates with the counts that can be inferred from them."""

from turingstats.analysis import printed_rates
from turingstats.core import files
from turingstats.core.data_labels import PRINTED_COUNTS
from turingstats.core.errors import report_errors

with report_errors(snakemake.log[0]):
    printed, design = map(files.read_frame, snakemake.input.published)
    table = printed_rates.measure_printed_rates(
        printed, design, snakemake.params.level, snakemake.params.labels
    )
    files.write_frame(table.assign(data=PRINTED_COUNTS), snakemake.output[0])
    print(f"{table['n'].notna().sum()} of {len(table)} printed rates with their counts")
