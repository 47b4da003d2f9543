"""The panels of figures, with one model per kind; `turingstats.figures.kinds` has a module for each.

To add a kind, add its model here, to `Panel`, and its module there.
"""

from typing import Annotated, Literal, get_args

from pydantic import Field, model_validator

from turingstats.core.quantity_names import resolve_quantity
from turingstats.core.yaml_models import Model, Reading


class AnyPanel(Model):
    """The keys that panels of all kinds share."""

    title: str
    task: str
    note: dict[Reading, str] = {}
    """Note to readers of the panel, by reading."""

    @property
    def cohort_names(self) -> tuple[str, ...]:
        """The cohorts that the panel shows."""
        return ()

    @property
    def agent_names(self) -> tuple[str, ...]:
        """The agents that the panel shows, or their parts as agent@level."""
        return ()

    def check_quantities(self) -> None:
        """Refuse agents without the panel's quantity.

        Raises
        ------
        ValueError
        """


class CohortPanel(AnyPanel):
    """A panel of one cohort."""

    cohort: str

    @property
    def cohort_names(self) -> tuple[str, ...]:
        """The cohort that the panel shows."""
        return (self.cohort,)


class AgentsPanel(AnyPanel):
    """A panel of agents."""

    agents: tuple[str, ...] = ("all",)
    labels: dict[str, str] = {}
    """Labels of rows or agents that differ from those of the study."""

    @property
    def agent_names(self) -> tuple[str, ...]:
        """The agents that the panel shows."""
        return self.agents


class RowsPanel(AgentsPanel):
    """A panel that can show people in addition to `agents`."""

    rows: tuple[str, ...] = ()
    """The agents, which may include human and all; by default human and `agents`."""

    @property
    def agent_names(self) -> tuple[str, ...]:
        """The agents that the panel shows."""
        return (*self.agents, *self.rows)


class MatrixPanel(CohortPanel, RowsPanel):
    """A confusion matrix: who made a response against what it was judged to be."""

    kind: Literal["matrix"] = "matrix"
    rows: tuple[str, ...] = ()
    """Agents (including human and all) and, as agent@level, their parts by the condition `by`; by default
    human and `agents`."""
    beside: str | None = None
    """The judges trained here whose rates are shown below the matrix, or replace it if the cohort has no
    data."""
    by: str | None = None
    level: str | None = None
    """The level of the condition `by` that the panel shows."""


class PiePanel(CohortPanel):
    """The shares of groups."""

    kind: Literal["pie"] = "pie"
    by: str
    share_of: Literal["judges", "topics"] = "judges"
    """What is counted; in the published reading, trials are counted for judges."""


class BarsPanel(AgentsPanel):
    """Detectability by agent and group, with tests against chance and between groups."""

    kind: Literal["bars"] = "bars"
    cohort: str | None = None
    cohorts: tuple[str, ...] = ()
    """Cohorts side by side, instead of `cohort` and its groups."""
    by: str | None = None
    levels: tuple[str, ...] = ()
    """The groups to show, in this order."""
    chance_test: str | None = None
    group_test: str | None = None

    @model_validator(mode="after")
    def check_cohorts(self) -> "BarsPanel":
        """Check that bars show either the groups of one cohort or several cohorts."""
        if bool(self.cohort) == bool(self.cohorts):
            raise ValueError(
                "bars need either cohort (its groups side by side) or cohorts (these side by side)"
            )
        return self

    @property
    def cohort_names(self) -> tuple[str, ...]:
        """The cohorts that the panel shows."""
        return self.cohorts or (str(self.cohort),)


class QuantityPanel(CohortPanel):
    """A panel of one rate of each agent."""

    quantity: Literal["called human", "detectability"] = "called human"
    """The share judged human (P(H|H) of people, P(H|M) of machines) or detectability."""

    def check_quantities(self) -> None:
        """Refuse agents without the panel's quantity.

        Raises
        ------
        ValueError
        """
        for row in getattr(self, "rows", ()) or getattr(self, "agents", ()):
            resolve_quantity(self.quantity, row.split("@")[0])


class LinesPanel(QuantityPanel, RowsPanel):
    """A rate of each agent along a numeric condition."""

    kind: Literal["lines"] = "lines"
    by: str
    level: str | None = None
    """Only for crossed conditions, such as variant+exchanges: the level of all but the last, which is the x
    axis."""
    scale: Literal["linear", "logarithmic"] = "linear"
    """Scale of the x axis."""


class HeatmapPanel(QuantityPanel, AgentsPanel):
    """A rate of one agent at each pair of levels of two crossed conditions."""

    kind: Literal["heatmap"] = "heatmap"
    by: str
    """Two crossed conditions, such as domain+exchanges."""
    levels: tuple[str, ...] = ()
    """The rows that come first."""


class ScatterPanel(CohortPanel, AgentsPanel):
    """Detectability of agents against a score from the literature."""

    kind: Literal["scatter"] = "scatter"
    score: str
    """The measure of benchmarks.csv on the x axis."""
    test: str | None = None
    """The declared correlation whose result is written in the panel."""


class ExamplesPanel(RowsPanel):
    """Responses of people and agents, independent of cohorts."""

    kind: Literal["examples"] = "examples"
    stimuli: int = Field(2, ge=1)
    """Number of stimuli: the first ones to which every agent responded."""
    show: Literal["text", "color", "scan path"] = "text"
    """How a response is drawn."""


class ConversationPanel(RowsPanel):
    """The first conversation whose speakers are exactly these agents."""

    kind: Literal["conversation"] = "conversation"


class CurvePanel(CohortPanel):
    """A curve that describes the performance of a judge trained here."""

    kind: Literal["roc", "calibration", "learning curve"]


class IntervalsPanel(CohortPanel, AgentsPanel):
    """Estimates with intervals below each other."""

    kind: Literal["intervals"] = "intervals"
    quantity: Literal["detectability", "right"] = "detectability"
    """Detectability, or the share classified correctly (P(H|H), P(M|M)), which includes people."""
    by: str | None = None
    level: str | None = None
    """Only for the share classified correctly: the level of the condition `by` that the panel shows."""
    levels: tuple[str, ...] = ()
    """The levels of `by` to show, in this order."""
    chance_test: str | None = None
    group_test: str | None = None


class JudgesPanel(CohortPanel):
    """The share of right verdicts of each judge."""

    kind: Literal["judges"] = "judges"


class Tested(Model):
    """A test whose result is written in a panel of listed rows."""

    table: Literal["tests", "judge_tests", "models", "contrasts"]
    """The table in statistics/ that holds it ..."""
    where: dict[str, str]
    """... in the one row with these values."""
    label: str = ""
    """What was tested, if the panel's title does not say so."""


class ListedPanel(AnyPanel):
    """Rows of any result table, each a number with a name."""

    kind: Literal["listed"] = "listed"
    table: str
    """The table in statistics/ that rows are selected from ..."""
    where: dict[str, str | tuple[str, ...]] = {}
    """... by the values of its columns (a list: in this order) ..."""
    name: str = "label"
    """... the column with the names of the rows ..."""
    series: str | None = None
    """... and the column that distinguishes series drawn side by side."""
    labels: dict[str, str] = {}
    """Labels of rows and series that differ from those in the table."""
    order: Literal["value", "table"] = "table"
    """Largest first, or as in the table."""
    top: int | None = None
    """Number of rows with the largest values; with `ends`, this many from each end."""
    ends: bool = False
    count: Literal["n", "k"] = "n"
    """The number next to each name: trials, or the number of trials counted in the value."""
    least: int = 1
    """Leave out rows based on fewer trials."""
    axis: str = "Share"
    """Label of the axis."""
    reference: float | None = None
    """Position of a dashed line, such as chance."""
    percent: bool = True
    """Whether the numbers are shares."""
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
    | CurvePanel
    | ListedPanel
    | IntervalsPanel
    | JudgesPanel,
    Field(discriminator="kind"),
]
"""One panel of a figure."""

PANEL_KINDS = tuple(
    kind
    for model in get_args(get_args(Panel)[0])
    for kind in get_args(model.model_fields["kind"].annotation)
)
"""Values of `kind` that a study file may contain."""
