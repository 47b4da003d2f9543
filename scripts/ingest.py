"""Read the raw files into the tables of the data contract."""

from turingstats import adapters, files
from turingstats.errors import reported
from turingstats.raw_files import RawFile
from turingstats.study import Study

with reported(snakemake.log[0]):
    present = set(files.read(snakemake.input.sources)["path"])
    raw = [RawFile(**file) for file in snakemake.params.files if file["path"] in present]
    study = Study(**snakemake.params.study)
    judgments, judges, responses, left_out = adapters.read_with_left_out(
        raw, snakemake.params.folder, study
    )
    files.write(judgments, snakemake.output.judgments)
    files.write(judges, snakemake.output.judges)
    files.write(responses, snakemake.output.responses)
    files.write(left_out, snakemake.output.left_out)
    print(f"{len(judgments)} judgments, {len(judges)} judges, {len(responses)} responses")
