"""Where a run finds the raw files or the data package of a study, and what of it the workflow makes."""

import itertools
from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

from turingstats.config import raw_files
from turingstats.config.raw_files import RawFile, Sources, list_matching_files, list_paths
from turingstats.config.settings import Config
from turingstats.core import files
from turingstats.core.data_labels import GENERATED, OBSERVED
from turingstats.core.errors import SourceError
from turingstats.data import data_package
from turingstats.data.data_package import PACKAGE

CHECKOUT, CLONE = "checkout", "repository"
"""Folders in data/raw/<study>/: the data package made from a checkout, and the files of the repository."""


class RawData:
    """The raw files or the data package of a study in one run.

    A study has a list of tables, or else a data package, which comes with the project, is generated, or is
    converted from public files. Fetched, converted and generated files are outputs of jobs, so that a deleted
    file is made again when a job needs it. They cover the whole study, whatever part of it a run uses: runs
    of several parts share them and do not renew them unnecessarily. Packages that come with the project, and
    files of an existing folder, are only read.
    """

    def __init__(
        self,
        name: str,
        files: Sequence[RawFile],
        tasks: Collection[str],
        sources: Sources,
        config: Config,
    ) -> None:
        # Files and tasks are those of this run.
        self.name, self.files, self.tasks = name, files, tasks
        self.sources, self.config, self.data = sources, config, config.data
        # observed, public, demo, or the folder that holds the files.
        self.source = raw_files.choose_source(sources, config.data)
        self.is_named = self.source in raw_files.NAMED_SOURCES
        self.is_package_at_hand = not self.is_named and Path(self.source, PACKAGE).is_file()
        # What results are made from, as every result says.
        self.label = raw_files.label_data(sources, config.data)
        if self.is_package_at_hand:
            is_generated = data_package.load_package(self.source).version == "generated"
            self.label = GENERATED if is_generated else OBSERVED
        # The study whose files these are.
        self.owner = sources.shared_with or name
        self.repository = config.data.repository or sources.repository
        # The commit of the public files.
        self.pinned_commit = self.data.commit or sources.commit or "any"
        # The same by folder; all others have an empty name.
        self.commits = {} if self.data.commit else dict(sources.commits)
        self.commits[""] = self.pinned_commit
        # Whether a data package is read, rather than tables that the sources list.
        self.is_package = self.is_package_at_hand or bool(sources.observed)
        # Whether files are converted or generated for this study, and for no other one.
        is_owner = self.owner == name
        self.is_converted_here = is_owner and bool(sources.converter)
        self.is_generated_here = is_owner and bool(sources.generator) and not sources.folder
        # Folder of the files that are converted, or to which they are fetched first, and the data package.
        self.converted_folder = self.name_raw_folder(CLONE) if self.is_named else self.source
        to = "public" if self.is_named else CHECKOUT
        self.converted = f"{self.name_raw_folder(to)}/{PACKAGE}"
        # Published tables that generated files start from.
        start = f"data/published/{self.owner}"
        self.generated_from = [f"{start}/{table}.csv" for table in sources.generated_from]

    def name_raw_folder(self, source: str) -> str:
        """Name the folder in data/raw/ of files that are fetched, converted or generated."""
        return f"data/raw/{self.owner}/{source}"

    def list_generated(self, files: Iterable[RawFile]) -> list[str]:
        """List generated raw files; of a data package, its description."""
        paths = [PACKAGE] if self.sources.observed else list_paths(files)
        return [f"{self.name_raw_folder('demo')}/{path}" for path in paths]

    def load_owner(self, root: str | Path) -> "RawData":
        """Load the raw files of the study whose files these are, which this run fetches or generates."""
        if self.owner == self.name:
            return self
        sources = raw_files.load_sources(Path(root, f"data/sources/{self.owner}.yaml"))
        return RawData(self.owner, (), (), sources, self.config)

    @property
    def folder(self) -> str:
        """Top of the files that are read."""
        if self.source == "observed":
            return str(self.sources.observed)
        if self.is_named:
            return self.name_raw_folder(self.source)
        is_converted = self.is_package and not self.is_package_at_hand
        return self.name_raw_folder(CHECKOUT) if is_converted else self.source

    @property
    def origin(self) -> str:
        """The source in words."""
        return {
            "observed": f"the observed trials in {self.folder}",
            "demo": f"generated data in {self.folder}",
            "public": f"{self.repository} at commit {self.commit}",
        }.get(self.source, self.source)

    @property
    def described(self) -> dict[str, Any]:
        """What the job that reads the raw files needs to know of them."""
        return {
            "source": self.source,
            "is_package": self.is_package,
            "origin": self.origin,
            "commit": self.commit,
            "folder": self.folder,
            "files": [file.model_dump() for file in self.files],
            "not_public": [row.model_dump() for row in self.sources.not_public],
            "allow_missing": self.data.allow_missing,
        }

    @property
    def commit(self) -> str:
        """The commit that raw files must have: "generated" if a run makes them, "any" if none is pinned."""
        if self.source == "demo" and self.is_generated_here:
            return "generated"
        if self.sources.folder or self.source == "demo":
            return "any"
        return self.pinned_commit

    def digest_content(self) -> list[str] | None:
        """Compute the checksums of files that no job makes: one may be replaced by another that is older."""
        if self.source != "observed" and self.is_named:
            return None
        return [files.digest_file(path) for path in self.inputs if Path(path).is_file()]

    @cached_property
    def inputs(self) -> list[str]:
        """Raw files as inputs of the jobs that read them; for an existing folder, those it contains."""
        if self.source == "observed" or self.is_package_at_hand:
            tables = data_package.list_tables(self.folder, self.tasks)
            return [f"{self.folder}/{name}" for name in (PACKAGE, *(t.path for t in tables))]
        if self.source == "demo":
            if self.owner == self.name and not self.is_generated_here:
                problem = f"No generated data come with study {self.name}"
                fix = "use another data.source, or name a generator of its files in data/sources/"
                raise SourceError(problem, fix=fix)
            return self.list_generated(self.files)
        if self.is_package:
            return [self.converted]
        paths = [] if self.source == "public" else list_paths(self.files)
        wanted = (list_matching_files(Path(self.source) / path) for path in paths)
        return [str(path) for path in itertools.chain(*wanted) if path.is_file()]
