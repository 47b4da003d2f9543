"""What a run makes of a study of any design; `verdicts_plan` and `ratings_plan` extend it.

Paths of results begin with ``<results>``, which Snakemake replaces with the configured folder.
"""

from abc import ABC, abstractmethod
from functools import cached_property
from pathlib import Path

from turingstats.config import subset
from turingstats.config.planning import STATED
from turingstats.core.errors import ConfigError
from turingstats.core.yaml_models import strip_presentation
from turingstats.report.headings import CAPTIONS, TITLES
from turingstats.workflow.raw_data import RawData
from turingstats.workflow.sections import dump_for_claims, dump_sections

TABLE_FORMATS = ("csv", "tex", "html")
DATA_FILES = ("exclusions.csv", "sources.csv", "missing.csv", "provenance.json")
CLAIMS_FILES = (
    *("claims.csv", "consistency.csv", "summary.csv", "panels.csv"),
    *("index.html", "summary.html", "notebooks.html", "answers.html"),
)


class StudyPlan(ABC):
    """What a run makes of a study, stage by stage, and the parameters of its jobs.

    Parameters
    ----------
    study : Study or RatingsStudy
        Cut to the configured subset.
    whole : Study or RatingsStudy
        As its file declares it, with default tests and figures.
    sources : Sources
    config : Config
    root : pathlib.Path
        Holds the study files and data of the project.

    Attributes
    ----------
    name : str
        The study.
    folder : str
        Of its results.
    raw : RawData
    """

    def __init__(self, study, whole, sources, config, root):
        self.study, self.whole, self.sources = study, whole, sources
        self.config, self.root = config, Path(root)
        self.name = study.study
        self.folder = f"<results>/{self.name}"
        self.stripped = {}  # the study without presentation, by the marks that are kept
        self.raw = RawData(self.name, self.wanted_files, study.tasks, sources, config)

    @property
    @abstractmethod
    def wanted_files(self):
        """The raw files that this run reads."""

    @property
    @abstractmethod
    def computed_statistics(self):
        """Names of the tables of statistics/ that the rule `statistics` makes."""

    @property
    @abstractmethod
    def shown_statistics(self):
        """Names of the tables of statistics/ that the rule `tables` makes, of what the paper prints."""

    @property
    def statistics(self):
        """Names of the tables of statistics/ that claims may refer to."""
        return [*self.computed_statistics, *self.shown_statistics]

    @property
    @abstractmethod
    def drawn_figures(self):
        """Names of all figures except those of models."""

    @property
    def all_figures(self):
        """Names of all figures."""
        return self.drawn_figures

    model_targets = ()
    """Mixed models, signal detection and equivalence."""
    made_tables = ()
    """Names of tables in addition to those that the study file names."""
    asked_judgments = ()
    """Verdicts of language models."""
    report_files: tuple[str, ...] = ("index.html",)
    data_files: tuple[str, ...] = DATA_FILES

    @property
    def pools(self):
        """By task and pooled cohort, the cohorts that it combines."""
        return {}

    @property
    def cohorts(self):
        """Names of the cohorts of each task."""
        return {}

    @property
    def skipped(self):
        """Default figures and tables that the study does not get, and why."""
        return {}

    def label_cohorts(self, wanted):
        """Labels of the cohorts that a function wants, by task and name."""
        return {}

    @cached_property
    def judge_group(self):
        """The demographic group that a subset of the study keeps, if any."""
        return subset.find_judge_group(self.study, self.config)

    @cached_property
    def data_label(self):
        """What results are made from, as stated in every result."""
        group = self.judge_group
        label = self.raw.label
        return f"{label}, judges of {group[0]} {group[1]} only" if group else label

    @property
    def reading(self):
        """The reading that figures and tables show: the configured one, if the study has it."""
        readings = self.study.readings
        wanted = self.config.figures.reading
        return wanted if wanted in readings else readings[0]

    def is_published(self, name, paper=None):
        """Tell whether data/published/ has a file of the study, or of another paper."""
        return (self.root / f"data/published/{paper or self.name}/{name}.csv").exists()

    def list_published(self, name):
        """List a file of the study in data/published/, if there is one."""
        return [f"data/published/{self.name}/{name}.csv"] if self.is_published(name) else []

    def list_published_claims(self, name):
        """List a file for each paper whose claims are checked and that has it."""
        return [
            f"data/published/{paper}/{name}.csv"
            for paper in self.study.claims
            if self.is_published(name, paper)
        ]

    def list_figures(self, names, formats):
        """List files of figures."""
        return [f"{self.folder}/figures/{name}.{format}" for name in names for format in formats]

    def list_tables(self, names):
        """List files of tables."""
        return [f"{self.folder}/tables/{name}.{f}" for name in names for f in TABLE_FORMATS]

    def list_statistics(self, names):
        """List tables of statistics/."""
        return [f"{self.folder}/statistics/{name}.csv" for name in names]

    def list_if_made(self, table):
        """List a table of statistics/ that not every study has, if this one has it."""
        return self.list_statistics([table] if table in self.statistics else [])

    @property
    def data_targets(self):
        """Tables of the judgments."""
        return [f"{self.folder}/data/{file}" for file in self.data_files]

    @property
    def statistics_targets(self):
        """Estimates and tests."""
        return self.list_statistics(self.statistics)

    @property
    def figure_targets(self):
        """Pictures and the inventory of the paper's panels."""
        pictures = self.list_figures(self.drawn_figures, self.config.figures.formats)
        return [*pictures, f"{self.folder}/figures/inventory.csv"]

    @property
    def table_targets(self):
        """Tables of the paper."""
        versions = ["versions"] if self.study.versions else []
        return self.list_tables([*self.study.tables, *versions, *self.made_tables])

    @property
    def compared_versions(self):
        """What the table of two papers on the same data is made from."""
        if not self.study.versions:
            return []
        first, second = self.study.claims[0], self.study.versions
        return [f"data/published/{first}/versions.csv", f"data/published/{second}/claims.csv"]

    @property
    def printed_files(self):
        """What the paper prints, if anything: counts, rates, scores, and a list of its figures."""
        names = ("counts", "pass_rates", "design", "benchmarks", "figures", "alignments", "items")
        return [path for name in names for path in self.list_published(name)]

    @property
    def told_of_figures(self):
        """What the list of figures says besides their numbers."""
        return {
            "pools": self.pools,
            "trained": self.label_cohorts(lambda cohort: cohort.trained),
            "skipped": self.skipped,
            "not_drawn": self.study.not_drawn,
        }

    @property
    def notebooks(self):
        """Lists of the numbers that the notebooks of the study's papers print."""
        return self.list_published_claims("notebooks")

    @property
    def claims_targets(self):
        """Published numbers next to recomputed ones, for a study that has any."""
        if not self.study.claims:
            return []
        files = [*CLAIMS_FILES]
        if self.notebooks:
            files += ["notebooks.csv", "notebooks_summary.csv"]
        files += [f"claims_overview.{format}" for format in self.config.figures.formats]
        return [f"{self.folder}/claims/{file}" for file in files]

    @property
    def results(self):
        """All of the above."""
        return [
            *self.data_targets,
            *self.statistics_targets,
            *self.model_targets,
            *self.figure_targets,
            *self.table_targets,
            *self.claims_targets,
        ]

    @property
    def report_targets(self):
        """The report page, and the findings with one row per task."""
        return [f"{self.folder}/report/{file}" for file in self.report_files]

    @property
    def everything(self):
        """Everything that is made of the study."""
        return [*self.results, *self.report_targets]

    @property
    def source_data(self):
        """Source data of the pictures, which captions are made from."""
        formats = tuple(self.config.figures.formats)
        pictures = [path for path in self.results if path.endswith(formats)]
        return sorted({f"{path.rpartition('.')[0]}.csv" for path in pictures})

    def check_submission(self):
        """Check that a new model is configured; list no input files.

        Raises
        ------
        ConfigError
            No file of responses or verdicts is configured, or its task is not in the study.
        """
        if self.config.submission is None:
            raise ConfigError(
                "benchmark needs a file of responses, or of verdicts, and their task:\n"
                "  snakemake benchmark --config responses=my_model.json task=caption\n"
                "  snakemake benchmark --config verdicts=my_judges.csv task=caption name=Mine"
            )
        if self.config.task not in self.study.tasks:
            known = ", ".join(self.study.tasks)
            raise ConfigError(f"task {self.config.task!r} is unknown; known: {known}")
        return []

    @property
    def planned_figures(self):
        """Figures of the page on a study to come; none of looks if there is only one."""
        return ["power", *(["looks"] if len(self.config.plan.look_fractions) > 1 else [])]

    @property
    def planned_pictures(self):
        """Pictures of the page on a study to come."""
        formats = self.config.figures.formats
        return [
            f"{self.folder}/plan/{name}.{format}"
            for name in self.planned_figures
            for format in formats
        ]

    @property
    def planning_models(self):
        """The fitted models that a study to come is planned from; none if the plan states all.

        Raises
        ------
        ConfigError
            The study declares no models of verdicts.
        """
        if self.config.plan.model == STATED:
            return []
        if not getattr(self.study, "models", ()):
            raise ConfigError(
                f"plan: the study {self.name} declares no mixed models to plan from\n"
                f"  file:    config/studies/{self.name}.yaml\n"
                "  key:     models\n"
                "  fix:     plan from another study (study=...), or state the numbers: "
                'plan="{model: stated, rates: {people: 0.55, agent: 0.45}, spreads: {judge: 0.6}, '
                'stimuli: 100}"'
            )
        return self.list_statistics(["models"])

    @property
    def agent_labels(self):
        """Labels of the agents."""
        return {name: agent.label for name, agent in getattr(self.whole, "agents", {}).items()}

    def select_sections(self, *names, keep=()):
        """Sections of the study file, with the presentation marked by `keep`: see `dump_sections`."""
        keep = frozenset(keep)
        if keep not in self.stripped:
            self.stripped[keep] = strip_presentation(self.study, keep)
        return dump_sections(self.stripped[keep], names)

    @property
    def declared(self):
        """Everything the study file declares, even in a subset, because some claims refer to it."""
        return dump_for_claims(self.whole)

    @property
    def comparisons(self):
        """The declared tests of this run."""
        return [comparison.model_dump(mode="json") for comparison in self.study.comparisons]

    def place_panels(self, figure):
        """Where the study file places the panels of a figure; empty if it does not say."""
        described = self.study.figures.get(figure)
        layout = getattr(described, "layout", ())
        # Lists, because Snakemake reads stored tuples back as lists.
        rows = [row if isinstance(row, str) else list(row) for row in layout]
        return {"layout": rows, "widths": list(described.widths)} if rows else {}

    def describe_figure(self, figure):
        """What the files of a figure say of it: title, caption and keywords."""
        told = self.study.figures.get(figure)
        return {
            "title": told.title if told else TITLES.get(figure, figure),
            "caption": told.caption if told and told.caption else CAPTIONS.get(figure, ""),
            "keywords": ["Turing-like test", self.name, figure],
        }

    @property
    def synthesized(self):
        """What the synthesis of all studies is told of this one; `why_not` if it cannot enter."""
        return {
            "study": self.name,
            "reference": self.study.reference,
            "title": self.study.title,
            "why_not": "",
        }

    @property
    def synthesis_inputs(self):
        """Results that the synthesis of all studies reads."""
        return []

    @cached_property
    def reported(self):
        """What a report says about the study in addition to its results."""
        tables = self.study.tables
        titles = {name: t if isinstance(t, str) else t.title for name, t in tables.items()}
        return {
            "study": self.name,
            "design": self.study.design,
            "choice": all(getattr(task, "choice", False) for task in self.whole.tasks.values()),
            "title": self.study.title,
            "reference": self.study.reference,
            "figures": {name: figure.title for name, figure in self.study.figures.items()},
            "captions": {name: figure.caption for name, figure in self.study.figures.items()},
            "tables": titles,
            "notes": {name: getattr(table, "note", "") for name, table in tables.items()},
            "tasks": {name: task.label for name, task in self.whole.tasks.items()},
            "reading": self.reading,
            "readings": list(self.study.readings),
            "data": self.data_label,
            "called": self.study.called,
            "cohorts": self.label_cohorts(lambda cohort: True),
            # Other cohorts pool trials, or are judges trained here.
            "read_cohorts": self.label_cohorts(lambda c: not (c.pools or c.trained)),
        }
