"""Decide which judgments are analysed, account for the others, and count verdicts."""

from turingstats.config.settings import Cleaning
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import reported
from turingstats.data import careless, cleaning, counts, exclusion_log, protocol, sample_sizes

with reported(snakemake.log[0]):
    own, *here = map(files.read, [snakemake.input.judgments, *snakemake.input.judged_here])
    judgments = cleaning.append_trained(own, here)
    judges = files.read(snakemake.input.judges)
    responses = files.read(snakemake.input.responses)
    study, data = Study(**snakemake.params.study), snakemake.params.data
    groups, people = counts.groups_of(judges, study.demographics), counts.people_of(judges)
    members = counts.members_of(groups, snakemake.params.judge_group)
    marked = cleaning.clean(judgments, study, Cleaning(**snakemake.params.cleaning), members)
    cleaning.require_some(marked, study)
    whole = counts.with_pools(marked, study)
    left_out = files.read(snakemake.input.left_out)
    exclusions = exclusion_log.log_exclusions(marked, study, left_out, responses).assign(data=data)
    files.write(marked, snakemake.output.judgments)
    files.write(exclusions, snakemake.output.exclusions)
    files.write(careless.flag_careless(marked).assign(data=data), snakemake.output.flags)
    counted = counts.count(whole, study, groups, people)
    files.write(counted.assign(data=data), snakemake.output.counts)
    files.write(groups, snakemake.output.groups)
    measured = sample_sizes.count_samples(whole, groups, responses, study, people)
    files.write(measured.assign(data=data), snakemake.output.sizes)
    constants = protocol.measure_protocol(judgments, responses, study)
    files.write(constants.assign(data=data), snakemake.output.protocol)
    summary = exclusions[exclusions["judge"] == "all"]
    print(summary.drop(columns=["study", "judge"]).to_string(index=False))
