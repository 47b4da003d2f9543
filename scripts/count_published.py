"""Compute rates and contrasts from the counts that a paper prints, and the same contrasts from judgments."""

import pandas as pd

from turingstats.analysis import published_counts
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors

with report_errors(snakemake.log[0]):
    params = snakemake.params
    study = Study(**params.study)
    printed = published_counts.read_counts(snakemake.input.counts, study.agents)
    table = published_counts.estimate_printed_rates(printed, study, params.level)
    estimates = files.read_frame(snakemake.input.estimates)
    observed = published_counts.count_observed_verdicts(
        estimates, study, study.subsets, params.reading
    )
    at_hand = published_counts.estimate_observed_rates(observed, study, params.level, params.data)
    parts = [
        published_counts.compute_contrasts(table, study.contrasts, study, params.level),
        published_counts.compute_contrasts(
            observed, study.contrasts, study, params.level, "judgments", params.data
        ),
    ]
    files.write_frame(pd.concat([table, at_hand], ignore_index=True), snakemake.output.rates)
    whole = table[table["subset"] == next(iter(study.subsets))]
    judged = published_counts.judge_equivalence(whole, study, params.equivalence)
    files.write_frame(judged, snakemake.output.equivalence)
    files.write_frame(pd.concat(parts, ignore_index=True), snakemake.output.contrasts)
    print(f"{len(table)} rates, {sum(map(len, parts))} contrasts")
