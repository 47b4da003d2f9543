"""Fill the tables of the paper."""

from pathlib import Path

from turingstats.config.study import GenderTable, RateTable, ShownTable, Study
from turingstats.core import files
from turingstats.core.data_labels import PRINTED_COUNTS
from turingstats.core.errors import report_errors
from turingstats.data.absence import explain_absence
from turingstats.tables import genders, writer
from turingstats.tables import rates as rate_tables

with report_errors(snakemake.log[0]):
    params = snakemake.params
    study = Study(**params.study)
    estimates = files.read_frame(snakemake.input.estimates)
    sizes = files.read_frame(snakemake.input.sizes)
    texts = files.read_frame(snakemake.input.texts)
    missing = files.read_frame(snakemake.input.missing)
    rates = files.read_frame(snakemake.input.rates[0]) if snakemake.input.rates else None
    folder = Path(snakemake.output[0]).parent
    gender_shares = (
        files.read_frame(snakemake.input.genders[0]) if snakemake.input.genders else None
    )
    lengths = files.read_frame(snakemake.input.lengths[0]) if snakemake.input.lengths else None
    for name, described in study.tables.items():
        if isinstance(described, RateTable):
            title = described.title
            frame = rate_tables.build_pass_rates(
                described, study, estimates, lengths, params.reading
            )
        elif isinstance(described, GenderTable):
            title = f"{described.title}. {described.note}".rstrip(". ")
            of_task = missing[missing["task"] == described.task]
            lacking = explain_absence(of_task[of_task["cohort"].notna()])
            frame = genders.build_gender_table(
                described, study, gender_shares, lacking, params.reading
            )
        else:
            title = described.title
            frame = writer.build_table(
                name, study, estimates, sizes, texts, missing, params.reading, rates
            )
        paths = {ending: folder / f"{name}.{ending}" for ending in ("csv", "tex", "html")}
        data = params.data
        if isinstance(described, ShownTable) and described.shows == "success_rates":
            data = PRINTED_COUNTS if described.source == PRINTED_COUNTS else data
        writer.write_table(frame, title, params.reading, data, **paths)
        print(frame.to_string(index=False))
