"""Where a run finds the raw files of a study, and which of them the workflow fetches or generates."""

from functools import cached_property
from pathlib import Path

from turingstats.config.raw_files import (
    NAMED_SOURCES,
    choose_source,
    label_data,
    load_sources,
)
from turingstats.core.errors import SourceError
from turingstats.data import data_package


class RawData:
    """The raw files of a study in one run.

    Fetched and generated files are outputs of jobs, so that a deleted file is made again when a job needs
    it. They cover the whole study, whatever part of it a run uses: runs of several parts share them and do
    not renew them unnecessarily. Observed tables and files of an existing folder are only read.

    Parameters
    ----------
    name : str
        The study.
    files : sequence of RawFile
        Those that this run reads.
    tasks : collection of str
        Tasks of this run.
    sources : Sources
    config : Config

    Attributes
    ----------
    source : str
        observed, public, demo, or the folder that holds the files.
    label : str
        What results are made from, as every result says.
    owner : str
        The study whose files these are.
    repository : str or None
        Git address of the public files.
    """

    def __init__(self, name, files, tasks, sources, config):
        self.name, self.files, self.tasks = name, files, tasks
        self.sources, self.config, self.data = sources, config, config.data
        self.source = choose_source(sources, config.data)
        self.label = label_data(sources, config.data)
        self.owner = sources.shared_with or name
        self.repository = config.data.repository or sources.repository

    def name_raw_folder(self, source):
        """Name the folder that files are fetched (public) or generated (demo) into."""
        return f"data/raw/{self.owner}/{source}"

    def list_made_files(self, source, files):
        """List what a job that fetches or generates raw files puts into its folder.

        Fetched with `data.allow_missing`, it is not known beforehand which files exist: a marker file
        represents them.
        """
        folder = self.name_raw_folder(source)
        if source == "demo" and self.sources.observed:
            return [f"{folder}/{data_package.PACKAGE}"]
        if source == "public" and self.data.allow_missing:
            return [f"{folder}/.complete"]
        if source == "public":
            files = [file for file in files if file.public]
        return list(dict.fromkeys(f"{folder}/{f.path}" for f in files if not f.stands_in_for))

    def load_owner(self, root):
        """Load the raw files of the study whose files these are, which this run fetches or generates."""
        if self.owner == self.name:
            return self
        sources = load_sources(Path(root, f"data/sources/{self.owner}.yaml"))
        return RawData(self.owner, (), (), sources, self.config)

    @property
    def is_package(self):
        """Whether a data package is read, rather than raw files."""
        if self.source in NAMED_SOURCES:
            return bool(self.sources.observed) and self.source != "public"
        return (Path(self.source) / data_package.PACKAGE).is_file()

    @property
    def is_fetched_here(self):
        """Whether there is a repository for this study's files, and no other study fetches them."""
        return bool(self.repository) and not self.sources.folder and self.owner == self.name

    @property
    def is_generated_here(self):
        """Whether this study's files can be generated, and no other study generates them."""
        generator = self.sources.generator and not self.sources.folder
        return bool(generator) and self.owner == self.name

    @property
    def listed(self):
        """The raw files of the whole study, without the details that only reading them needs."""
        kept = {"path", "format", "task", "cohort", "stands_in_for", "public", "would_supply"}
        return [file.model_dump(include=kept) for file in self.sources.files]

    @property
    def fetched(self):
        """Public files of the whole study."""
        return self.list_made_files("public", self.sources.files)

    @property
    def generated(self):
        """Generated files of the whole study."""
        return self.list_made_files("demo", self.sources.files)

    @property
    def generated_from(self):
        """Published tables that generated files start from."""
        return [f"data/published/{self.owner}/{name}.csv" for name in self.sources.generated_from]

    @property
    def folder(self):
        """Top of the raw files."""
        if self.source == "observed":
            return self.sources.observed
        if self.source in ("demo", "public"):
            return self.name_raw_folder(self.source)
        return self.source

    @property
    def origin(self):
        """The source in words."""
        return {
            "observed": f"the observed trials in {self.folder}",
            "demo": f"generated data in {self.folder}",
            "public": f"{self.repository} at commit {self.commit}",
        }.get(self.source, self.folder)

    @property
    def described(self):
        """What the job that reads the raw files is told of them."""
        return {
            "source": self.source,
            "is_package": self.is_package,
            "repository": self.repository,
            "origin": self.origin,
            "commit": self.commit,
            "folder": self.folder,
            "files": [file.model_dump() for file in self.files],
            "not_public": [row.model_dump() for row in self.sources.not_public],
            "allow_missing": self.data.allow_missing,
        }

    @property
    def commit(self):
        """The commit that raw files must come from; "any" if none is pinned, and for an existing folder.

        Files generated for this study have no commit; "generated" is returned for them.
        """
        if self.source == "demo" and self.is_generated_here:
            return "generated"
        if self.sources.folder or self.source == "demo":
            return "any"
        return self.pinned_commit

    @property
    def pinned_commit(self):
        """The commit of the public files, from the configuration or else from the list of sources."""
        return self.data.commit or self.sources.commit or "any"

    @cached_property
    def inputs(self):
        """Raw files as inputs of the jobs that read them; for an existing folder, those it contains.

        Raises
        ------
        SourceError
            Observed or generated trials are requested, but none come with the project.
        """
        if self.source == "observed":
            return self.observed_tables
        if self.source == "public":
            return self.list_made_files("public", self.files) if self.repository else []
        if self.source == "demo":
            if self.owner == self.name and not self.is_generated_here:
                raise SourceError(
                    f"No generated data come with study {self.name}. Use another data.source, or name a "
                    "generator of its raw files in data/sources/ (`generator`)."
                )
            return self.list_made_files("demo", self.files)
        if self.is_package:
            return self.list_package(self.source)
        paths = [path for file in self.files for path in (file.path, *file.companions)]
        wanted = [Path(self.source) / path for path in dict.fromkeys(paths)]
        return [str(path) for path in wanted if path.is_file()]

    @property
    def observed_tables(self):
        """Tables of the observed trials of the tasks in this run, and their description.

        Raises
        ------
        SourceError
            None come with the project.
        """
        folder = self.sources.observed
        if folder is None:
            raise SourceError(f"No observed trials of study {self.name} come with the project.")
        return self.list_package(folder)

    def list_package(self, folder):
        """List the files of a data package for the tasks of this run."""
        tables = data_package.list_files(folder, self.tasks)
        return [f"{folder}/{data_package.PACKAGE}", *(f"{folder}/{table.path}" for table in tables)]

    @property
    def public_folder(self):
        """Folder of the public files, or to which they are fetched, whatever data this run uses."""
        if self.data.source in NAMED_SOURCES:
            return self.name_raw_folder("public")
        return self.data.source

    @property
    def public_files(self):
        """Public files that are fetched for comparison; none if there is a checkout."""
        return self.fetched if self.data.source in NAMED_SOURCES and self.repository else []
