"""The keys that studies of all designs share: title, readings, tables."""

from typing import Annotated, Literal

from pydantic import Field

from turingstats.core.yaml_models import Heading, Label, Model, Reading


class RateTable(Model):
    """A table of pass rates; see `turingstats.tables.rates`."""

    shows: Literal["pass_rates"]
    title: Label
    task: str
    by: str
    """Condition whose levels are rows within agents."""
    label: Label
    """What to call these levels."""
    across: str
    """Condition whose levels are columns within cohorts; `by`+`across` is a condition of the task."""
    order: tuple[str, ...] = ()
    """Order of the levels that are columns."""


class GenderTable(Model):
    """A table of the genders that judges attributed to speakers; see `turingstats.analysis.genders`."""

    shows: Literal["genders"]
    title: Label
    task: str
    by: str
    """Condition whose levels have separate rows within speakers."""
    label: Label
    """What to call these levels."""
    judges: str
    """Demographic variable whose groups of judges have separate columns."""
    note: Label = ""
    """Note to readers of the table."""


class ShownTable(Model):
    """A table that can be made for any study, under any name; see `turingstats.tables.writer`."""

    shows: Literal[
        "specification", "sizes", "settings", "catch_trials", "agent", "texts", "success_rates"
    ]
    title: Label
    """success_rates: only for studies whose paper prints counts."""
    agent: str | None = None
    """The agent that a table of kind agent describes."""
    source: Literal["published counts", "judgments"] = "published counts"
    """Only for success_rates: use the counts that the paper prints or the judgments of this run. A table
    never has both, since judgments may be generated."""


Table = Annotated[ShownTable | RateTable | GenderTable, Field(discriminator="shows")]
"""The content of a table and its title."""


class Part(Model):
    """The part of a study that is kept; see `turingstats.config.subset`."""

    tasks: Literal["all"] | tuple[str, ...] = "all"
    cohorts: Literal["all"] | tuple[str, ...] = "all"
    agents: Literal["all"] | tuple[str, ...] = "all"
    judge_kinds: Literal["all"] | tuple[str, ...] = "all"


class AnyStudy(Model):
    """The keys that studies of all designs share."""

    study: str
    """By default the name of the file."""
    title: Heading
    reference: Heading = ""
    readings: tuple[Reading, ...] = Field(("published", "recommended"), min_length=1)
    """A study that is not published yet has only the recommended one."""
    claims: tuple[str, ...] = ()
    """Papers whose claims are checked on this study's data (folders of data/published/)."""
    versions: str | None = None
    """Another paper on the same data, whose printed numbers are shown next to this study's in a table."""
    called: str = "trials"
    """Name of trials on pages, such as games."""
    not_drawn: dict[str, str] = {}
    """Figures and tables of the paper that are based on data but not made here, with reasons."""
