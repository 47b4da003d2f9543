"""Compare published numbers with the recomputed ones, and with each other."""

from pathlib import Path

import pandas as pd
from turingstats.claims import consistency
from turingstats.claims import ledger as claims
from turingstats.config.study import Comparison
from turingstats.core import files
from turingstats.core.errors import reported
from turingstats.data import protocol

with reported(snakemake.log[0]):
    params = snakemake.params
    tables = {Path(path).stem: files.read(path) for path in snakemake.input.tables}
    settings = protocol.list_settings(params.study, params.confidence, params.judges)
    tables["settings"] = settings
    columns = {name: list(table.columns) for name, table in tables.items()}
    missing = files.read(snakemake.input.missing)
    comparisons = [Comparison(**declared) for declared in params.comparisons]
    published = {
        paper: claims.read(path, params.study["tasks"], columns)
        for paper, path in zip(params.papers, snakemake.input.claims, strict=True)
    }
    # A paper may be checked against another one's numbers.
    everything = pd.concat(map(files.read, snakemake.input.known), ignore_index=True)
    ledgers, checked = [], []
    for paper, path in zip(params.papers, snakemake.input.claims, strict=True):
        declared = Path(path).with_name("consistency.csv")
        checks = consistency.read(declared)
        checked.append(consistency.check(checks, paper, everything, params.data, declared))
    checked = pd.concat(checked, ignore_index=True)
    doubts = consistency.doubts(checked)
    for paper, own in published.items():
        ledgers.append(
            claims.check(
                own,
                paper,
                tables,
                missing,
                comparisons,
                params.data,
                doubts,
                params.tasks,
                params.pools,
            )
        )
    ledger = pd.concat(ledgers, ignore_index=True)
    files.write(ledger, snakemake.output.claims)
    files.write(checked, snakemake.output.consistency)
    files.write(settings.assign(data=params.data), snakemake.output.settings)
    files.write(claims.summarise(ledger), snakemake.output.summary)
    print(pd.crosstab([ledger["paper"], ledger["task"]], ledger["status"]).to_string())
