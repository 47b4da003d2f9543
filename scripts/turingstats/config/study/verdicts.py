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
    """A study: agents, tasks, groups of judges, tests and figures."""

    design: Literal["verdicts"] = "verdicts"
    """Kind of data collected; `turingstats.config.ratings_study` describes studies of pairwise ratings."""
    agents: dict[str, Agent]
    tasks: dict[str, Task]
    demographics: dict[str, dict[str, dict[Reading, tuple[str, ...]]]] = {}
    ordered: tuple[str, ...] = ()
    """Demographic variables whose groups are in increasing order: trend tests, and <name>_rank in model
    formulas, are available only for these."""
    comparisons: tuple[Comparison, ...] = ()
    models: tuple[VerdictModel, ...] = ()
    subsets: dict[str, tuple[str, str] | None] = {"all": None}
    """Only for printed counts: the condition and level of each subset of trials, None for all trials."""
    contrasts: tuple[CountContrast, ...] = ()
    """Computed from printed counts (data/published/<study>/counts.csv) and from the judgments."""
    bands: dict[str, tuple[float, ...]] = {}
    """Numeric trial variables (position, confidence, ...) by which accuracy is broken down. Each band runs
    from one limit to just below the next; the last one is open."""
    codes: dict[str, Codes] = {}
    figures: dict[str, Figure] = {}
    tables: dict[str, Table] = {}
    add: Additions = Additions()
    """What joins the default tests and figures; `comparisons` and `figures` replace them."""

    @model_validator(mode="before")
    @classmethod
    def fill_in(cls, values: Any) -> Any:
        """Fill in defaults of a study file: people, agents of tasks and cohorts, readings."""
        if not isinstance(values, dict):
            return values
        agents: dict[str, Any] = dict(values.get("agents") or {})
        people = agents.get("human", {})
        people = {"label": "Human"} | people if isinstance(people, dict) else people
        agents = {"human": people} | {
            name: agent for name, agent in agents.items() if name != "human"
        }
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
        """Check that all names used in the parts of a study are defined."""
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
        """The tables of the genders that judges attributed to speakers."""
        return {
            name: table for name, table in self.tables.items() if isinstance(table, GenderTable)
        }
