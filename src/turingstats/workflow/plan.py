"""What a run makes of a study: the list of results applied to it.

Paths of results begin with ``<results>``, which Snakemake replaces with the configured folder.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import cached_property
from operator import attrgetter
from pathlib import Path
from typing import Any

from pydantic import BaseModel

from turingstats.config import defaults
from turingstats.config.graded import list_grades
from turingstats.config.planning import STATED
from turingstats.config.raw_files import RawFile, Sources
from turingstats.config.settings import Config
from turingstats.config.study import Study
from turingstats.core.errors import ConfigError
from turingstats.workflow import parameters
from turingstats.workflow.conditions import Facts
from turingstats.workflow.raw_data import RawData
from turingstats.workflow.results import ON_REQUEST, SETTINGS, STEPS, Result, list_results


class StudyPlan:
    """What a run makes of a study, and the inputs, outputs and parameters of its jobs."""

    def __init__(
        self, study: Study, whole: Study, sources: Sources, config: Config, root: str | Path
    ) -> None:
        # Cut to the configured subset, and as the file declares it, with default tests and figures.
        self.study, self.whole, self.sources, self.config = study, whole, sources, config
        self.name, self.design = study.study, study.design
        # Of its results.
        self.folder = f"<results>/{self.name}"
        wanted = select_files(study, sources)
        self.raw = RawData(self.name, wanted, study.tasks, sources, config)
        printed = Path(root, "data/published")
        # Lists of the numbers that the notebooks of the study's papers print.
        self.notebooks = [
            f"data/published/{paper}/notebooks.csv"
            for paper in study.claims
            if (printed / paper / "notebooks.csv").exists()
        ]
        self.facts = Facts(
            study=study,
            whole=whole,
            grades=list_grades(wanted) if self.design == "verdicts" else {},
            config=config,
            published={path.stem for path in (printed / self.name).glob("*.csv")},
            notebooks=tuple(self.notebooks),
        )
        if config.leave_out:
            self.leave_out()

    def leave_out(self) -> None:
        """Leave out figures and tables, and say so in the list of those that are not made."""
        names = set(self.config.leave_out)
        known = {result.name for result in self.made if result.is_shown}
        known |= {*self.whole.figures, *self.whole.tables}
        if unknown := names - known:
            problem = f"leave_out: {', '.join(sorted(unknown))} unknown to study {self.name}"
            raise ConfigError(f"{problem}; known: {', '.join(sorted(known))}")
        declared: dict[str, Any] = {
            part: {
                name: each for name, each in getattr(self.study, part).items() if name not in names
            }
            for part in ("figures", "tables")
        }
        reasons = self.study.not_drawn | dict.fromkeys(names, "left out (leave_out)")
        self.study = self.study.model_copy(update=declared | {"not_drawn": reasons})
        self.facts = replace(self.facts, study=self.study)
        self.listed = {
            rule: [each for each in results if not (each.is_shown and each.name in names)]
            for rule, results in self.listed.items()
        }

    @cached_property
    def listed(self) -> dict[str, list[Result]]:
        """The results of this run by rule; what the study file names is listed one by one."""
        return {
            rule: [
                each
                for result in results
                if result.when(self.facts)
                for each in self.expand(result)
            ]
            for rule, results in list_results(self.design).items()
        }

    def expand(self, result: Result) -> Iterator[Result]:
        """List a result once for every figure or table of the study file, if it stands for these."""
        if "<" not in result.path:
            yield result
            return
        folder = result.path.partition("/")[0]
        for name, declared in getattr(self.study, folder).items():
            yield replace(result, path=f"{folder}/{name}.csv", title=declared.title)

    @property
    def made(self) -> list[Result]:
        """All results of the run, without those that are made on request only."""
        listed = self.listed.items()
        return [result for rule, results in listed if rule not in ON_REQUEST for result in results]

    @property
    def skipped(self) -> dict[str, str]:
        """Figures and tables that the study does not get, and what they need."""
        lacking = {
            result.name: result.need
            for results in list_results(self.design).values()
            for result in results
            if result.is_shown and not result.when(self.facts) and result.name not in self.titles
        }
        if self.design != "verdicts":
            return lacking
        return defaults.explain_skipped_figures(self.study, self.facts.grades) | lacking

    def list_files(
        self, results: Iterable[Result], formats: Collection[str] | None = None
    ) -> list[str]:
        """List the files of results, and the pictures of those that are drawn."""
        files = [f"{self.folder}/{path}" for result in results for path in result.files]
        return [*files, *self.list_pictures(results, formats)]

    def list_pictures(
        self, results: Iterable[Result], formats: Collection[str] | None = None
    ) -> list[str]:
        """List the pictures of results that are drawn, by default in the configured formats."""
        formats = self.config.figures.formats if formats is None else formats
        drawn = (result.path.removesuffix(".csv") for result in results if result.draw)
        return [f"{self.folder}/{path}.{ending}" for path in drawn for ending in formats]

    def list_outputs(self, rule: str) -> list[str]:
        """List the files that a rule makes, without pictures."""
        return self.list_files(self.listed[rule], [])

    @property
    def everything(self) -> list[str]:
        """Everything that is made of the study."""
        return self.list_files(self.made)

    @property
    def synthesis_inputs(self) -> list[str]:
        """Results that the synthesis of all studies reads: counts, and what the paper prints."""
        if self.design != "verdicts":
            return []
        names = ("data/counts", "data/provenance", "success_rates", "printed_rates")
        return [f"{self.folder}/{self.paths[name]}" for name in names if name in self.paths]

    # --- what its jobs need --------------------------------------------------------------------------

    @cached_property
    def paths(self) -> dict[str, str]:
        """Paths of the results of this run by the names under which functions need them."""
        paths = {result.path.rpartition(".")[0]: result.path for result in self.made}
        short = {name.partition("/")[2]: path for name, path in paths.items()
                 if name.startswith(("data/", "statistics/"))}  # fmt: skip
        return short | paths

    def locate(self, need: str) -> str | None:
        """Locate what a function needs; None if this study has no such result."""
        if need.startswith("published/"):
            name = need.removeprefix("published/").removesuffix(".csv")
            return f"published/{name}.csv" if name in self.facts.published else None
        return need if need in STEPS else self.paths.get(need)

    def describe_step(self, result: Result) -> dict[str, Any]:
        """Describe how a job makes a result or step."""
        further = result.further(self.facts) if result.further else []
        return {
            "make": result.make,
            "needs": [self.locate(need) for need in result.needs],
            "further": {Path(need).stem: self.locate(need) for need in further},
            "options": list(result.options),
        }

    def describe_job(self, rule: str) -> dict[str, Any]:
        """Describe the job of a rule: what it makes, and what the functions may be given by name."""
        results = self.listed[rule]
        steps = {name: STEPS[name] for name in self.list_needs(rule) if name in STEPS}
        functions = [result.make for result in list_results(self.design)[rule]]
        written = {}
        for result in results:
            several = "<" not in result.path and functions.count(result.make) > 1
            together = [twin.path for twin in results if twin.make == result.make]
            written[result.path] = self.describe_step(result) | {
                "together": together if several else [],
                "write": result.write,
                "labels": self.label_result(result),
            }
        options = {name for each in (*results, *steps.values()) for name in each.options}
        return {
            "results": written,
            "steps": {name: self.describe_step(step) for name, step in steps.items()},
            "settings": self.describe_settings(rule),
            "options": {
                name: dump(attrgetter(SETTINGS[name])(self.config)) for name in sorted(options)
            },
        }

    def label_result(self, result: Result) -> dict[str, Any]:
        """Say what a result states of all its rows."""
        labels: dict[str, Any] = {"data": self.raw.label} if result.labeled else {}
        if result.path.startswith("tables/"):
            reading = result.reading or parameters.choose_reading(self.facts)
            labels |= {"title": result.title, "reading": reading}
        elif result.draw and "confidence" in result.options:
            labels = {"level": self.config.confidence} | labels
        return labels

    def describe_settings(self, rule: str) -> dict[str, Any]:
        """Describe what the functions of a rule may be given by name, besides options."""
        study = self.study
        settings: dict[str, Any] = {
            "study": parameters.describe_study(self.facts, rule, self.raw),
            "data": self.raw.label,
        }
        if rule == "read":
            cohorts = {name: sorted(task.cohorts) for name, task in study.tasks.items()}
            settings |= {"raw": self.raw.described | {"cohorts": cohorts}}
            settings |= {"folder": self.raw.folder}
        if rule == "statistics":
            settings |= {"grades": self.facts.grades}
        if rule == "tables":
            settings |= {"reading": parameters.choose_reading(self.facts)}
            settings |= {"tables": list(study.tables)}
            # What the list of figures says besides their numbers.
            settings["run_notes"] = {
                "pools": parameters.list_pools(study),
                "trained": parameters.label_cohorts(study, lambda cohort: cohort.trained),
                "skipped": self.skipped,
                "not_drawn": study.not_drawn,
            }
        if rule == "report":
            made = [path.removeprefix(f"{self.folder}/") for path in self.everything]
            settings |= {"described": self.reported, "made": made, "source": self.raw.source}
            settings |= {"configuration": dump(self.config)}
        return settings

    def list_needs(self, rule: str) -> list[str]:
        """List what the functions of a rule need, and those of its steps."""
        needs: dict[str, None] = {}
        new = self.listed[rule]
        while new:
            described = map(self.describe_step, new)
            wanted = [
                need
                for step in described
                for need in (*step["needs"], *step["further"].values())
                if need and need not in needs
            ]
            needs |= dict.fromkeys(wanted)
            new = [STEPS[need] for need in dict.fromkeys(wanted) if need in STEPS]
        return list(needs)

    def list_inputs(self, rule: str) -> list[str]:
        """List the files that the job of a rule reads."""
        own = {result.path for result in self.listed[rule]}
        return [
            f"data/{need.replace('/', f'/{self.name}/', 1)}"
            if need.startswith("published/")
            else f"{self.folder}/{need}"
            for need in self.list_needs(rule)
            if need not in STEPS and need not in own
        ]

    def list_functions(self, rule: str) -> list[str]:
        """List the functions of the job of a rule: it depends on their code."""
        steps = (STEPS[name] for name in self.list_needs(rule) if name in STEPS)
        functions = {step.make for step in steps}
        return sorted(functions.union(*((r.make, r.write) for r in self.listed[rule])))

    @property
    def shown(self) -> list[Result]:
        """Figures and tables."""
        every = (result for results in self.listed.values() for result in results)
        return [result for result in every if result.draw or result.is_shown]

    @property
    def titles(self) -> dict[str, str]:
        """Titles of figures and tables by name."""
        return {result.name: result.title for result in self.shown}

    def describe_figure(self, name: str) -> dict[str, Any]:
        """Describe a figure in its files."""
        return parameters.describe_figure(self.study, name, self.titles.get(name, name))

    @property
    def reported(self) -> dict[str, Any]:
        """What a report says about the study in addition to its results."""
        makers = {result.path: [result.make, result.draw] for result in self.shown}
        described = parameters.describe_report(self.facts, self.titles, self.raw.label)
        return described | {"makers": makers}


def dump(value: Any) -> Any:
    """Dump a key of the configuration as a parameter of a job."""
    return value.model_dump(mode="json") if isinstance(value, BaseModel) else value


def select_files(study: Study, sources: Sources) -> tuple[RawFile, ...]:
    """Select the raw files of the tasks and cohorts in a run; a file of ratings may be of several tasks."""
    if study.design == "ratings":
        return sources.files
    files = (file for file in sources.files if file.task in study.tasks)
    if study.design == "pairs":
        return tuple(files)
    return tuple(file for file in files if file.cohort in {None, *study.tasks[file.task].cohorts})


# --- what is made on request ---------------------------------------------------------------------


def check_submission(plan: StudyPlan) -> list[str]:
    """Check that a new model is configured, for a task of the study; list no input files."""
    if plan.config.submission is None:
        raise ConfigError(
            "benchmark needs a file of responses and their task:\n"
            "  snakemake benchmark --config responses=my_model.json task=caption"
        )
    if plan.config.task not in plan.study.tasks:
        tasks = ", ".join(plan.study.tasks)
        raise ConfigError(f"task {plan.config.task!r} is unknown; known: {tasks}")
    return []


def list_planning_models(plan: StudyPlan) -> list[str]:
    """List the fitted models that a planned study is planned from; none if the plan states all."""
    if plan.config.plan.model == STATED:
        return []
    if not plan.study.models:
        raise ConfigError(
            f"plan: the study {plan.name} declares no mixed models to plan from",
            file=f"config/studies/{plan.name}.yaml",
            key="models",
            fix="plan from another study (study=...), or state the numbers: plan="
            '"{model: stated, rates: {people: 0.55, agent: 0.45}, spreads: {judge: 0.6}, stimuli: 100}"',
        )
    return [f"{plan.folder}/statistics/models.csv"]


def require_judgments(plan: StudyPlan) -> list[str]:
    """List the verdicts of language models; an error says what to set without an endpoint."""
    if not plan.listed["llm_judge"]:
        raise ConfigError(
            "llm_judges needs an endpoint to ask:\n"
            '  snakemake llm_judges --config llm="{base_url: http://127.0.0.1:8000/v1, models: [mine]}"'
        )
    return [f"{plan.folder}/llm/judgments.parquet"]
