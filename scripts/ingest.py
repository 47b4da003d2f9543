"""Read the raw files into the tables of the data contract."""

from turingstats.config.raw_files import RawFile
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.data import adapters, data_package, observed

with report_errors(snakemake.log[0]):
    listed = set(files.read_frame(snakemake.input.sources)["path"])
    study = Study(**snakemake.params.study)
    source = snakemake.params.source
    if snakemake.params.is_package:
        raw = data_package.list_files(snakemake.params.folder, study.tasks)
    else:
        raw = [RawFile(**file) for file in snakemake.params.files]
    raw = [file for file in raw if file.path in listed]
    judgments, judges, responses, left_out = adapters.read_with_left_out(
        raw, snakemake.params.folder, study
    )
    if snakemake.params.bundled and source not in ("observed", "demo"):
        responses = observed.fill_tags(responses, snakemake.params.bundled)
    files.write_frame(judgments, snakemake.output.judgments)
    files.write_frame(judges, snakemake.output.judges)
    files.write_frame(responses, snakemake.output.responses)
    files.write_frame(left_out, snakemake.output.left_out)
    print(f"{len(judgments)} judgments, {len(judges)} judges, {len(responses)} responses")
