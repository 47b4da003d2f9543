"""The lists of raw files (`files/*.yaml`): where they are, and which module reads them."""

from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Literal

from turingstats.core.yaml_models import Model, build_model, read_mapping
from turingstats.data import sources
from turingstats.data.absence import NOT_BUNDLED, NOT_HERE, NOT_PUBLIC, NOT_READ
from turingstats.data.repository import match_paths
from turingstats.data.sources import describe_absence

LISTS = Path(__file__).parent / "files"
TASKS = ("caption", "word", "conversation", "color", "object", "attention")
WITHOUT_MODULE = ("companion", "unread")
"""Formats of files that the module of another file reads in addition to its own, or that none reads."""


class RawFile(Model):
    """A raw file and the module that reads it."""

    path: str
    """Relative to the top of the repository; **/ is any folders, * anything in a name."""
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
    letters: tuple[str, ...] = ()
    """Agents of the pages that judges saw, in the order of the letters in their names, from a."""
    training: int = 0
    """Trials at the start of each session that were training."""
    control_pass: tuple[int, int] | None = None
    """Share of the control answers of a session that must be right, as in [7, 12]; others are left out."""
    workers: str | None = None
    """Register that the ids of judges come from; without it, it is unknown who is the same person."""
    stands_in_for: str | None = None
    """Path of a file with the same trials and more, which takes the place of this one if it is there, can be
    read, and holds every trial of this one."""
    public: bool = True
    """Whether the file is in the public repository. If not, only the authors' archive has it."""
    would_supply: str | None = None
    """Results that need the file, such as Fig 4F."""

    @property
    def is_printed(self) -> bool:
        """Whether the file is a notebook that is not read: what it prints comes with the converter."""
        return self.format.startswith("printed.")

    @property
    def is_binary(self) -> bool:
        """Whether nobody has seen the file; what cannot be read of it is a note, not an error."""
        return self.path.endswith((".db", ".zip"))


class FileList(Model):
    """The raw files of a task."""

    files: tuple[RawFile, ...]


def list_files() -> list[RawFile]:
    """List the raw files of all tasks."""
    paths = [LISTS / f"{task}.yaml" for task in TASKS]
    lists = [build_model(FileList, read_mapping(path), str(path)) for path in paths]
    return [file for listed in lists for file in listed.files]


def list_present(files: Sequence[RawFile], folder: str | Path) -> list[RawFile]:
    """List the raw files in a folder; a pattern stands for each file that it names."""
    present = []
    for file in files:
        paths = [path for path in sorted(Path(folder).glob(file.path)) if path.is_file()]
        held = [path.relative_to(folder).as_posix() for path in paths]
        # A notebook need not be there: it is not read.
        names = [file.path] if file.is_printed else held
        present += [file.model_copy(update={"path": name}) for name in names]
    return present


def refuse_missing(files: Sequence[RawFile], folder: str | Path) -> None:
    """Check that a folder holds every public text file, or a more complete one."""
    held = [file.path for file in list_present(files, folder)]
    lacking = [
        file for file in files if file.public and not (file.is_binary or is_held(file, held))
    ]
    if lacking:
        absent = [describe_absence(file, NOT_HERE) for file in lacking]
        sources.refuse_missing(absent, len(files), folder)


def list_missing(
    files: Sequence[RawFile],
    used: Sequence[RawFile],
    unread: Collection[str] | None = None,
) -> list[dict[str, str | None]]:
    """List the raw files whose facts tables do not hold, as rows of missing.csv.

    `unread` are paths in the source that could not be used; None for the tables that come with the project.
    """
    held = [file.path for file in used]

    def explain(file: RawFile) -> str:
        if not file.public:
            return NOT_PUBLIC
        if unread is None:
            return NOT_BUNDLED
        return NOT_READ if match_paths(unread, [file.path]) else NOT_HERE

    return [
        describe_absence(file, explain(file))
        for file in files
        # Without it, a binary file is only compared with what others hold.
        if not is_held(file, held) and (file.would_supply or not file.is_binary)
    ]


def is_held(file: RawFile, held: Collection[str]) -> bool:
    """Tell whether some paths are those of a file, or of a more complete one."""
    return bool(
        match_paths(held, [file.path, *([file.stands_in_for] if file.stands_in_for else [])])
    )
