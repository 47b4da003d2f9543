"""Compare published numbers with the recomputed ones."""

import pandas as pd
from turingstats import claims, files
from turingstats.config import Comparison
from turingstats.errors import reported

with reported(snakemake.log[0]):
    results = {name: files.read(snakemake.input[name]) for name in claims.KEYS}
    missing = files.read(snakemake.input.missing)
    params = snakemake.params
    comparisons = [Comparison(**declared) for declared in params.comparisons]
    ledgers = []
    for paper, path in zip(params.papers, snakemake.input.claims, strict=True):
        published = files.read(path)
        published = published[published["task"].isin([*params.tasks, "all"])]
        ledgers.append(claims.check(published, paper, results, missing, comparisons, params.data))
    ledger = pd.concat(ledgers, ignore_index=True)
    files.write(ledger, snakemake.output.claims)
    files.write(claims.summarise(ledger), snakemake.output.summary)
    print(claims.summarise(ledger).to_string(index=False))
