"""Summarize the findings of a run, one row per task."""

import pandas as pd

from turingstats.analysis import findings
from turingstats.claims.ledger import LEDGER
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors

with report_errors(snakemake.log[0]):
    tables = {
        name: files.read_frame(snakemake.input[name])
        for name in ("estimates", "equivalence", "sizes")
    }
    ledger = snakemake.input.get("claims")
    checked = files.read_frame(ledger) if ledger else pd.DataFrame(columns=LEDGER)
    study = Study(**snakemake.params.study)
    summary = findings.summarize_tasks(study, **tables, claims=checked, data=snakemake.params.data)
    files.write_frame(summary, snakemake.output[0])
    print(f"{len(summary)} tasks")
