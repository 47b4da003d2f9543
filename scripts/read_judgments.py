"""Read the data package or the raw files of a study of verdicts into the tables of the data contract."""

from turingstats.config.raw_files import RawFile
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.data import adapters, package_reader
from turingstats.stages.obtain import list_raw_files

with report_errors(snakemake.log[0]):
    params, output = snakemake.params, snakemake.output
    present, missing = list_raw_files(params.raw)
    study, folder = Study(**params.study), params.raw["folder"]
    if params.raw["is_package"]:
        tables = package_reader.read_package(folder, study)
    else:
        listed = [RawFile(**file) for file in params.raw["files"]]
        listed = [file for file in listed if file.path in set(present["path"])]
        tables = adapters.read_with_left_out(listed, folder, study)
    judgments, judges, responses, left_out, notes = tables
    files.write_frame(present, output.sources)
    files.write_frame(missing, output.missing)
    files.write_frame(judgments, output.judgments)
    files.write_frame(judges, output.judges)
    files.write_frame(responses, output.responses)
    files.write_frame(left_out, output.left_out)
    files.write_frame(notes, output.notes)
    print(f"{len(judgments)} judgments, {len(judges)} judges, {len(responses)} responses")
