"""Compare published numbers with the recomputed ones, and with each other."""

from pathlib import Path

import pandas as pd

from turingstats.claims import claims_file, consistency, ledger
from turingstats.config.study import Comparison
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.data import protocol

with report_errors(snakemake.log[0]):
    params = snakemake.params
    tables = {Path(path).stem: files.read_frame(path) for path in snakemake.input.tables}
    settings = protocol.list_settings(params.study, params.confidence, params.judges)
    tables["settings"] = settings
    columns = {name: list(table.columns) for name, table in tables.items()}
    missing = files.read_frame(snakemake.input.missing)
    comparisons = [Comparison(**declared) for declared in params.comparisons]
    published = {
        paper: claims_file.read_claims(path, params.study["tasks"], columns)
        for paper, path in zip(params.papers, snakemake.input.claims, strict=True)
    }
    # A paper may be checked against the numbers of another paper.
    everything = pd.concat(map(files.read_frame, snakemake.input.known), ignore_index=True)
    ledgers, checked = [], []
    for paper, path in zip(params.papers, snakemake.input.claims, strict=True):
        declared = Path(path).with_name("consistency.csv")
        checks = consistency.read_checks(declared)
        checked.append(
            consistency.check_consistency(checks, paper, everything, params.data, declared)
        )
    checked = pd.concat(checked, ignore_index=True)
    contradictions = consistency.list_contradictions(checked)
    for paper, own in published.items():
        ledgers.append(
            ledger.check_claims(
                own,
                paper,
                tables,
                missing,
                comparisons,
                params.data,
                contradictions,
                params.tasks,
                params.pools,
            )
        )
    compared = pd.concat(ledgers, ignore_index=True)
    files.write_frame(compared, snakemake.output.claims)
    files.write_frame(checked, snakemake.output.consistency)
    files.write_frame(settings.assign(data=params.data), snakemake.output.settings)
    files.write_frame(ledger.count_statuses(compared), snakemake.output.summary)
    print(pd.crosstab([compared["paper"], compared["task"]], compared["status"]).to_string())
