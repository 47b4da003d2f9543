"""What a run makes of a study of any design, of ratings, and of pairs; `verdicts_plan` has that of verdicts.

Paths of results begin with ``<results>``, which Snakemake replaces with the configured folder.
"""

from collections.abc import Callable, Collection, Iterable
from functools import cache, cached_property
from itertools import chain
from pathlib import Path
from typing import Any

from turingstats.config.graded import CohortGrades
from turingstats.config.planning import STATED
from turingstats.config.raw_files import RawFile, Sources
from turingstats.config.settings import Config
from turingstats.config.study import Cohort, Study
from turingstats.core.errors import ConfigError
from turingstats.core.templating import CAPTIONS, TITLES
from turingstats.core.yaml_models import LABEL, strip_presentation
from turingstats.workflow.raw_data import RawData

ALWAYS = ("study", "title", "reference", "readings", "agents", "tasks", "scale")
"""Sections of a study that every job gets."""
TABLE_FORMATS = ("csv", "tex", "html")
DATA_FILES = ("exclusions.csv", "sources.csv", "missing.csv", "provenance.json")
CLAIMS_FILES = (
    *("claims.csv", "consistency.csv", "summary.csv", "panels.csv"),
    *("index.html", "summary.html", "notebooks.html"),
)


class StudyPlan:
    """What a run makes of a study, stage by stage, and the parameters of its jobs."""

    report_files: tuple[str, ...] = ("index.html", "report.html")
    data_files: tuple[str, ...] = DATA_FILES
    # Tables in data/ that the rule `read` makes, and those that statistics are computed from.
    read_tables: tuple[str, ...]
    analyzed_tables: tuple[str, ...]
    # Tables of statistics/ that the rule `statistics` makes, and those that `tables` makes of what the paper
    # prints.
    computed_statistics: list[str]
    shown_statistics: list[str] = []
    # Tables in data/ that the rule `tables` reads beside statistics.
    shown_tables: tuple[str, ...] = ("missing.csv",)
    # Why the study cannot enter the synthesis of all studies; empty if it can.
    why_not_synthesized = ""
    # What only some studies have: graded verdicts by task and cohort; default figures and tables that are
    # not made, and why.
    grades: CohortGrades = {}
    skipped: dict[str, str] = {}
    # Tables of statistics/ from which listed rows are picked; published coding schemes of free text.
    listed_tables: list[str] = []
    coding_schemes: list[str] = []
    # Results of models; tables and figures beside those of the study file; verdicts of language models.
    model_targets: list[str] = []
    model_figures: list[str] = []
    made_tables: list[str] = []
    asked_judgments: list[str] = []
    # Results that the synthesis of all studies reads.
    synthesis_inputs: list[str] = []

    def __init__(
        self, study: Study, whole: Study, sources: Sources, config: Config, root: str | Path
    ) -> None:
        # Cut to the configured subset, and as the file declares it, with default tests and figures.
        self.study, self.whole, self.sources = study, whole, sources
        self.config, self.root = config, Path(root)
        self.name = study.study
        # Of its results.
        self.folder = f"<results>/{self.name}"
        self.strip_study = cache(lambda keep: strip_presentation(self.study, keep))
        self.raw = RawData(self.name, self.wanted_files, study.tasks, sources, config)

    def leave_out(self, names: Collection[str]) -> None:
        """Leave out figures and tables, and say so in the list of those that are not made."""
        kinds = ("drawn_figures", "model_figures", "made_tables")
        made = {kind: list(getattr(self, kind)) for kind in kinds}
        known = {*self.whole.figures, *self.whole.tables, *chain(*made.values())}
        if unknown := set(names) - known:
            raise ConfigError(
                f"leave_out: {', '.join(sorted(unknown))} unknown to study {self.name}; "
                f"known: {', '.join(sorted(known))}"
            )
        for kind, listed in made.items():
            setattr(self, kind, [name for name in listed if name not in names])
        declared: dict[str, Any] = {
            part: {
                name: each for name, each in getattr(self.study, part).items() if name not in names
            }
            for part in ("figures", "tables")
        }
        reasons = self.study.not_drawn | dict.fromkeys(names, "left out (leave_out)")
        self.study = self.study.model_copy(update=declared | {"not_drawn": reasons})

    @property
    def wanted_files(self) -> tuple[RawFile, ...]:
        """The raw files that this run reads."""
        return self.sources.files

    @cached_property
    def statistics(self) -> list[str]:
        """Names of the tables of statistics/ that claims may refer to."""
        return [*self.computed_statistics, *self.shown_statistics]

    @cached_property
    def drawn_figures(self) -> list[str]:
        """Names of all figures except those of models."""
        return list(self.study.figures)

    @property
    def all_figures(self) -> list[str]:
        """Names of all figures."""
        return [*self.drawn_figures, *self.model_figures]

    @property
    def cohorts(self) -> dict[str, list[str]]:
        """Names of the cohorts of each task."""
        return {name: sorted(task.cohorts) for name, task in self.study.tasks.items()}

    @property
    def pools(self) -> dict[str, dict[str, list[str]]]:
        """By task and pooled cohort, the cohorts that it combines."""
        return {
            name: {pool: list(cohort.pools) for pool, cohort in task.cohorts.items()}
            for name, task in self.study.tasks.items()
        }

    def label_cohorts(self, wanted: Callable[[Cohort], Any]) -> dict[str, dict[str, str]]:
        """Labels of the cohorts that a function wants, by task and name."""
        return {
            name: {key: cohort.label for key, cohort in task.cohorts.items() if wanted(cohort)}
            for name, task in self.study.tasks.items()
        }

    @property
    def data_label(self) -> str:
        """What results are made from, as stated in every result."""
        return self.raw.label

    @property
    def reading(self) -> str:
        """The reading that figures and tables show: the configured one, if the study has it."""
        readings = self.study.readings
        wanted = self.config.figures.reading
        return wanted if wanted in readings else readings[0]

    def is_published(self, name: str, paper: str | None = None) -> bool:
        """Tell whether data/published/ has a file of the study, or of another paper."""
        return (self.root / f"data/published/{paper or self.name}/{name}.csv").exists()

    def list_published(self, name: str) -> list[str]:
        """List a file of the study in data/published/, if there is one."""
        return [f"data/published/{self.name}/{name}.csv"] if self.is_published(name) else []

    def list_published_claims(self, name: str) -> list[str]:
        """List a file for each paper whose claims are checked and that has it."""
        return [
            f"data/published/{paper}/{name}.csv"
            for paper in self.study.claims
            if self.is_published(name, paper)
        ]

    def list_figures(self, names: Iterable[str], formats: Iterable[str]) -> list[str]:
        """List files of figures."""
        return [f"{self.folder}/figures/{name}.{format}" for name in names for format in formats]

    def list_tables(self, names: Iterable[str]) -> list[str]:
        """List files of tables."""
        return [f"{self.folder}/tables/{name}.{f}" for name in names for f in TABLE_FORMATS]

    def list_data(self, names: Iterable[str]) -> list[str]:
        """List tables of data/."""
        return [f"{self.folder}/data/{name}" for name in names]

    def list_statistics(self, names: Iterable[str]) -> list[str]:
        """List tables of statistics/."""
        return [f"{self.folder}/statistics/{name}.csv" for name in names]

    @property
    def data_targets(self) -> list[str]:
        """Tables of the judgments."""
        return self.list_data(self.data_files)

    @property
    def statistics_targets(self) -> list[str]:
        """Estimates and tests."""
        return self.list_statistics(self.statistics)

    @property
    def notebooks(self) -> list[str]:
        """Lists of the numbers that the notebooks of the study's papers print."""
        return self.list_published_claims("notebooks")

    @property
    def claims_targets(self) -> list[str]:
        """Published numbers next to recomputed ones, for a study that has any."""
        if not self.study.claims:
            return []
        files = [*CLAIMS_FILES]
        if self.notebooks:
            files += ["notebooks.csv", "notebooks_summary.csv"]
        files += [f"claims_overview.{format}" for format in self.config.figures.formats]
        return [f"{self.folder}/claims/{file}" for file in files]

    @property
    def results(self) -> list[str]:
        """All results, except the report."""
        return [
            *self.data_targets,
            *self.statistics_targets,
            *self.model_targets,
            *self.list_figures(self.drawn_figures, self.config.figures.formats),
            f"{self.folder}/figures/inventory.csv",
            *self.list_tables([*self.study.tables, *self.made_tables]),
            *self.claims_targets,
        ]

    @property
    def report_targets(self) -> list[str]:
        """The report as a page and as one file, and the findings by task and agent."""
        return [f"{self.folder}/report/{file}" for file in self.report_files]

    @property
    def everything(self) -> list[str]:
        """Everything that is made of the study."""
        return [*self.results, *self.report_targets]

    @property
    def source_data(self) -> list[str]:
        """Source data of the pictures, which captions are made from."""
        formats = tuple(self.config.figures.formats)
        pictures = [path for path in self.results if path.endswith(formats)]
        return sorted({f"{path.rpartition('.')[0]}.csv" for path in pictures})

    def check_submission(self) -> list[str]:
        """Check that a new model is configured, for a task of the study; list no input files."""
        if self.config.submission is None:
            raise ConfigError(
                "benchmark needs a file of responses and their task:\n"
                "  snakemake benchmark --config responses=my_model.json task=caption"
            )
        if self.config.task not in self.study.tasks:
            tasks = ", ".join(self.study.tasks)
            raise ConfigError(f"task {self.config.task!r} is unknown; known: {tasks}")
        return []

    @property
    def planning_models(self) -> list[str]:
        """The fitted models that a planned study is planned from; none if the plan states all."""
        if self.config.plan.model == STATED:
            return []
        if not self.study.models:
            raise ConfigError(
                f"plan: the study {self.name} declares no mixed models to plan from\n"
                f"  file:    config/studies/{self.name}.yaml\n"
                "  key:     models\n"
                "  fix:     plan from another study (study=...), or state the numbers: "
                'plan="{model: stated, rates: {people: 0.55, agent: 0.45}, spreads: {judge: 0.6}, '
                'stimuli: 100}"'
            )
        return self.list_statistics(["models"])

    def select_sections(self, *names: str, keep: Iterable[str] = ()) -> dict[str, Any]:
        """Dump what every job gets of the study, and sections `names`, with the presentation marked `keep`.

        Only what a job uses, so that other changes do not rerun it.
        """
        return self.strip_study(frozenset(keep)).model_dump(mode="json", include={*ALWAYS, *names})

    @property
    def declared(self) -> dict[str, Any]:
        """Everything the study file declares, even in a subset, for claims; tests come separately."""
        left_out = {"comparisons", "figures", "tables", "claims"}
        return strip_presentation(self.whole).model_dump(mode="json", exclude=left_out)

    def place_panels(self, figure: str) -> dict[str, Any]:
        """Return the layout of a figure's panels in the study file; empty if it has none."""
        declared = self.study.figures.get(figure)
        if declared is None:
            return {}
        # Lists, because Snakemake reads stored tuples back as lists.
        rows = [row if isinstance(row, str) else list(row) for row in declared.layout]
        return {"layout": rows, "widths": list(declared.widths)} if rows else {}

    def describe_figure(self, figure: str) -> dict[str, Any]:
        """Return the title and caption in a figure's files."""
        declared = self.study.figures.get(figure)
        return {
            "title": declared.title if declared else TITLES.get(figure, figure),
            "caption": (declared and declared.caption) or CAPTIONS.get(figure, ""),
        }

    @cached_property
    def study_to_ingest(self) -> dict[str, Any]:
        """The parts of the study that the rule `read` uses: also what is left out, since files name it."""
        labeled = strip_presentation(self.whole, {LABEL})
        return labeled.model_dump(mode="json", include={*ALWAYS})

    @cached_property
    def shown_results(self) -> list[str]:
        """Results that the rule `tables` reads."""
        return [*self.list_statistics(self.computed_statistics), *self.list_data(self.shown_tables)]

    @cached_property
    def synthesized(self) -> dict[str, Any]:
        """What the synthesis of all studies gets of this one."""
        study = self.study.model_dump(include={"study", "reference", "title"})
        return study | {"why_not": self.why_not_synthesized}

    @cached_property
    def reported(self) -> dict[str, Any]:
        """What a report says about the study in addition to its results."""
        tables = self.study.tables
        return {
            "study": self.name,
            "design": self.study.design,
            "choice": all(task.choice for task in self.whole.tasks.values()),
            "title": self.study.title,
            "reference": self.study.reference,
            "figures": {name: figure.title for name, figure in self.study.figures.items()},
            "captions": {name: figure.caption for name, figure in self.study.figures.items()},
            "tables": {name: table.title for name, table in tables.items()},
            "notes": {name: getattr(table, "note", "") for name, table in tables.items()},
            "tasks": {name: task.label for name, task in self.whole.tasks.items()},
            "references": {
                name: task.references[0]
                for name, task in self.whole.tasks.items()
                if task.references
            },
            "reading": self.reading,
            "readings": list(self.study.readings),
            "data": self.data_label,
            "called": self.study.called,
            "agents": {name: agent.label for name, agent in self.whole.agents.items()},
            "cohorts": self.label_cohorts(lambda cohort: True),
            # Other cohorts pool trials, or are judges trained here.
            "read_cohorts": self.label_cohorts(lambda c: not (c.pools or c.trained)),
        }


class RatingsPlan(StudyPlan):
    """What a run makes of a study of similarity ratings; see `StudyPlan`."""

    read_tables = ("ratings.parquet", "items.csv", "distances.parquet", "exclusions.csv")
    analyzed_tables = ("ratings.parquet", "items.csv", "distances.parquet")
    shown_tables = (*analyzed_tables, "missing.csv")
    computed_statistics = ["alignment", "agreement", "individuals", "tests", "sizes"]
    why_not_synthesized = (
        "people rated similarities and did not say whether a person or a machine responded"
    )


class PairsPlan(StudyPlan):
    """What a run makes of a study of pairs, whose agents are ranked; see `StudyPlan`."""

    data_files = (*DATA_FILES, "record_checks.csv")
    read_tables = ("comparisons.parquet", "exclusions.csv", "record_checks.csv")
    analyzed_tables = ("comparisons.parquet",)
    computed_statistics = ["strengths", "differences", "places", "sizes"]
    drawn_figures = ["ranking"]
    made_tables = ["ranking", "win_rates"]
    why_not_synthesized = "judges compared agents with each other"

    @property
    def wanted_files(self) -> tuple[RawFile, ...]:
        """The raw files of the tasks of this run."""
        return tuple(file for file in self.sources.files if file.task in self.study.tasks)
