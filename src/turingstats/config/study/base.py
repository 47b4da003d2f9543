"""The keys that parts of a study share: labels, titles, tasks, and tables."""

from typing import Annotated, Literal

from pydantic import Field

from turingstats.core.yaml_models import Label, Model


class Labeled(Model):
    """What figures and tables show by name."""

    label: Label
    """Name in figures and tables."""


class Noted(Model):
    """A declared test with a remark."""

    note: str = ""
    """Remark shown with the result of the test."""


class TaskPart(Model):
    """A part of a study that is about one task."""

    task: str
    """Task that this is about."""


class Titled(Model):
    """A figure, panel or table."""

    title: str
    """Title above it, or of a figure in the report."""


class AnyTable(Titled):
    """The keys that tables of all kinds share."""

    shows: str
    """What the table lists, as the section of its kind says."""
    title: Label


class LevelTable(AnyTable, TaskPart):
    """A table with rows for the levels of a condition, within agents or speakers."""

    by: str
    """Condition of the task whose levels are rows."""
    label: Label
    """Heading of the column with the levels of `by`."""


class RateTable(LevelTable):
    """The share of each machine's responses that were judged human, P(H|M), in percent: agents and levels of
    one condition in rows, cohorts and levels of another in columns, with intervals (recommended reading) or
    standard errors (published)."""

    shows: Literal["pass_rates"]
    across: str
    """Condition whose levels are columns within cohorts; the task's `conditions` must cross it with
    `by`."""
    order: tuple[str, ...] = ()
    """All levels of `across` in the order of columns."""


class GenderTable(LevelTable):
    """The genders that judges attributed to speakers in conversations (`perceived_gender`): the share judged
    female, with its interval and the number of answers, for each cohort of people and each speaker."""

    shows: Literal["genders"]
    judges: str
    """Variable of `demographics` whose groups of judges have separate columns."""
    note: Label = ""
    """Note to readers of the table, such as `Answers of both readings`."""


class ShownTable(AnyTable):
    """A table whose columns follow from what it shows."""

    shows: Literal[
        "specification",
        "sizes",
        "settings",
        "catch_trials",
        "agent",
        "texts",
        "success_rates",
        "items",
    ]
    """By task: `specification` (stimuli, responses, trials, AI models), `sizes` (stimuli, human agents, human
    judges, trials), `settings` (judges and trials per judge online, in the lab and after feedback),
    `catch_trials`, `agent` (one agent's judges, trials and detectability); by task and agent: `texts`
    (measures of responses); by agent: `success_rates` (share judged human); of ratings of similarity: `items`
    and their categories."""
    agent: str | None = None
    """Only for `shows: agent`: the agent that the table describes."""
    source: Literal["published counts", "judgments"] = "published counts"
    """Only for `shows: success_rates`: the counts that the paper prints, or the judgments of this
    run."""


class AlignmentTable(AnyTable, TaskPart):
    """A table of how well the ratings of all agents of a task agree, in pairs."""

    shows: Literal["alignments"]
    """`alignments`: rank correlations; a dash where the corrected p is not significant."""


Table = Annotated[
    ShownTable | RateTable | GenderTable | AlignmentTable, Field(discriminator="shows")
]
"""The content of a table and its title."""


class Part(Model):
    """The part of a study that is kept; see `turingstats.config.subset`."""

    tasks: Literal["all"] | tuple[str, ...] = "all"
    """Tasks to keep, or all."""
    cohorts: Literal["all"] | tuple[str, ...] = "all"
    """Cohorts to keep in every task, or all."""
    agents: Literal["all"] | tuple[str, ...] = "all"
    """Machines to keep, or all; people are always kept."""
