"""The lists of raw files (`files/*.yaml`): where they are, and which module reads them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Literal

from turingstats.core.errors import SourceError
from turingstats.core.yaml_models import Model, build_model, read_mapping
from turingstats.data.absence import NOT_BUNDLED, NOT_HERE, NOT_PUBLIC

LISTS = Path(__file__).parent / "files"
TASKS = ("caption", "word", "conversation", "color", "object", "attention")
WITHOUT_MODULE = ("companion", "unread")
"""Formats of files that the module of another file reads in addition to its own, or that none reads."""


class RawFile(Model):
    """A raw file and the module that reads it."""

    path: str
    """Relative to the top of the repository."""
    format: str
    task: str
    cohort: str | None = None
    """Cohort whose verdicts the file holds; left out for responses and files of the whole task."""
    key: str | None = None
    """Top-level key of the object that holds the records."""
    variant: str | None = None
    """Variant of the task that all records belong to, if the records do not say so."""
    judges: int | Literal["named"] = 1
    """Number of machine judges whose predictions are stored in consecutive blocks of equal size, or `named`
    if each prediction names its judge."""
    workers: str | None = None
    """Register that the ids of judges come from; without it, it is unknown who is the same person."""
    stands_in_for: str | None = None
    """Path of a file with the same trials and more; this file is read only if the source lacks that one."""
    public: bool = True
    """Whether the file is in the public repository. If not, only the authors' archive has it."""
    would_supply: str | None = None
    """Results that need the file, such as Fig 4F."""


class FileList(Model):
    """The raw files of a task."""

    files: tuple[RawFile, ...]


def list_files() -> list[RawFile]:
    """List the raw files of all tasks."""
    paths = [LISTS / f"{task}.yaml" for task in TASKS]
    lists = [build_model(FileList, read_mapping(path), str(path)) for path in paths]
    return [file for listed in lists for file in listed.files]


def list_present(files: Sequence[RawFile], folder: str | Path) -> list[RawFile]:
    """List the raw files in a folder, without those that a more complete file there replaces."""
    there = {file.path for file in files if (Path(folder) / file.path).is_file()}
    return [file for file in files if file.path in there and file.stands_in_for not in there]


def refuse_missing(files: Sequence[RawFile], folder: str | Path) -> None:
    """Check that a folder holds every public file, apart from those that replace others."""
    lacking = [
        file
        for file in files
        if file.public and not file.stands_in_for and not (Path(folder) / file.path).is_file()
    ]
    if lacking:
        listed = "\n".join(f"  {file.path} ({describe_content(file)})" for file in lacking)
        raise SourceError(
            f"{len(lacking)} of {len(files)} raw files are missing in {folder}:\n{listed}\n"
            "Check that it is the right repository and commit, or set data.allow_missing: true to "
            "continue without them (results that need them then say 'no data')."
        )


def describe_content(file: RawFile) -> str:
    """Say what a file would supply."""
    return file.would_supply or (f"cohort {file.cohort}" if file.cohort else "responses")


def list_missing(
    files: Sequence[RawFile], present: Sequence[RawFile], bundled: bool
) -> list[dict[str, str | None]]:
    """List the raw files whose facts tables do not hold, as rows of missing.csv."""
    held = {file.path for file in present}
    return [
        {
            "task": file.task,
            "cohort": file.cohort,
            "path": file.path,
            "would_supply": describe_content(file),
            "why": (NOT_BUNDLED if bundled else NOT_HERE) if file.public else NOT_PUBLIC,
        }
        for file in files
        if file.path not in held and not file.stands_in_for
    ]
