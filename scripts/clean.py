"""Decide which judgments are analyzed, log the others, and count verdicts."""

from turingstats.config.settings import Cleaning
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.data import (
    cleaning,
    counts,
    exclusion_log,
    protocol,
    record_checks,
    sample_sizes,
)

with report_errors(snakemake.log[0]):
    own, *here = map(files.read_frame, [snakemake.input.judgments, *snakemake.input.judged_here])
    judgments = cleaning.append_trained(own, here)
    judges = files.read_frame(snakemake.input.judges)
    responses = files.read_frame(snakemake.input.responses)
    study, data = Study(**snakemake.params.study), snakemake.params.data
    checks = record_checks.check_records(
        judgments, judges, responses, study, files.read_frame(snakemake.input.notes)
    ).assign(data=data)
    groups, people = (
        counts.assign_groups(judges, study.demographics),
        counts.map_judges_to_people(judges),
    )
    marked = cleaning.mark_exclusions(judgments, study, Cleaning(**snakemake.params.cleaning))
    cleaning.require_kept_judgments(marked, study)
    whole = counts.add_pooled_cohorts(marked, study)
    left_out = files.read_frame(snakemake.input.left_out)
    exclusions = exclusion_log.log_exclusions(marked, study, left_out, responses).assign(data=data)
    files.write_frame(marked, snakemake.output.judgments)
    files.write_frame(exclusions, snakemake.output.exclusions)
    files.write_frame(checks, snakemake.output.checks)
    files.write_frame(
        record_checks.flag_careless_judges(marked).assign(data=data), snakemake.output.flags
    )
    counted = counts.count_verdicts(whole, study, groups, people)
    files.write_frame(counted.assign(data=data), snakemake.output.counts)
    files.write_frame(groups, snakemake.output.groups)
    measured = sample_sizes.count_samples(whole, groups, responses, study, people)
    files.write_frame(measured.assign(data=data), snakemake.output.sizes)
    constants = protocol.measure_protocol(judgments, responses, study)
    files.write_frame(constants.assign(data=data), snakemake.output.protocol)
    summary = exclusions[exclusions["judge"] == "all"]
    print(checks[["level", "check", "task", "cohort", "number"]].to_string(index=False))
    print(summary.drop(columns=["study", "judge"]).to_string(index=False))
