"""Rates and contrasts from the counts that a paper prints, and the same contrasts of the judgments."""

import pandas as pd
from turingstats.analysis import published_counts
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import reported

with reported(snakemake.log[0]):
    params = snakemake.params
    study = Study(**params.study)
    printed = published_counts.read_counts(snakemake.input.counts, study.agents)
    table = published_counts.rates(printed, study, params.level)
    estimates = files.read(snakemake.input.estimates)
    own = published_counts.counted(estimates, study, study.subsets, params.reading)
    at_hand = published_counts.rates_at_hand(own, study, params.level, params.data)
    parts = [
        published_counts.contrasts(table, study.contrasts, study, params.level),
        published_counts.contrasts(
            own, study.contrasts, study, params.level, "judgments", params.data
        ),
    ]
    files.write(pd.concat([table, at_hand], ignore_index=True), snakemake.output.rates)
    whole = table[table["subset"] == next(iter(study.subsets))]
    judged = published_counts.judge_equivalence(whole, study, params.equivalence)
    files.write(judged, snakemake.output.equivalence)
    files.write(pd.concat(parts, ignore_index=True), snakemake.output.contrasts)
    print(f"{len(table)} rates, {sum(map(len, parts))} contrasts")
