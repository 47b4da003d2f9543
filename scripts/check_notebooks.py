"""Compare the numbers that the authors' notebooks print with the recomputed ones."""

from pathlib import Path

import pandas as pd
from turingstats.claims import ledger as claims
from turingstats.config.study import Comparison
from turingstats.core import files
from turingstats.core.errors import reported

with reported(snakemake.log[0]):
    given, params = snakemake.input, snakemake.params
    tables = {Path(path).stem: files.read(path) for path in [*given.tables, given.settings]}
    columns = {name: list(table.columns) for name, table in tables.items()}
    missing = files.read(given.missing)
    comparisons = [Comparison(**declared) for declared in params.comparisons]
    ledgers = []
    for path in given.notebooks:
        printed = claims.read(path, params.tasks, columns, claims.NOTEBOOK_COLUMNS)
        paper = Path(path).parent.name
        ledgers.append(
            claims.check(
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
    ledger = pd.concat(ledgers, ignore_index=True)
    summary = claims.summarise(ledger, ["paper", "notebook", "task"])
    files.write(ledger, snakemake.output.notebooks)
    files.write(summary, snakemake.output.summary)
    print(pd.crosstab([ledger["paper"], ledger["task"]], ledger["status"]).to_string())
