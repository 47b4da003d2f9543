"""Raw files read to the tables of the data contract, as a data package made of them would be."""

from converters.zhang2025 import reading
from turingstats.data import schema


def read_with_left_out(files, folder, study):
    tables = reading.read_files(files, folder, study)
    return schema.complete_tables(tables, study)


def read_raw_files(files, folder, study):
    return read_with_left_out(files, folder, study)[:3]
