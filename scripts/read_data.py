"""Read the data package or the raw files of a study into the tables of the data contract."""

import fnmatch
from pathlib import Path

from turingstats.config.raw_files import RawFile, escape_pattern
from turingstats.config.study import Study
from turingstats.core import files
from turingstats.core.errors import report_errors
from turingstats.data import adapters, package_reader, sources
from turingstats.rankings.reading import read_study as read_pairs
from turingstats.ratings import reading

with report_errors(snakemake.log[0]):
    params, output = snakemake.params, snakemake.output
    present, missing = sources.list_sources(params.raw)
    study, folder = Study(**params.study), params.raw["folder"]
    listed = [RawFile(**file) for file in params.raw["files"]]
    listed = [file for file in listed if fnmatch.filter(present["path"], escape_pattern(file.path))]
    if study.design != "verdicts":
        read = reading.read_study if study.design == "ratings" else read_pairs
        tables = read(listed, folder, study)
        for name in {"exclusions", "record_checks"} & set(tables):
            tables[name] = tables[name].assign(data=params.data)
    else:
        read = (
            package_reader.read_package(folder, study)
            if params.raw["is_package"]
            else adapters.read_with_left_out(listed, folder, study)
        )
        names = ("raw_judgments", "judges", "responses", "left_out", "reading_notes")
        tables = dict(zip(names, read, strict=True))
    files.write_frame(present, output.sources)
    files.write_frame(missing, output.missing)
    for path in map(Path, output.tables):
        files.write_frame(tables[path.stem], path)
    print(", ".join(f"{len(table)} {name}" for name, table in tables.items()))
