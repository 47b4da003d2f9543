"""What a run makes of a study of verdicts."""

from functools import cached_property
from typing import Any

from turingstats.config import defaults
from turingstats.config.graded import CohortGrades, list_grades
from turingstats.config.raw_files import RawFile
from turingstats.config.study.panels import ListedPanel, RatingsPanel
from turingstats.config.study.tests import VerdictModel
from turingstats.core.errors import ConfigError
from turingstats.core.yaml_models import strip_presentation
from turingstats.workflow.plan import DATA_FILES, StudyPlan

STATISTICS = (
    "estimates",
    "tests",
    "texts",
    "signal_models",
    "equivalence",
    "sample",
    "agreement",
    "stimuli",
    "machine_judges",
)
"""Tables that every study has."""
INGESTED = ("study", "title", "readings", "agents", "tasks", "demographics")
MODEL_STATISTICS = ("models", "random_effects", "model_contrasts")


class VerdictsPlan(StudyPlan):
    """What a run makes of a study of verdicts; see `StudyPlan`."""

    data_files = (*DATA_FILES, "record_checks.csv")
    read_tables = (
        *("raw_judgments.parquet", "judges.parquet", "responses.parquet"),
        *("left_out.csv", "reading_notes.csv"),
    )
    analyzed_tables = (
        *("judgments.parquet", "judges.parquet", "responses.parquet", "counts.parquet"),
        "groups.csv",
    )
    report_files = ("index.html", "report.html", "findings.csv")

    @property
    def wanted_files(self) -> tuple[RawFile, ...]:
        """The raw files of the cohorts in this run, and those of their tasks as a whole."""
        tasks = self.study.tasks
        return tuple(
            file
            for file in self.sources.files
            if file.task in tasks and file.cohort in {None, *tasks[file.task].cohorts}
        )

    @cached_property
    def grades(self) -> CohortGrades:
        """What the graded verdicts of cohorts are, by task and cohort."""
        return list_grades(self.wanted_files)

    @cached_property
    def skipped(self) -> dict[str, str]:
        """Default figures and tables that the study does not get, and why."""
        return (
            defaults.explain_skipped_figures(self.study, self.grades)
            | self.skipped_of_models
            | self.skipped_machines
        )

    @property
    def skipped_machines(self) -> dict[str, str]:
        """Why people are not compared with machine judges; empty if they are."""
        for task in self.study.tasks.values():
            if len({cohort.judge_kind == "human" for cohort in task.cohorts.values()}) > 1:
                return {}
        return {"people_and_machines": "no task has both people and machines as judges"}

    @property
    def skipped_of_models(self) -> dict[str, str]:
        """Figures and tables of models that the study does not get, and why."""
        models = self.study.models
        compared = [model for model in models if model.id.endswith(".agents")]
        lacking = {}
        if not models:
            lacking["model_contrasts"] = "the study declares no models"
        if not compared:
            lacking["forest"] = "no model compares agents"
        if not any(map(self.has_random_abilities, compared)):
            lacking["abilities"] = (
                "no model has random abilities of judges or difficulties of stimuli"
            )
        if not any(model.counterpart_of for model in models):
            lacking["what_changes"] = "no model is the counterpart of a published test"
        return lacking

    def has_random_abilities(self, model: VerdictModel) -> bool:
        """Tell whether random effects of a model are abilities of judges or difficulties of stimuli."""
        if self.study.tasks[model.task].choice:
            # Any effect on right choices is one.
            return model.formula.startswith("correct") and "|" in model.formula
        return ":made_by" in model.formula

    @cached_property
    def drawn_figures(self) -> list[str]:
        """Names of all figures except those of models."""
        audit = ["audit"] if self.trained_tasks else []
        machines = [] if self.skipped_machines else ["people_and_machines"]
        asked = ["llm"] if self.asked_judgments else []
        return [*self.study.figures, "judge_spread", *audit, *machines, *asked]

    @cached_property
    def made_tables(self) -> list[str]:
        """Names of tables in addition to those that the study file names."""
        people = any(
            cohort.judge_kind == "human"
            for task in self.study.tasks.values()
            for cohort in task.cohorts.values()
            if not task.choice
        )
        made = {
            "sample": True,
            "agreement": True,
            "rating_summary": bool(self.grades),
            "scales": "scales" in self.computed_statistics,
            "people_and_machines": not self.skipped_machines,
            "signal_models": people,
            "what_changes": "what_changes" not in self.skipped_of_models,
            "equivalence": True,
            "model_contrasts": "model_contrasts" not in self.skipped_of_models,
        }
        return [name for name, is_made in made.items() if is_made]

    @cached_property
    def model_figures(self) -> list[str]:
        """Names of the figures of models."""
        lacking = self.skipped_of_models
        # Equivalence is shown for the cohorts whose agents a model compares.
        kinds = ["forest", "abilities", *([] if "forest" in lacking else ["equivalence"])]
        return [kind for kind in kinds if kind not in lacking]

    @cached_property
    def shown_statistics(self) -> list[str]:
        """Names of the tables of statistics/ of what the paper prints, beside what was computed."""
        tables = ["what_changes"]
        if self.is_published("counts"):
            tables += ["success_rates", "contrasts", "printed_equivalence"]
        return tables + ["printed_rates"] * self.is_published("pass_rates")

    @cached_property
    def shown_results(self) -> list[str]:
        """Statistics, judges trained or asked here, and counts of verdicts."""
        return [
            *self.list_statistics([*self.computed_statistics, *MODEL_STATISTICS, "sizes"]),
            *self.list_trained("evaluation.csv"),
            *self.list_trained("audit.csv"),
            *self.list_asked("answers.csv"),
            *self.list_data(
                ("counts.parquet", "responses.parquet", "exclusions.csv", "missing.csv")
            ),
            f"{self.folder}/statistics/fits.json",
        ]

    @cached_property
    def statistics(self) -> list[str]:
        """Names of the tables of statistics/ that claims may refer to."""
        return ["sizes", "protocol", "models", *self.computed_statistics, *self.shown_statistics]

    @cached_property
    def computed_statistics(self) -> list[str]:
        """Names of the tables of statistics/ that are computed from judgments, without a model."""
        study, tasks = self.study, self.whole.tasks.values()
        made = {
            ("breakdowns", "judge_tests"): study.bands or study.breakdowns,
            ("ratings", "ordinal_models"): self.grades,
            ("scales",): any(task.scales for task in tasks),
            ("codes",): study.codes,
            ("genders",): study.gender_tables,
            ("people_and_machines",): not self.skipped_machines,
            ("lengths",): any(task.choice for task in tasks),
        }
        return [*STATISTICS, *(name for names, needed in made.items() if needed for name in names)]

    @cached_property
    def model_targets(self) -> list[str]:
        """Mixed models, and figures of these, of signal detection and of equivalence."""
        return [
            *self.list_statistics(MODEL_STATISTICS),
            *self.list_figures(self.model_figures, self.config.figures.formats),
        ]

    @cached_property
    def trained_tasks(self) -> list[str]:
        """Names of the tasks for which judges are trained."""
        return [
            name
            for name, task in self.study.tasks.items()
            if self.config.judges.train and any(c.trained for c in task.cohorts.values())
        ]

    @property
    def study_to_train(self) -> dict[str, Any]:
        """The parts of the study that the rule `judges` uses: training is long, and edits are many."""
        cohort = {"label", "agents", "trained"}
        task = {"label": True, "features": True, "response": {"variant"}}
        tasks = dict.fromkeys(self.trained_tasks, task | {"cohorts": {"__all__": cohort}})
        agents = {"__all__": {"label"}}
        include: Any = {"study": True, "title": True, "agents": agents, "tasks": tasks}
        return self.strip_study(frozenset()).model_dump(mode="json", include=include)

    def list_trained(self, table: str) -> list[str]:
        """List a table of the judges trained here, if there are any."""
        return [f"{self.folder}/judges/{table}"] if self.trained_tasks else []

    @cached_property
    def asked_judgments(self) -> list[str]:
        """Verdicts of language models, if there is an endpoint to ask."""
        return [f"{self.folder}/llm/judgments.parquet"] if self.config.llm.base_url else []

    def require_judgments(self) -> list[str]:
        """List the verdicts of language models; an error says what to set without an endpoint."""
        if not self.asked_judgments:
            raise ConfigError(
                "llm_judges needs an endpoint to ask:\n"
                '  snakemake llm_judges --config llm="{base_url: http://127.0.0.1:8000/v1, models: [mine]}"'
            )
        return self.asked_judgments

    def list_asked(self, table: str) -> list[str]:
        """List a table of the language models that judge, if any do."""
        return [f"{self.folder}/llm/{table}"] if self.asked_judgments else []

    @cached_property
    def listed_tables(self) -> list[str]:
        """Names of tables of statistics/ from which panels of listed rows, and of stimuli, are picked."""
        panels = [p for figure in self.study.figures.values() for p in figure.panels.values()]
        listed = [panel for panel in panels if isinstance(panel, ListedPanel)]
        named = {panel.table for panel in listed}
        if any(isinstance(panel, RatingsPanel) for panel in panels):
            named |= {"ratings"}
        named |= {test.table for panel in listed for test in panel.tested} - {"tests"}
        named |= {"stimuli" for panel in panels if panel.kind == "stimuli"}
        return sorted(named)

    @cached_property
    def coding_schemes(self) -> list[str]:
        """Published coding schemes of free text."""
        schemes = {code.scheme for code in self.study.codes.values() if code.scheme}
        return sorted(f"data/published/{self.name}/{scheme}" for scheme in schemes)

    @cached_property
    def study_to_ingest(self) -> dict[str, Any]:
        """The parts of the study that the rule `read` uses."""
        # Raw files may call agents and cohorts by their labels; the observed tables have only ids.
        stripped = strip_presentation(self.study)
        if self.raw.source != "observed":
            named = {file.task for file in self.sources.files if "cohort" in file.columns}
            tasks = stripped.tasks | {
                name: task.model_copy(update={"cohorts": self.study.tasks[name].cohorts})
                for name, task in stripped.tasks.items()
                if name in named
            }
            stripped = stripped.model_copy(update={"agents": self.study.agents, "tasks": tasks})
        return stripped.model_dump(mode="json", include=set(INGESTED))

    @cached_property
    def synthesized(self) -> dict[str, Any]:
        """What the synthesis of all studies gets: agents, tasks and cohorts whose judges are people."""
        subsets = self.study.subsets
        return super().synthesized | {
            "agents": {
                name: agent.model_dump(include={"label", "kind", "several"})
                for name, agent in self.study.agents.items()
            },
            "tasks": {
                name: {
                    "label": task.label,
                    "choice": task.choice,
                    "samples": list(task.samples),
                    "agents": sorted(
                        {*task.agents, *(a for c in task.cohorts.values() for a in c.agents)}
                    ),
                    # Pools repeat the verdicts of other cohorts.
                    "cohorts": {
                        key: cohort.model_dump(include={"label", "setting"})
                        for key, cohort in task.cohorts.items()
                        if cohort.judge_kind == "human" and not cohort.pools
                    },
                }
                for name, task in self.study.tasks.items()
            },
            # The subset of printed counts that holds all trials.
            "whole": next((name for name, part in subsets.items() if part is None), ""),
        }

    @cached_property
    def synthesis_inputs(self) -> list[str]:
        """Results that the synthesis reads: counts of verdicts, and what the paper prints."""
        return [
            f"{self.folder}/data/counts.parquet",
            f"{self.folder}/data/provenance.json",
            *self.list_statistics(
                name for name in ("success_rates", "printed_rates") if name in self.statistics
            ),
        ]
