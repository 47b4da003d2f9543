"""What a result was made from: configuration, data source, versions."""

import importlib.metadata
import platform

import turingstats
from turingstats.config.raw_files import NAMED_SOURCES

PACKAGES = (
    "matplotlib numpy pandas pandera pingouin pyarrow pydantic scipy seaborn snakemake statsmodels"
).split()


def describe_run(config, source):
    """Everything that determines the results, in a fixed order and without dates.

    A folder of data is not named: where somebody keeps files is nobody's business, and the checksums say
    which files they were.

    Parameters
    ----------
    config : dict
        The merged configuration.
    source : dict
        kind, origin and commit of the raw data.

    Returns
    -------
    dict
    """
    data = config["data"] | {"source": drop_folder(config["data"]["source"])}
    return {
        "source": source | {"kind": drop_folder(source["kind"])},
        "config": config | {"data": data},
        "turingstats": turingstats.__version__,
        "python": platform.python_version(),
        "packages": {name: importlib.metadata.version(name) for name in PACKAGES},
    }


def drop_folder(source):
    """observed, public, demo, or that the data were in a folder of files."""
    return source if source in NAMED_SOURCES else "a folder of files"
