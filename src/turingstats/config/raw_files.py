"""The model of a list of raw files (`data/sources/*.yaml`): where they are and which adapter reads them."""

import glob
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field, field_validator

from turingstats.config.graded import Rating, Score
from turingstats.config.settings import Data
from turingstats.core.data_labels import GENERATED, OBSERVED, PUBLIC
from turingstats.core.yaml_models import (
    Cells,
    Commit,
    InsidePath,
    Meanings,
    Model,
    build_model,
    make_list,
    read_parts,
)


def list_matching_files(path: str | Path) -> list[Path]:
    """List the files that a path names: itself or, if its name is a pattern such as *.csv, all that match.

    Only * stands for other letters; brackets and question marks are names.
    """
    path = Path(path)
    if "*" not in path.name or path.exists():
        return [path]
    return sorted(path.parent.glob(escape_pattern(path.name)))


def escape_pattern(name: str) -> str:
    """Escape what would be a pattern in a name, except *."""
    return glob.escape(name).replace("[*]", "*")


Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*$")]
"""A name that cannot lead to another folder."""


class SourceFile(Model):
    """A file of a source, public or not."""

    path: str
    """Path of the file in the repository or folder, or a pattern such as `data/*.csv` for one table
    in several files; a file may be listed several times."""
    task: str
    """Task of the study that the file belongs to; all for a study of ratings."""
    cohort: str | None = None
    """Cohort whose verdicts, or system whose ratings, the file holds, unless a column says so."""


class TableFile(Model):
    """A table in a file."""

    sheet: str | None = None
    """Only for xlsx: sheet of the workbook, such as `Data`; needed if it has several."""


class Join(TableFile):
    """A second table, with one row per value of a column of the first."""

    table: InsidePath
    """Path of the second table, from the same folder, such as `items.csv`."""
    by: dict[str, str]
    """Column that both tables share, such as `item`; if names differ, or it takes several columns,
    name in the first table: name in the second."""

    @field_validator("by", mode="before")
    @classmethod
    def name_both_sides(cls, by: Any) -> Any:
        """Use the name of a shared column on both sides."""
        return by if isinstance(by, dict) else {name: name for name in make_list(by)}


class Wide(Model):
    """A table with one row per judge and one column per stimulus."""

    name: str
    """Name of the new column, such as `item`, with the name of the stimulus: what * stands for (several
    are joined by /) or, with `whole` or where columns are listed, the whole name."""
    columns: dict[str, str | tuple[str, ...]]
    """New columns, each with the columns whose cells it holds: a pattern, such as `said: "item_*"`, or a
    list; several new columns need patterns."""

    whole: bool = False
    """Whether stimuli have the whole names of the columns; only with one new column."""

    def list_faults(self) -> Iterator[str]:
        """Check that several new columns belong together: by patterns with as many *, at least one."""
        patterns = [part for part in self.columns.values() if isinstance(part, str)]
        several = len(self.columns) > 1
        if self.whole and several:
            yield "whole: several new columns belong together by what * stands for; leave whole out"
        if several and len(patterns) < len(self.columns):
            yield "several new columns need patterns, whose * says which cells belong together"
        numbers = {pattern.count("*") for pattern in patterns}
        if 0 in numbers or len(numbers) > 1:
            yield (
                "patterns have an *, which stands for the name of the stimulus, such as item_*, and all of "
                f"them as many; found {', '.join(patterns)}"
            )


class RawFile(SourceFile, TableFile):
    """A raw file and the adapter that reads it."""

    path: InsidePath
    format: str
    """`verdict_table`, `response_table`; for ratings, `ratings`, `distances`, `items`; for pairs,
    `pairs`, with option_a, option_b (to option_h) and winner among its columns."""
    columns: dict[str, str | tuple[str, ...]] = {}
    """Columns to read, as name in this project (listed below): name in the table; others are never
    read. Columns that name something together are a list, such as `stimulus: [corpus,
    document]`."""
    wide: Wide | None = None
    """The columns of a table with one column per stimulus."""
    join: Annotated[tuple[Join, ...], BeforeValidator(make_list)] = ()
    """Second tables with one row per stimulus, judge or the like, whose columns join the first."""
    missing: Cells = ()
    """Codes of missing values in all columns, such as [-99, N/A]; for those of one column see `values`."""
    optional: tuple[str, ...] = ()
    """Names in `columns` that the table may lack."""
    values: dict[str, Meanings] = {}
    """Meaning of values, by name in `columns`; null leaves the row out."""
    limits: dict[str, tuple[float, float]] = {}
    """Lowest and highest possible number, by name in `columns`, such as `confidence: [1, 5]`;
    another one is an error."""
    rating: Rating | None = None
    """The column with ratings on a scale of points, in place of a verdict."""
    score: Score | None = None
    """The column with detectors' scores, in place of a verdict."""
    where: dict[str, Cells] = {}
    """Rows to keep: those with one of these values in this column of the file."""

    @property
    def labels(self) -> dict[str, str]:
        """Columns as messages name them: those that identify something together are separated by commas."""
        return {name: ", ".join(make_list(column)) for name, column in self.columns.items()}

    @property
    def grade(self) -> Rating | Score | None:
        """The ratings or scores that stand in place of a verdict."""
        return self.rating or self.score

    def list_faults(self) -> Iterator[str]:
        """Check that the verdict comes from one column, which is not optional."""
        graded = [name for name in ("rating", "score") if getattr(self, name)]
        asked = [name for name in ("verdict", "right", "chosen") if name in self.columns]
        if len(graded) + len(asked) > 1:
            yield (
                f"{' and '.join([*graded, *asked])}: a table has one column that the verdict is taken "
                "from; list it several times if it has several answers"
            )
        if graded and "rating" in self.optional:
            yield f"optional: the {graded[0]} cannot be missing"


class AbsentFile(SourceFile):
    """A file that the analysis needs and that is not public."""

    would_supply: str
    """Results that need the file."""


class Sources(Model):
    """Where the raw files of a study come from, and which there are."""

    repository: str | None = None
    """Git address of the public repository with the raw files, for `data.source: public`."""
    commit: Commit | None = None
    """Full hash of the commit whose files are used; any accepts whatever commit there is."""
    commits: dict[str, Commit] = {}
    """Folders whose files are used as of another commit, such as `benchmarking/`, each with its commit."""
    observed: str | None = None
    """Folder with the data package of observed trials, for `data.source: observed`; a study with
    one lists no files."""
    converter: Name | None = None
    """Folder in converters/ with what converts the repository's files to a data package."""
    folder: str | None = None
    """Folder of the raw files, for a study with local data, such as `/home/me/study`; it is then the only
    source."""
    generator: Name | None = None
    """Module in demo/ that generates the raw files or the data package of the study, for `data.source:
    demo`."""
    generated_from: tuple[Name, ...] = ("design", "demographics")
    """Tables in `data/published/<study>/` that generated files are based on."""
    generated: bool = False
    """Whether the files in `folder` were generated, which every result then says."""
    shared_with: Name | None = None
    """Another study that these raw files belong to."""

    files: tuple[RawFile, ...] = ()
    """Raw files to read."""
    not_public: tuple[AbsentFile, ...] = ()
    """Files that the analysis needs and that are not public."""


def list_paths(files: Iterable[RawFile]) -> list[str]:
    """List the paths of raw files and of the tables that join them."""
    paths = [path for file in files for path in (file.path, *(join.table for join in file.join))]
    return list(dict.fromkeys(paths))


NAMED_SOURCES = ("observed", "public", "demo")
"""Values of data.source that do not name a folder."""


def choose_source(sources: Sources, data: Data) -> str:
    """Determine where the raw files of a study come from in this run: observed, public, demo, or a folder.

    If observed tables are requested but the study has none, its data are generated.
    """
    if sources.folder:
        return sources.folder
    return "demo" if data.source == "observed" and not sources.observed else data.source


def label_data(sources: Sources, data: Data) -> str:
    """Label the data that a study's results are based on, as stated in every result.

    "public data" only for the public repository, or for files verified by its pinned commit; the tables
    of this project and a user's own folder contain "observed data".
    """
    source = choose_source(sources, data)
    if source == "demo" or (sources.folder and sources.generated):
        return GENERATED
    cloned = source == "public" and data.repository is None
    pinned = sources.commit not in (None, "any") and data.commit in (None, sources.commit)
    own = sources.folder or source == "observed"
    return PUBLIC if not own and (cloned or pinned) else OBSERVED


def load_sources(path: str | Path) -> Sources:
    """Read and check a file of raw sources and its parts.

    A study without this file has the data package of its name.
    """
    package = Path("data/observed", Path(path).stem)
    if not Path(path).exists() and Path(path).parents[2].joinpath(package).is_dir():
        return Sources(observed=str(package))
    return build_model(Sources, read_parts(path), str(path))


def list_cohorts_with_stimuli(files: Iterable[RawFile]) -> dict[str, set[str]]:
    """List the cohorts whose verdicts all name the stimulus, by task; `all` for several cohorts."""
    known: dict[str, set[str]] = {}
    unknown: dict[str, set[str]] = {}
    for file in files:
        if file.format == "verdict_table":
            names_stimuli = "stimulus" in {*file.columns} - {*file.optional}
            cohorts = (known if names_stimuli else unknown).setdefault(file.task, set())
            cohorts.add(file.cohort or "all")
    return {task: cohorts - unknown.get(task, set()) for task, cohorts in known.items()}
