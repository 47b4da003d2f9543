"""The keys that studies of all designs share: title, readings, tables."""

from typing import Annotated, Literal

from pydantic import Field

from turingstats.core.yaml_models import Heading, Label, Model, Reading


class RateTable(Model):
    """A table of pass rates in percent: agents and levels of one condition in rows, cohorts and levels of
    another in columns. Cells have intervals (recommended reading) or standard errors (published)."""

    shows: Literal["pass_rates"]
    """`pass_rates`: the share of each machine's responses that were judged human, P(H|M)."""
    title: Label
    """Title above the table."""
    task: str
    """Task whose cohorts and agents the table shows; `by` and `across` are conditions of this task."""
    by: str
    """Condition whose levels are rows within agents, such as exchanges."""
    label: Label
    """Heading of the column with the levels of `by`, such as Turns."""
    across: str
    """Condition whose levels are columns within cohorts, such as variant. The task's `conditions` must also
    have it crossed with `by`, such as exchanges+variant."""
    order: tuple[str, ...] = ()
    """Order of the levels of `across`; all must be named. Without it, they are in the order of the
    estimates."""


class GenderTable(Model):
    """A table of the genders that judges attributed to speakers in conversations: the share judged female,
    with its interval and the number of answers, for each cohort of people and each speaker."""

    shows: Literal["genders"]
    """`genders`: needs judgments with `perceived_gender`."""
    title: Label
    """Title above the table."""
    task: str
    """Task whose judges were asked for the gender of speakers."""
    by: str
    """Condition of the task whose levels have separate rows within speakers, such as variant."""
    label: Label
    """Heading of the column with the levels of `by`, such as Conversation."""
    judges: str
    """Variable of `demographics` whose groups of judges have separate columns, such as gender."""
    note: Label = ""
    """Note to readers of the table."""


class ShownTable(Model):
    """A table that can be made for any study; its columns follow from what it shows."""

    shows: Literal[
        "specification", "sizes", "settings", "catch_trials", "agent", "texts", "success_rates"
    ]
    """What the table lists. By task: `specification` (stimuli, responses, trials, AI models), `sizes`
    (stimuli, human agents, human judges, trials), `settings` (judges and trials per judge online, in the lab
    and after feedback), `catch_trials`, and `agent` (one agent's judges, trials and detectability); by task
    and agent: `texts` (measures of responses); by agent: `success_rates` (share judged human)."""
    title: Label
    """Title above the table."""
    agent: str | None = None
    """Only for `shows: agent`: the agent that the table describes."""
    source: Literal["published counts", "judgments"] = "published counts"
    """Only for `shows: success_rates`: use the counts that the paper prints (then
    `data/published/<study>/counts.csv` is needed) or the judgments of this run. A table never has both, since
    judgments may be generated."""


Table = Annotated[ShownTable | RateTable | GenderTable, Field(discriminator="shows")]
"""The content of a table and its title."""


class Part(Model):
    """The part of a study that is kept; see `turingstats.config.subset`."""

    tasks: Literal["all"] | tuple[str, ...] = "all"
    """Tasks to keep, or all."""
    cohorts: Literal["all"] | tuple[str, ...] = "all"
    """Cohorts to keep in every task, or all."""
    agents: Literal["all"] | tuple[str, ...] = "all"
    """Machines to keep, or all; people are always kept."""
    judge_kinds: Literal["all"] | tuple[str, ...] = "all"
    """Kinds of judges to keep, or all."""


class AnyStudy(Model):
    """The keys that studies of all designs share."""

    study: str
    """Name of the study, which must be that of its file without .yaml: letters, digits and underscores. May
    be left out."""
    title: Heading
    """Title on pages and in the report, such as that of the paper."""
    reference: Heading = ""
    """Short citation of the paper, such as Zhang et al. 2025, shown with the title."""
    readings: tuple[Reading, ...] = Field(("published", "recommended"), min_length=1)
    """Analyses to run: as the paper computed it (published), and with sound methods (recommended). A study
    that is not published yet has only the recommended one."""
    claims: tuple[str, ...] = ()
    """Papers whose claims are checked on this study's data, as names of folders in `data/published/`."""
    versions: str | None = None
    """Another paper on the same data, whose printed numbers are shown next to this study's in a table."""
    called: str = "trials"
    """What a trial of this study is called on pages, such as games, choices or ratings."""
    not_drawn: dict[str, str] = {}
    """Figures and tables of the paper that are based on data but not made here, each with the reason; the
    inventory of the paper's figures shows it."""
