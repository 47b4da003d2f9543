"""What a result was made from: configuration, data source, versions."""

import importlib.metadata
import platform

import turingstats

PACKAGES = (
    "matplotlib numpy pandas pandera pingouin pyarrow pydantic scipy seaborn snakemake statsmodels"
).split()


def describe(config, source):
    """Everything that determines the results, in a fixed order and without dates.

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
    return {
        "source": source,
        "config": config,
        "turingstats": turingstats.__version__,
        "python": platform.python_version(),
        "packages": {name: importlib.metadata.version(name) for name in PACKAGES},
    }
