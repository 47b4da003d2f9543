"""The panels of figures, a model for each kind; `turingstats.figures.kinds` has a module for each.

A further kind takes its model here, in `Panel`, and its module there.
"""

from typing import Annotated, Literal, get_args

from pydantic import Field, model_validator

from turingstats.core.quantity_names import resolve_quantity
from turingstats.core.yaml_models import Model, Reading


class AnyPanel(Model):
    """What panels of all kinds say of themselves."""

    title: str
    task: str
    note: dict[Reading, str] = {}
    """What a reader of the panel must know, by reading."""

    @property
    def cohort_names(self) -> tuple[str, ...]:
        """The cohorts that it shows."""
        return ()

    @property
    def agent_names(self) -> tuple[str, ...]:
        """The agents that it shows, or their parts as agent@level."""
        return ()

    def check_quantities(self) -> None:
        """Say which of its agents have no such quantity.

        Raises
        ------
        ValueError
        """


class CohortPanel(AnyPanel):
    """A panel of one cohort."""

    cohort: str

    @property
    def cohort_names(self) -> tuple[str, ...]:
        """The cohort that it shows."""
        return (self.cohort,)


class AgentsPanel(AnyPanel):
    """A panel of agents."""

    agents: tuple[str, ...] = ("all",)
    labels: dict[str, str] = {}
    """What to call rows or agents, where not as the study does."""

    @property
    def agent_names(self) -> tuple[str, ...]:
        """The agents that it shows."""
        return self.agents


class RowsPanel(AgentsPanel):
    """A panel that may set people beside `agents`."""

    rows: tuple[str, ...] = ()
    """The agents, human and all among them; by default human and `agents`."""

    @property
    def agent_names(self) -> tuple[str, ...]:
        """The agents that it shows."""
        return (*self.agents, *self.rows)


class MatrixPanel(CohortPanel, RowsPanel):
    """A confusion matrix: who made a response against what it was judged to be."""

    kind: Literal["matrix"] = "matrix"
    rows: tuple[str, ...] = ()
    """Agents (human and all, too) and, as agent@level, their parts by the condition `by`; by default human
    and `agents`."""
    beside: str | None = None
    """The judges trained here whose rates stand below it, or that take its place where the cohort has no
    data."""
    by: str | None = None
    level: str | None = None
    """The level of the condition `by` that it shows."""


class PiePanel(CohortPanel):
    """The shares of groups."""

    kind: Literal["pie"] = "pie"
    by: str
    share_of: Literal["judges", "topics"] = "judges"
    """What is counted; in the published reading it is trials that stand for judges."""


class BarsPanel(AgentsPanel):
    """Detectability by agent and group, with tests against chance and between groups."""

    kind: Literal["bars"] = "bars"
    cohort: str | None = None
    cohorts: tuple[str, ...] = ()
    """Cohorts side by side, in place of `cohort` and groups."""
    by: str | None = None
    levels: tuple[str, ...] = ()
    """The groups to show, in this order."""
    chance_test: str | None = None
    group_test: str | None = None

    @model_validator(mode="after")
    def check_cohorts(self) -> "BarsPanel":
        """Bars are of one cohort's groups or of cohorts."""
        if bool(self.cohort) == bool(self.cohorts):
            raise ValueError(
                "bars need either cohort (its groups side by side) or cohorts (these side by side)"
            )
        return self

    @property
    def cohort_names(self) -> tuple[str, ...]:
        """The cohorts that it shows."""
        return self.cohorts or (str(self.cohort),)


class QuantityPanel(CohortPanel):
    """A panel of one rate of each agent."""

    quantity: Literal["called human", "detectability"] = "called human"
    """The share called human (P(H|H) of people, P(H|M) of machines) or detectability."""

    def check_quantities(self) -> None:
        """Say which of its agents have no such quantity.

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
    """Over crossed conditions, such as variant+exchanges: the level of all but the last, which is the x
    axis."""
    scale: Literal["linear", "logarithmic"] = "linear"
    """Of the x axis."""


class HeatmapPanel(QuantityPanel, AgentsPanel):
    """A rate of one agent at each pair of levels of two crossed conditions."""

    kind: Literal["heatmap"] = "heatmap"
    by: str
    """Such as domain+exchanges."""
    levels: tuple[str, ...] = ()
    """The rows that come first."""


class ScatterPanel(CohortPanel, AgentsPanel):
    """Detectability of agents against a score from the literature."""

    kind: Literal["scatter"] = "scatter"
    score: str
    """The measure of benchmarks.csv on the x axis."""
    test: str | None = None
    """The declared correlation that is written into it."""


class ExamplesPanel(RowsPanel):
    """Responses of people and agents, of no cohort."""

    kind: Literal["examples"] = "examples"
    stimuli: int = Field(2, ge=1)
    """How many stimuli, the first that every agent responded to."""
    show: Literal["text", "color", "scan path"] = "text"
    """How a response is drawn."""


class ConversationPanel(RowsPanel):
    """The first conversation that has just these agents as speakers."""

    kind: Literal["conversation"] = "conversation"


class CurvePanel(CohortPanel):
    """A curve that tells how good a judge trained here is."""

    kind: Literal["roc", "calibration", "learning curve"]


class IntervalsPanel(CohortPanel, AgentsPanel):
    """Estimates with intervals below each other."""

    kind: Literal["intervals"] = "intervals"
    quantity: Literal["detectability", "right"] = "detectability"
    """Detectability, or the share judged right (P(H|H), P(M|M)), which takes people in."""
    by: str | None = None
    level: str | None = None
    """Of the share judged right: the level of the condition `by` that it shows."""
    levels: tuple[str, ...] = ()
    """The levels of `by` to show, in this order."""
    chance_test: str | None = None
    group_test: str | None = None


class JudgesPanel(CohortPanel):
    """The share of right verdicts of each judge."""

    kind: Literal["judges"] = "judges"


class Tested(Model):
    """A test whose result is written into a panel of listed rows."""

    table: Literal["tests", "judge_tests", "models", "contrasts"]
    """The table in statistics/ that holds it ..."""
    where: dict[str, str]
    """... in the one row with these values."""
    label: str = ""
    """What was tested, where the panel's title does not say."""


class ListedPanel(AnyPanel):
    """Rows of any table of results, each a number with a name."""

    kind: Literal["listed"] = "listed"
    table: str
    """The table in statistics/ that they are picked from ..."""
    where: dict[str, str | tuple[str, ...]] = {}
    """... by the values of its columns (a list: in this order) ..."""
    name: str = "label"
    """... the column with their names ..."""
    series: str | None = None
    """... and the one that tells apart series drawn side by side."""
    labels: dict[str, str] = {}
    """What to call rows and series, where not as the table does."""
    order: Literal["value", "table"] = "table"
    """Largest first, or as in the table."""
    top: int | None = None
    """How many, by value; with `ends`, this many from each end."""
    ends: bool = False
    count: Literal["n", "k"] = "n"
    """The number beside each name, trials or how many of them it is."""
    least: int = 1
    """Leave out those that rest on fewer trials."""
    axis: str = "Share"
    """What the numbers are."""
    reference: float | None = None
    """Where a dashed line stands, such as chance."""
    percent: bool = True
    """Whether the numbers are shares."""
    tested: tuple[Tested, ...] = ()
    """Tests that are written below the title."""


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
"""One panel of a figure: what it shows of which cohort."""

PANEL_KINDS = tuple(
    kind
    for model in get_args(get_args(Panel)[0])
    for kind in get_args(model.model_fields["kind"].annotation)
)
"""What a study file may name as `kind`."""
