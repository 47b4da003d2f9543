"""Read the raw files into the tables of the data contract."""

from turingstats import adapters, files
from turingstats.config import RawFile, Study
from turingstats.errors import reported

with reported(snakemake.log[0]):
    listed = files.read(snakemake.input.sources)
    raw = [
        RawFile(**{key: row[key] for key in RawFile.model_fields})
        for row in listed.astype(object).where(listed.notna(), None).to_dict("records")
    ]
    study = Study(**snakemake.params.study)
    judgments, judges, responses = adapters.read(raw, snakemake.params.folder, study)
    files.write(judgments, snakemake.output.judgments)
    files.write(judges, snakemake.output.judges)
    files.write(responses, snakemake.output.responses)
    print(f"{len(judgments)} judgments, {len(judges)} judges, {len(responses)} responses")
