"""The model of a list of raw files (`data/sources/*.yaml`): where they are and which adapter reads them."""

import itertools
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pydantic import field_validator

from turingstats.config.settings import Data
from turingstats.core.yaml_models import Model, build_model, make_list, read_parts


class RawFile(Model):
    """A raw file of the source and the adapter that reads it."""

    path: str
    format: str
    task: str
    cohort: str | None = None
    key: str | None = None
    """Top-level key of the JSON object that holds the records."""
    variant: str | None = None
    """Variant of the task that all records belong to, if the records do not specify it."""
    judges: int = 1
    """Number of machine judges whose predictions are stored in consecutive blocks of equal size."""
    columns: dict[str, str] = {}
    """Only for tables: the column for each name in the data contract (`turingstats.data.schema`)."""
    optional: tuple[str, ...] = ()
    """Names in `columns` that the table may lack; their values are then unknown."""
    values: dict[str, dict[str, str | None]] = {}
    """Only for tables: the meaning of values, by name in the contract; null leaves the row out."""
    where: dict[str, tuple[str, ...]] = {}
    """Only for tables: keep only rows with one of these values in this column of the file."""
    workers: str | None = None
    """Register that worker ids come from, such as a platform: people can be matched between files of one
    register. None: ids in a table of verdicts are specific to the study; for other files the register is
    unknown."""
    questionnaire: str | None = None
    """Only for tables of verdicts: the file with the judges' answers about themselves, one row per judge."""

    @field_validator("values", "where", mode="before")
    @classmethod
    def convert_to_text(cls, described: Any) -> Any:
        """Convert numbers to the text in the table; refuse YAML booleans, whose text is lost."""

        def text(value: Any) -> Any:
            if isinstance(value, bool):
                raise ValueError("put yes, no, true and false in quotes: YAML reads them otherwise")
            return str(value) if isinstance(value, int | float) else value

        if not isinstance(described, dict):
            return described
        return {
            name: {text(key): text(value) for key, value in known.items()}
            if isinstance(known, dict)
            else [text(value) for value in make_list(known)]
            for name, known in described.items()
        }

    stands_in_for: str | None = None
    """Path of a file with the same trials and more; this file is read only if the source lacks that one."""
    public: bool = True
    """False: only the authors' archive has the file, so its absence is not an error."""
    would_supply: str | None = None
    """Only for files that are not public: what the file is needed for."""


class AbsentFile(Model):
    """A file that the analysis needs and that was never made public."""

    path: str
    task: str
    cohort: str | None = None
    would_supply: str


class Sources(Model):
    """The public repository of a study and its raw files."""

    repository: str | None = None
    commit: str | None = None
    observed: str | None = None
    """Folder of this project with the study's observed trials, as tables (`turingstats.data.observed`)."""
    folder: str | None = None
    """Folder of the raw files, for a study with local data; it is then the only source."""
    generator: str | None = None
    """Module in demo/ that generates the raw files of the study, for data.source demo, such as
    jones2024.games; None if there is none."""
    generated_from: tuple[str, ...] = ("design", "demographics")
    """Tables in data/published/<study>/ that generated files are based on."""
    generated: bool = False
    """The files in `folder` were generated: no one was observed, and every result says so."""
    shared_with: str | None = None
    """The study that these raw files belong to; they are fetched or generated for both at once."""
    files: tuple[RawFile, ...] = ()
    not_public: tuple[AbsentFile, ...] = ()


def find_overlapping_tasks(files: Sequence[RawFile]) -> list[tuple[str, str]]:
    """Find pairs of tasks whose verdicts may be the same rows of one file.

    Parameters
    ----------
    files : sequence of RawFile

    Returns
    -------
    list of (str, str)
        Tasks read from one file, unless a column (`where`) separates their rows.
    """
    overlapping = set()
    for one, other in itertools.combinations(files, 2):
        if one.task != other.task and (one.path, one.key) == (other.path, other.key):
            separated = any(
                not set(one.where[column]) & set(other.where[column])
                for column in one.where.keys() & other.where.keys()
            )
            if not separated:
                first, second = sorted((one.task, other.task))
                overlapping.add((first, second))
    return sorted(overlapping)


def list_present(files: Sequence[RawFile], folder: str | Path) -> list[RawFile]:
    """List the raw files in a folder, without those that a more complete file there replaces."""
    there = {file.path for file in files if (Path(folder) / file.path).is_file()}
    return [file for file in files if file.path in there and file.stands_in_for not in there]


NAMED_SOURCES = ("observed", "public", "demo")
"""Values of data.source that do not name a folder."""


def choose_source(sources: Sources, data: Data) -> str:
    """Determine where the raw files of a study come from in this run.

    Parameters
    ----------
    sources : Sources
    data : Data

    Returns
    -------
    str
        observed, public, demo, or the folder of the files. If observed tables are requested but the
        study has none, its data are generated.
    """
    if sources.folder:
        return sources.folder
    return "demo" if data.source == "observed" and not sources.observed else data.source


def label_data(sources: Sources, data: Data) -> str:
    """Label the data that a study's results are based on, as stated in every result.

    Parameters
    ----------
    sources : Sources
    data : Data

    Returns
    -------
    str
        "public data" only for the public repository, or for files verified by its pinned commit; the
        tables of this project and a user's own folder contain "observed data".
    """
    source = choose_source(sources, data)
    if sources.folder:
        return "generated data" if sources.generated else "observed data"
    if source == "demo":
        return "generated data"
    if source == "observed":
        return "observed data"
    cloned = data.source == "public" and data.repository is None
    pinned = sources.commit not in (None, "any") and data.commit in (None, sources.commit)
    return "public data" if cloned or pinned else "observed data"


def load_sources(path: str | Path) -> Sources:
    """Read and check a file of raw sources and its parts."""
    return build_model(Sources, read_parts(path), str(path))
