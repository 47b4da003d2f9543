"""Figures and their panels, with one model per kind; `turingstats.figures.kinds` has a module for each.

A kind whose panels need no keys of their own has the model `PlainPanel`, others have theirs here, in `Panel`.
"""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from turingstats.config.study.base import TaskPart, Titled
from turingstats.core.yaml_models import HEADING, Heading, Model, Reading


class AnyPanel(Titled, TaskPart):
    """The keys that panels of all kinds share."""

    kind: str
    """Kind of the panel."""
    note: dict[Reading, str] = {}
    """Note to readers, by reading, such as `published: an early state of the file`."""

    @property
    def cohort_names(self) -> tuple[str, ...]:
        """The cohorts that the panel shows."""
        one = getattr(self, "cohort", None)
        return (one,) if one else getattr(self, "cohorts", ())

    @property
    def agent_names(self) -> tuple[str, ...]:
        """The agents that the panel shows, or their parts as agent@level."""
        return (*getattr(self, "agents", ()), *getattr(self, "rows", ()))


class JudgedPanel(AnyPanel):
    """A panel of a cohort of judges."""

    cohort: str | None = None
    """Cohort of the task whose judges the panel shows."""


class CohortPanel(JudgedPanel):
    """A panel of one cohort."""

    cohort: str


class CohortsPanel(JudgedPanel):
    """A panel of one cohort or of several; it needs either key."""

    cohorts: tuple[str, ...] = ()
    """Several cohorts instead of `cohort`, in panels of ratings only machine judges."""

    def list_faults(self) -> Iterator[str]:
        """Check that the panel shows either one cohort or several."""
        if bool(self.cohort) == bool(self.cohorts):
            yield "the panel needs either cohort or cohorts"


class LabelsPanel(AnyPanel):
    """A panel with names of its own."""

    labels: dict[str, str] = {}
    """Names that differ from those of the study, by agent, row (agent@level), level, condition or
    series."""


class AgentsPanel(LabelsPanel):
    """A panel of agents."""

    agents: tuple[str, ...] = ("all",)
    """Agents to show, in this order; `all` is all machines together."""


class RowsPanel(AgentsPanel):
    """A panel that can show people in addition to `agents`."""

    rows: tuple[str, ...] = ()
    """Agents to show instead of `agents`, human and all among them (by default `agents` and, except
    in lines, human)."""


class GroupsPanel(AnyPanel):
    """A panel of groups of judges, or of levels of a condition."""

    by: str | None = None
    """Variable of `demographics`, condition or crossed conditions, such as variant+exchanges, whose
    groups or levels are shown; pies, lines and heat maps need it."""


class LevelPanel(GroupsPanel):
    """A panel that can show a single level."""

    level: str | None = None
    """A single level of `by`; in lines and in matrices with `rows`, the level of all crossed conditions but
    the one that is shown."""


class LevelsPanel(GroupsPanel):
    """A panel of several levels."""

    levels: tuple[str, ...] = ()
    """Groups or levels to show, in this order (by default all of them; in heat maps, others follow
    by name)."""


class MatrixPanel(CohortPanel, RowsPanel, LevelPanel):
    """A confusion matrix. `rows` may name agents at a level of `by`, such as human@H-H; with
    `level`, which is that of the whole matrix, `by` is crossed, such as variant+exchanges."""

    kind: Literal["matrix"] = "matrix"
    instead: str | None = None
    """Cohort trained here whose rates are shown if `cohort` has no data."""
    printed: bool = False
    """Whether the rates that the paper prints are shown if `cohort` has no data."""


class PiePanel(CohortPanel, GroupsPanel):
    """The shares of groups of judges or participants, or of topics by domain, which papers show as a
    pie, as a bar."""

    kind: Literal["pie"] = "pie"
    by: str
    share_of: Literal["judges", "participants", "topics"] = "judges"
    """What is counted; `participants` took part, but what they judged is not known."""


class TestedPanel(LevelsPanel, AgentsPanel):
    """A panel of detectability with asterisks for tests that are significant after correction."""

    chance_test: str | None = None
    """Id of the comparison that tests each agent and group against chance."""
    group_test: str | None = None
    """Id of the comparison between the groups or levels of each agent."""


class BarsPanel(CohortsPanel, TestedPanel):
    """Detectability by agent and group or cohort, with tests against chance (blue asterisks) and between
    groups (red)."""

    kind: Literal["bars"] = "bars"


class QuantityPanel(CohortPanel):
    """A panel of one rate of each agent."""

    quantity: Literal["called human", "detectability"] = "called human"
    """Rate to show: the share judged human, or detectability."""


class LinesPanel(QuantityPanel, RowsPanel, LevelPanel):
    """A rate of each agent along the numeric condition `by`, or the last of crossed ones."""

    kind: Literal["lines"] = "lines"
    by: str
    scale: Literal["linear", "logarithmic"] = "linear"
    """Scale of the x axis."""


class HeatmapPanel(QuantityPanel, AgentsPanel, LevelsPanel):
    """A rate of the first of `agents` at each pair of levels of two crossed conditions, such as
    domain+exchanges, or of all `agents` at each level of one."""

    kind: Literal["heatmap"] = "heatmap"
    by: str


class ScatterPanel(CohortPanel, AgentsPanel):
    """Detectability of agents against a score from the literature."""

    kind: Literal["scatter"] = "scatter"
    score: str
    """Measure in `benchmarks.csv` on the x axis."""
    test: str | None = None
    """Id of the declared correlation whose result is written in the panel."""


class ExamplesPanel(RowsPanel):
    """Responses of people and agents to the same stimuli."""

    kind: Literal["examples"] = "examples"
    stimuli: int = Field(2, ge=1)
    """Number of stimuli: the first ones to which every agent responded."""
    show: Literal["text", "color", "scan path"] = "text"
    """How a response is drawn; a color is a patch."""


class ConversationPanel(RowsPanel):
    """The turns of a conversation: the first one whose speakers are exactly the agents of the panel."""

    kind: Literal["conversation"] = "conversation"


class RatingsPanel(CohortsPanel, AgentsPanel):
    """Ratings on a scale of points, or scores of detectors (`rating` and `score` of a raw file)."""

    kind: Literal["ratings", "rating curves"]
    """`ratings`: share of trials at each point, or in each of ten bins, for people's and each agent's
    responses. `rating curves`: ROC curves of people's and machines' responses, with the areas under them;
    each of several machine judges has one curve."""


class IntervalsPanel(CohortPanel, LevelPanel, TestedPanel):
    """Estimates with intervals below each other, a row for each agent and each group or level of `by`. Below
    each detectability is that with unsure verdicts counted as wrong (`identified`), if any verdict is
    unsure."""

    kind: Literal["intervals"] = "intervals"
    quantity: Literal["detectability", "right"] = "detectability"
    """Detectability, or the share classified correctly (`right`), which includes people and all verdicts
    together."""


class PlainPanel(CohortPanel, RowsPanel):
    """A panel without further keys."""

    kind: Literal["stimuli"] = "stimuli"
    """`stimuli`: the distribution of single responses by how often they were judged human, in one row per
    agent; those with fewer than three verdicts are left out."""


class SimilarityPanel(AnyPanel):
    """A panel of ratings of similarity, as wide as the page."""

    kind: Literal[
        "dissimilarity", "raters", "variability", "individuals", "distributions", "alignment"
    ]
    """`dissimilarity`: mean dissimilarity matrix of each agent. `raters`: the matrix of every rater.
    `variability`: agreement within agents and alignment with the reference. `individuals`: alignment of
    every rater with every person. `distributions`: histograms of ratings. `alignment`: alignment with the
    reference."""
    agents: tuple[str, ...] = ()
    """Agents to show, in this order; human may be among them. Without this key, people and the agents of the
    task. They are compared with the first reference of the task."""


class Selection(Model):
    """Rows of a result table."""

    table: str
    """Table in `statistics/`."""


class Tested(Selection):
    """A test whose result is written below the title of a panel of listed rows."""

    table: Literal["tests", "judge_tests", "models", "contrasts"]
    where: dict[str, str]
    """Values of columns that select a single row of the table."""
    label: str = ""
    """What was tested, if the panel's title does not say so."""


class ListedPanel(LabelsPanel, Selection):
    """Rows selected from a result table, each a named number with its interval."""

    kind: Literal["listed"] = "listed"
    where: dict[str, str | tuple[str, ...]] = {}
    """Rows to select, by column: a value, or a list of values in the order of rows."""
    name: str = "label"
    """Column of the table with the names of rows."""
    series: str | None = None
    """Column of series, which are drawn in different colors."""
    order: Literal["value", "table"] = "table"
    """Order of rows: largest value first, or as in the table."""
    top: int | None = None
    """Number of rows with the largest values to show; with `ends`, of each end."""
    ends: bool = False
    """Whether the smallest values are shown, too; needs `top` and the order `value`."""
    count: Literal["n", "k"] = "n"
    """Number next to each name: the trials (`n`), or those that the value counts (`k`)."""
    least: int = 1
    """Minimum number of trials; rows based on fewer are left out."""
    axis: str = "Share"
    """Label of the axis."""
    reference: float | None = None
    """Position of a dashed line on the axis."""
    percent: bool = True
    """Whether the numbers are shares, from 0 to 1."""
    tested: tuple[Tested, ...] = ()
    """Tests whose results are written below the title."""


Panel = Annotated[
    MatrixPanel
    | PiePanel
    | BarsPanel
    | LinesPanel
    | HeatmapPanel
    | ScatterPanel
    | ExamplesPanel
    | ConversationPanel
    | RatingsPanel
    | ListedPanel
    | IntervalsPanel
    | PlainPanel
    | SimilarityPanel,
    Field(discriminator="kind"),
]
"""One panel of a figure."""


class Figure(Titled):
    """A figure with its panels and their layout."""

    title: Heading
    caption: Heading = ""
    """Text below the figure in the report, without results since the data may be generated, such as
    `Can judges tell each machine from people?`."""
    panels: dict[str, Panel] = {}
    """Panels by letter (A to Z, then AA and so on)."""
    layout: Annotated[tuple[str | tuple[str, ...], ...], HEADING] = ()
    """Letters of the panels in each row (by default two); a space is a gap, and in [A, BCD] panels
    B, C and D are stacked."""
    widths: Annotated[tuple[float, ...], HEADING] = ()
    """Minimum width of each column of the layout, in mm; by default the width of a matrix."""

    def list_faults(self) -> Iterator[str]:
        """Refuse a layout that lacks a panel or places one twice.

        A letter without a panel takes no space: its task is not part of the study.
        """
        columns = max(map(len, self.layout), default=0)
        if self.widths and len(self.widths) != columns:
            yield (
                f"widths: {len(self.widths)} widths, but the layout has {columns} columns; give one (mm) for "
                "each column, or leave the key out"
            )
        placed = self.placed
        faults = {
            "without a place": sorted(set(self.panels) - set(placed)) if self.layout else [],
            "placed twice": sorted({at for at in placed if placed.count(at) > 1}),
        }
        problems = [f"{', '.join(letters)} {fault}" for fault, letters in faults.items() if letters]
        if problems:
            yield f"layout: {'; '.join(problems)}; name each panel once, where it is drawn"

    @property
    def placed(self) -> list[str]:
        """Letters in the layout, including repeated ones."""
        return [at for row in self.layout for cell in row for at in cell if at != " "]
