"""The model of a list of raw files (`data/sources/*.yaml`): where they are, and which adapter reads them."""

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
    """Variant of the task that all records belong to, where they do not say it themselves."""
    judges: int = 1
    """Machine judges whose predictions follow each other in equal parts."""
    columns: dict[str, str] = {}
    """Of a table: its column for each name of the data contract (`turingstats.data.schema`)."""
    optional: tuple[str, ...] = ()
    """Of `columns`: those that the table may lack; nothing is known of them then."""
    values: dict[str, dict[str, str | None]] = {}
    """Of a table: by name of the contract, what its values mean there; null leaves the row out."""
    where: dict[str, tuple[str, ...]] = {}
    """Of a table: only rows that have one of these values in this column of the file."""
    workers: str | None = None
    """Whose register the ids of the workers are from, such as a platform: people are found again in the
    files of one register. None: a table of verdicts has ids of its study, of other files nothing is known."""
    questionnaire: str | None = None
    """Of a table of verdicts: the file with the judges' answers about themselves, a row a judge."""

    @field_validator("values", "where", mode="before")
    @classmethod
    def convert_to_text(cls, described: Any) -> Any:
        """Take numbers as the text that a table holds; YAML's yes and no have lost theirs."""

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
    """Path of a file with the same trials and more: this one is read only where the source lacks that."""
    public: bool = True
    """False: only the authors' archive has it, so that its absence is no error."""
    would_supply: str | None = None
    """Of a file that is not public: what it is needed for."""


class AbsentFile(Model):
    """A file that the analysis would need and that was never made public."""

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
    """Where the raw files are, for a study whose data are at hand; there is no other source then."""
    generator: str | None = None
    """The module of demo/ that generates the raw files of the study, for data.source demo, such as
    jones2024.games; None: there is none."""
    generated_from: tuple[str, ...] = ("design", "demographics")
    """Tables of data/published/<study>/ that generated files start from."""
    generated: bool = False
    """The files in `folder` were generated: nobody was observed, and every result says so."""
    shared_with: str | None = None
    """The study whose raw files these are; they are fetched or generated for both at once."""
    files: tuple[RawFile, ...] = ()
    not_public: tuple[AbsentFile, ...] = ()


def find_overlapping_tasks(files: Sequence[RawFile]) -> list[tuple[str, str]]:
    """Pairs of tasks whose verdicts may be the same rows of one file.

    Parameters
    ----------
    files : sequence of RawFile

    Returns
    -------
    list of (str, str)
        Tasks read from one file, unless a column of it (`where`) parts their rows.
    """
    found = set()
    for one, other in itertools.combinations(files, 2):
        if one.task != other.task and (one.path, one.key) == (other.path, other.key):
            parted = any(
                not set(one.where[column]) & set(other.where[column])
                for column in one.where.keys() & other.where.keys()
            )
            if not parted:
                first, second = sorted((one.task, other.task))
                found.add((first, second))
    return sorted(found)


def list_present(files: Sequence[RawFile], folder: str | Path) -> list[RawFile]:
    """The raw files that a folder holds, without a part of one that it holds whole."""
    there = {file.path for file in files if (Path(folder) / file.path).is_file()}
    return [file for file in files if file.path in there and file.stands_in_for not in there]


NAMED_SOURCES = ("observed", "public", "demo")
"""What data.source may name in place of a folder."""


def choose_source(sources: Sources, data: Data) -> str:
    """Say where the raw files of a study come from in this run.

    Parameters
    ----------
    sources : Sources
    data : Data

    Returns
    -------
    str
        observed, public, demo, or the folder that holds them. A study without observed tables is
        generated where these are asked for.
    """
    if sources.folder:
        return sources.folder
    return "demo" if data.source == "observed" and not sources.observed else data.source


def label_data(sources: Sources, data: Data) -> str:
    """What a study's results are made from, as every result says.

    Parameters
    ----------
    sources : Sources
    data : Data

    Returns
    -------
    str
        "public data" only for the public repository, or for files that its pinned commit vouches for;
        the tables of this project and a folder of one's own hold "observed data".
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
    """Read and check a file of raw sources with its parts."""
    return build_model(Sources, read_parts(path), str(path))
