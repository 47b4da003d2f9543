"""The model of a study file of verdicts (`config/studies/*.yaml`)."""

from typing import Any, Literal

from pydantic import Field, model_validator

from turingstats.config.study.base import AnyStudy, GenderTable, Table
from turingstats.config.study.checks import (
    check_comparison,
    check_gender_tables,
    check_models,
    check_panels,
    check_tasks,
)
from turingstats.config.study.figures import Figure
from turingstats.config.study.models import VerdictModel
from turingstats.config.study.task import Agent, Codes, Task
from turingstats.config.study.tests import Comparison, CountContrast
from turingstats.core.yaml_models import READINGS, Model, Reading, make_list


class Additions(Model):
    """Tests and figures that join the default ones."""

    comparisons: tuple[Comparison, ...] = ()
    figures: dict[str, Figure] = Field(default_factory=dict)
    """One that is named like a default figure takes its place."""


class Study(AnyStudy):
    """A study: who judged what, which groups, which tests, which figures."""

    design: Literal["verdicts"] = "verdicts"
    """What was collected; `turingstats.config.ratings_study` describes studies of pairwise ratings."""
    agents: dict[str, Agent]
    tasks: dict[str, Task]
    demographics: dict[str, dict[str, dict[Reading, tuple[str, ...]]]] = {}
    ordered: tuple[str, ...] = ()
    """Demographic variables whose groups are in rising order, lowest first: tests of a trend and <name>_rank
    in formulas of models are for these alone."""
    comparisons: tuple[Comparison, ...] = ()
    models: tuple[VerdictModel, ...] = ()
    subsets: dict[str, tuple[str, str] | None] = {"all": None}
    """Of printed counts: the condition and level that each subset of trials is, None for all trials."""
    contrasts: tuple[CountContrast, ...] = ()
    """Computed from printed counts (data/published/<study>/counts.csv) and from the judgments."""
    bands: dict[str, tuple[float, ...]] = {}
    """Accuracy is broken down by these numbers of a trial (position, confidence, ...), from one limit up to
    below the next; the last band is open."""
    codes: dict[str, Codes] = {}
    figures: dict[str, Figure] = {}
    tables: dict[str, Table] = {}
    add: Additions = Additions()
    """What joins the default tests and figures; `comparisons` and `figures` replace them."""

    @model_validator(mode="before")
    @classmethod
    def fill_in(cls, values: Any) -> Any:
        """Fill in what a short study file leaves out: people, agents of tasks and cohorts, readings."""
        if not isinstance(values, dict):
            return values
        agents: dict[str, Any] = dict(values.get("agents") or {})
        people = agents.get("human", {})
        people = {"label": "Human"} | people if isinstance(people, dict) else people
        agents = {"human": people} | {name: own for name, own in agents.items() if name != "human"}
        machines = [name for name in agents if name != "human"]
        tasks: dict[str, Any] = {}
        for name, declared in (values.get("tasks") or {}).items():
            task = declared
            if isinstance(declared, dict):
                task = dict[str, Any](agents=machines) | declared
                cohorts = {
                    key: {"agents": task["agents"]} | cohort if isinstance(cohort, dict) else cohort
                    for key, cohort in (task.get("cohorts") or {}).items()
                }
                task |= {"cohorts": cohorts}
            tasks[name] = task
        demographics = {
            variable: {
                group: answers
                if isinstance(answers, dict)
                else {
                    reading: [str(a) for a in make_list(answers)]
                    for reading in values.get("readings", READINGS)
                }
                for group, answers in groups.items()
            }
            for variable, groups in (values.get("demographics") or {}).items()
        }
        return values | {"agents": agents, "tasks": tasks, "demographics": demographics}

    @model_validator(mode="after")
    def check_names(self) -> "Study":
        """Names that the parts of a study call each other by are known."""
        for name in Additions.model_fields:
            if getattr(self, name) and getattr(self.add, name):
                raise ValueError(
                    f"add.{name} joins the default {name}, which {name} replaces: keep one of the two"
                )
        whole = self.model_copy(
            update={
                "comparisons": (*self.comparisons, *self.add.comparisons),
                "figures": self.figures | self.add.figures,
            }
        )
        check_tasks(whole)
        for comparison in whole.comparisons:
            check_comparison(whole, comparison)
        check_models(whole)
        check_gender_tables(whole)
        check_panels(whole)
        return self

    @property
    def gender_tables(self) -> dict[str, GenderTable]:
        """The tables of genders that judges took speakers for."""
        return {name: own for name, own in self.tables.items() if isinstance(own, GenderTable)}
