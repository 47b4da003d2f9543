"""The keys of a study file (`config/studies/*.yaml`), and their defaults."""

from itertools import pairwise
from typing import Any, Literal

from pydantic import Field, field_validator, model_validator

from turingstats.config.study.base import GenderTable, Table
from turingstats.config.study.panels import Figure
from turingstats.config.study.task import Agent, Codes, Task
from turingstats.config.study.tests import AlignmentTest, Comparison, CountContrast, VerdictModel
from turingstats.core.yaml_models import (
    READINGS,
    Cells,
    Heading,
    Model,
    Reading,
    list_items,
)
from turingstats.stats.mixed.syntax import parse_formula

PARTS = ("agents", "tasks", "demographics")
"""Parts of a study file whose defaults depend on each other."""


class Additions(Model):
    """Tests and figures that join the default ones."""

    comparisons: tuple[Comparison, ...] = ()
    """Declared tests, in place of the default ones: the detectability of each agent against chance,
    and between groups of judges."""
    figures: dict[str, Figure] = {}
    """Figures by name, in place of the default ones; one under `add` that has the name of a default
    one takes its place."""


class StudyFile(Additions):
    """What a study file says, with its defaults; whether its parts fit together is not checked."""

    study: str
    """Name of the study, which must be that of its file without .yaml."""
    title: Heading
    """Title on pages and in the report."""
    reference: Heading = ""
    """Short citation of the paper, shown with the title."""
    readings: tuple[Reading, ...] = Field(("published", "recommended"), min_length=1)
    """Analyses to run: as the paper computed it, and with sound methods; `[recommended]` for a
    study that is not published yet."""
    claims: tuple[str, ...] = ()
    """Papers whose claims are checked, as names of folders in `data/published/`."""
    called: str = "trials"
    """What a trial of this study is called on pages."""
    not_drawn: dict[str, str] = {}
    """Figures and tables of the paper that are not made here, with the reason, such as `Fig 1: a
    drawing`."""
    agents: dict[str, Agent]
    """Whoever makes responses, by the name that other keys and raw files use."""
    tasks: dict[str, Task]
    """Tasks by name."""
    demographics: dict[str, dict[str, dict[Reading, Cells]]] = {}
    """Groups of judges by variable, with the answers that belong to them, such as `age: {18-35:
    [18-35], 46 and over: [46+]}`; a group may have one list per reading."""
    ordered: tuple[str, ...] = ()
    """Variables of `demographics` with groups in increasing order; only these have trend tests and,
    in formulas, ranks such as `age_rank`."""
    shaded: tuple[str, ...] = ()
    """Further variables of `demographics` with groups in increasing order, shown in shades of one
    color."""
    models: tuple[VerdictModel, ...] = ()
    """Regressions of single verdicts."""
    subsets: dict[str, tuple[str, str] | None] = {"all": None}
    """Only with printed counts: subsets of trials by name, each with a condition and its level, or null for
    all trials."""
    contrasts: tuple[CountContrast, ...] = ()
    """Comparisons of how often agents were judged human, from printed counts and from the
    judgments."""
    bands: dict[str, tuple[float, ...]] = {}
    """Numeric columns by which accuracy is broken down, with the lower limits of bands; the last
    one is open."""
    breakdowns: tuple[str, ...] = ()
    """Breakdowns of accuracy by two columns at once, such as `agent+domain`: agents, conditions, `columns`,
    `demographics` and those with `bands`."""
    codes: dict[str, Codes] = {}
    """Columns with manual codes of free text, by name of the coding scheme."""
    tables: dict[str, Table] = {}
    """Tables by name."""
    scale: tuple[float, float] = (0, 100)
    """Only for ratings of similarity: lowest and highest possible rating; the highest means
    identical items."""
    alignment_tests: tuple[AlignmentTest, ...] = ()
    """Only for ratings of similarity: tests between samples of alignments."""
    add: Additions = Additions()
    """Tests and figures in addition to the default ones."""

    @field_validator("bands")
    @classmethod
    def check_bands(cls, bands: dict[str, tuple[float, ...]]) -> dict[str, tuple[float, ...]]:
        """Check that the limits of bands increase."""
        for column, limits in bands.items():
            if any(limit >= following for limit, following in pairwise(limits)):
                raise ValueError(f"the limits of {column} must increase, such as [0, 20, 40]")
        return bands

    @model_validator(mode="before")
    @classmethod
    def fill_in(cls, values: Any) -> Any:
        """Fill in defaults of a study file: people, agents of tasks and cohorts, readings."""
        parts = [values] + [values.get(name) or {} for name in PARTS if isinstance(values, dict)]
        if not all(isinstance(part, dict) for part in parts):
            # What has no keys is refused where its type is checked.
            return values
        agents: dict[str, Any] = dict(values.get("agents") or {})
        people = agents.get("human", {})
        people = {"label": "Human"} | people if isinstance(people, dict) else people
        agents = {"human": people} | {
            name: agent for name, agent in agents.items() if name != "human"
        }
        machines = [name for name in agents if name != "human"]
        tasks: dict[str, Any] = {}
        for name, task in (values.get("tasks") or {}).items():
            if isinstance(task, dict):
                task = dict[str, Any](agents=machines) | task
                cohorts = {
                    key: {"agents": task["agents"]} | cohort if isinstance(cohort, dict) else cohort
                    for key, cohort in list_items(task.get("cohorts"))
                }
                task |= {"cohorts": cohorts} if cohorts else {}
            tasks[name] = task
        demographics = dict(values.get("demographics") or {})
        readings = values.get("readings", READINGS)
        for variable, groups in demographics.items():
            if isinstance(groups, dict):
                demographics[variable] = {
                    group: answers
                    if isinstance(answers, dict)
                    else dict.fromkeys(readings, answers)
                    for group, answers in groups.items()
                }
        return values | {"agents": agents, "tasks": tasks, "demographics": demographics}

    @property
    def design(self) -> Literal["verdicts", "ratings", "pairs"]:
        """Whether judges gave verdicts, similarity was rated or agents were compared; a study has one of
        these.
        """
        if any(task.design == "pairs" for task in self.tasks.values()):
            return "pairs"
        return "ratings" if any(task.references for task in self.tasks.values()) else "verdicts"

    @property
    def agent_labels(self) -> dict[str, str]:
        """Labels of agents, and of all machines together."""
        return {"all": "All models"} | {name: agent.label for name, agent in self.agents.items()}

    @property
    def agent_models(self) -> list[VerdictModel]:
        """The models of nothing but how well people are told from agents."""
        return [model for model in self.models if self.tells_agents(model)]

    def tells_agents(self, model: VerdictModel) -> bool:
        """Tell whether a model has the detectability of agents, and no other predictor."""
        outcome, fixed, _ = parse_formula(model.formula)
        if self.tasks[model.task].choice:
            return outcome == "correct" and fixed in ("agent", "1")
        return (outcome, fixed) == ("said_machine", "agent")

    @property
    def gender_tables(self) -> dict[str, GenderTable]:
        """The tables of the genders that judges attributed to speakers."""
        return {
            name: table for name, table in self.tables.items() if isinstance(table, GenderTable)
        }
