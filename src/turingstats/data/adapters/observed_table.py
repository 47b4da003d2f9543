"""Observed trials that come with the project, in its own tables (`turingstats.data.observed`)."""

from turingstats.data import observed


def read(file, folder, study):
    """Read a table of observed trials: see `turingstats.data.observed.read_table`."""
    return observed.read_table(file, folder, study)
