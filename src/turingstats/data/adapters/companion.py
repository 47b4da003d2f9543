"""A raw file that the adapter of another file reads in addition to its own; it yields no table itself."""


def read(file, folder, study):
    """Return no table.

    Parameters
    ----------
    file : RawFile
    folder : path-like
    study : Study
    """
    return {}
