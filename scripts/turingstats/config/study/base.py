"""What a study of any design says of itself: title, readings, tables."""

from typing import Annotated, Literal

from pydantic import Field

from turingstats.core.yaml_models import Heading, Label, Model, Reading


class RateTable(Model):
    """A table of pass rates; see `turingstats.tables.rates`."""

    shows: Literal["pass_rates"]
    title: Label
    task: str
    by: str
    """Condition whose levels are rows, within agents."""
    label: Label
    """What to call these levels."""
    across: str
    """Condition whose levels are columns, within cohorts; `by`+`across` is a condition of the task."""
    order: tuple[str, ...] = ()
    """Of the levels that are columns."""


class GenderTable(Model):
    """A table of the genders that judges took speakers for; see `turingstats.analysis.genders`."""

    shows: Literal["genders"]
    title: Label
    task: str
    by: str
    """Condition whose levels have rows of their own, within speakers."""
    label: Label
    """What to call these levels."""
    judges: str
    """Demographic variable whose groups of judges have columns of their own."""
    note: Label = ""
    """What a reader of the table must know."""


class ShownTable(Model):
    """A table of a kind that can be made of any study, under any name; see `turingstats.tables.writer`."""

    shows: Literal[
        "specification", "sizes", "settings", "catch_trials", "agent", "texts", "success_rates"
    ]
    title: Label
    """success_rates: of a study whose paper prints counts."""
    agent: str | None = None
    """Which one a table of an agent is about."""
    source: Literal["published counts", "judgments"] = "published counts"
    """Of success_rates: whether from the counts that the paper prints or from the judgments of this run. A
    table never has both, since judgments may be generated."""


Table = Annotated[ShownTable | RateTable | GenderTable, Field(discriminator="shows")]
"""What a table shows, and its title."""


class Part(Model):
    """The part of a study that is kept; see `subset`."""

    tasks: Literal["all"] | tuple[str, ...] = "all"
    cohorts: Literal["all"] | tuple[str, ...] = "all"
    agents: Literal["all"] | tuple[str, ...] = "all"
    judge_kinds: Literal["all"] | tuple[str, ...] = "all"


class AnyStudy(Model):
    """What a study of any design says of itself."""

    study: str
    """By default the name of its file."""
    title: Heading
    reference: Heading = ""
    readings: tuple[Reading, ...] = Field(("published", "recommended"), min_length=1)
    """A study that nobody has published yet has the recommended one alone."""
    claims: tuple[str, ...] = ()
    """Papers whose claims are checked on this study's data (folders of data/published/)."""
    versions: str | None = None
    """Another paper on the same data, whose printed numbers stand beside this study's in a table."""
    called: str = "trials"
    """What a trial is called on pages, such as games."""
    not_drawn: dict[str, str] = {}
    """Figures and tables of the paper that rest on data and are not made here, and why."""
