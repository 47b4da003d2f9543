"""A raw file that the adapter of another file reads beside its own; nothing is read for itself."""


def read(file, folder, study):
    """Return no table.

    Parameters
    ----------
    file : RawFile
    folder : path-like
    study : Study
    """
    return {}
