"""Compare the printed numbers of two papers on the same data."""

import pandas as pd

from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.tables import versions, writer

with report_errors(snakemake.log[0]):
    first, second = (files.read_frame(snakemake.input[name]) for name in ("first", "second"))
    # Recomputed numbers as the ledger shows them, at the printed precision.
    ledger = pd.read_csv(snakemake.input.ledger, dtype={"recomputed": str, "recommended": str})
    table = versions.compare_versions(
        first, second, ledger, files.read_frame(snakemake.input.statements)
    )
    params, paths = snakemake.params, snakemake.output
    title = f"Numbers printed both in {params.first} and in {params.second}"
    columns_shown = table.drop(columns=["second_claims", "data"])
    writer.write_table(
        columns_shown.astype(object).where(columns_shown.notna(), "").astype(str),
        title,
        params.reading,
        params.data,
        csv=paths.csv,
        tex=paths.tex,
        html=paths.html,
    )
    print(f"{len(table)} numbers; {table['same'].value_counts().to_dict()}")
