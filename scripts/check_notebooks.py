"""Compare the numbers that the authors' notebooks print with the recomputed ones."""

from pathlib import Path

import pandas as pd

from turingstats.claims import claims_file, ledger
from turingstats.config.study import Comparison
from turingstats.core import files
from turingstats.core.errors import report_errors

with report_errors(snakemake.log[0]):
    given, params = snakemake.input, snakemake.params
    tables = {Path(path).stem: files.read_frame(path) for path in [*given.tables, given.settings]}
    columns = {name: list(table.columns) for name, table in tables.items()}
    missing = files.read_frame(given.missing)
    comparisons = [Comparison(**declared) for declared in params.comparisons]
    ledgers = []
    for path in given.notebooks:
        printed = claims_file.read_claims(path, params.tasks, columns, claims_file.NOTEBOOK_COLUMNS)
        paper = Path(path).parent.name
        ledgers.append(
            ledger.check_claims(
                printed,
                paper,
                tables,
                missing,
                comparisons,
                params.data,
                tasks=params.run,
                pools=params.pools,
            )
        )
    compared = pd.concat(ledgers, ignore_index=True)
    summary = ledger.count_statuses(compared, ["paper", "notebook", "task"])
    files.write_frame(compared, snakemake.output.notebooks)
    files.write_frame(summary, snakemake.output.summary)
    print(pd.crosstab([compared["paper"], compared["task"]], compared["status"]).to_string())
