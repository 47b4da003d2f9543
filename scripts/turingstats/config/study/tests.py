"""Declared tests: what is compared, and how each reading does it."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from turingstats.core.yaml_models import Model


class AnyTest(Model):
    """What every procedure may have: a family of tests whose p values are corrected together."""

    family: str | None = None
    family_size: int | None = None
    correction: Literal["bonferroni", "holm"] = "bonferroni"


class PlainTest(AnyTest):
    """A test without options of its own."""

    test: Literal[
        "paired_wilcoxon",
        "friedman_pairs",
        "permutation",
        "permutation_trials",
        "kruskal",
        "anova_two_way",
        "two_proportions",
        "chi_square",
        "pearson",
        "spearman",
        "fleiss_kappa",
    ]


class WilcoxonTest(AnyTest):
    """Values of judges against a fixed value."""

    test: Literal["wilcoxon"]
    exact_ties: bool = True
    """Whether differences that are equal but for rounding are tied."""
    exact_p: bool = False
    """Whether p is from all signs of the differences, for small groups."""


class MannWhitneyTest(AnyTest):
    """Two groups of judges."""

    test: Literal["mann_whitney"]
    exact_ties: bool = True
    """Whether values that are equal but for rounding are tied."""
    u: Literal["smaller", "larger"] = "smaller"
    """Which U of the two is given; without exact ties only."""

    @model_validator(mode="after")
    def check_u(self) -> Self:
        """Refuse to choose a U of exact ties, of which there is one definition here."""
        if self.u != "smaller" and self.exact_ties:
            raise ValueError("u goes with mann_whitney and exact_ties: false")
        return self


class FriedmanTest(AnyTest):
    """Agents as judged by the same judges."""

    test: Literal["friedman"]
    missing: Literal["zero", "complete", "shortest"] = "complete"
    """What becomes of judges without a trial of some agent; see `turingstats.stats.hypothesis.ranks`."""


class MeansTest(AnyTest):
    """Right and wrong verdicts as 1 and 0."""

    test: Literal["welch_t", "welch_t_random", "anova_one_way"]
    balanced: bool = False
    """Whether as many trials of people's responses are drawn as there are of the agent's."""


class BinomialTest(AnyTest):
    """A share of verdicts against a fixed value."""

    test: Literal["binomial"]
    alternative: Literal["two-sided", "greater", "less"] = "two-sided"


class LineTest(AnyTest):
    """Lines through each judge's rates along a scale."""

    test: Literal["slopes", "residuals"]
    weighted: bool = False
    """Whether levels count by their number of verdicts."""
    line: Literal["exact", "linregress"] = "exact"
    """The routine that fits the lines, levels weighted alike. But for `exact`, ties of the slopes or
    residuals fall to its rounding noise."""

    @model_validator(mode="after")
    def check_line(self) -> Self:
        """Refuse weights that the routine does not take."""
        if self.line != "exact" and self.weighted:
            raise ValueError("line goes with slopes and residuals, levels alike")
        return self


class RegressionTest(AnyTest):
    """A binomial regression along a scale."""

    test: Literal["binomial_regression"]
    clustered: bool = False
    """Whether standard errors allow for the verdicts of a judge being alike."""


Procedure = Annotated[
    PlainTest
    | WilcoxonTest
    | MannWhitneyTest
    | FriedmanTest
    | MeansTest
    | BinomialTest
    | LineTest
    | RegressionTest,
    Field(discriminator="test"),
]
"""How one reading computes a comparison: a test and its options."""


class Comparison(Model):
    """A declared test, in both readings. `against` is the value tested against."""

    id: str
    task: str
    cohorts: tuple[str, ...] = ()
    """None for a test of the task's responses."""
    quantity: (
        Literal["p_HH", "p_MM", "p_HM", "detectability", "accuracy", "called human"] | None
    ) = None
    """Of people's responses p_HH, of machines' p_MM and p_HM; `called human` is the share judged human of
    any agent, people among them; detectability and accuracy set a machine against people."""
    score: str | None = None
    """Of a correlation over agents: the measure of benchmarks.csv that the quantity is set against."""
    agents: tuple[str, ...] = ("all",)
    rows: tuple[str, ...] = ()
    """In place of groups and agents: agent@level of the condition `by`, to compare shares called human."""
    by: str | None = None
    level: str | None = None
    """Level of the condition `by` at which the cohorts are compared; of slopes, residuals and regressions
    over crossed conditions, such as variant+exchanges: the level of all but the last, which is the scale."""
    held_out: str | None = None
    """Level of the scale that is left out of each judge's line; residuals set it against the line."""
    groups: tuple[str, ...] | None = None
    against: float | None = None
    published: Procedure | None = None
    recommended: Procedure | None = None
    alternative: Procedure | None = None
    """Another way that the published test may have been made, where its text leaves that open."""
    note: str = ""


class CountContrast(Model):
    """A comparison of how often agents were taken for people, from counts of verdicts alone."""

    id: str
    task: str
    subset: str = "all"
    first: str
    """An agent, or all: one contrast an agent but people and `second`."""
    second: str | None = None
    against: float = Field(0.5, gt=0, lt=1)
    """Without `second`: the rate compared with."""
