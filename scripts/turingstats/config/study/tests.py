"""Declared tests: what is compared, and with which procedure in each reading."""

from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from turingstats.core.yaml_models import Model


class AnyTest(Model):
    """Keys of all procedures: a family of tests whose p values are corrected together."""

    family: str | None = None
    family_size: int | None = None
    correction: Literal["bonferroni", "holm"] = "bonferroni"


class PlainTest(AnyTest):
    """A test without further options."""

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
    """A test of judges' values against a fixed value."""

    test: Literal["wilcoxon"]
    exact_ties: bool = True
    """Whether differences that differ only by rounding are tied."""
    exact_p: bool = False
    """Whether p is computed from all signs of the differences, for small groups."""


class MannWhitneyTest(AnyTest):
    """A test of two groups of judges."""

    test: Literal["mann_whitney"]
    exact_ties: bool = True
    """Whether values that differ only by rounding are tied."""
    u: Literal["smaller", "larger"] = "smaller"
    """Which of the two U values is reported; only without exact ties."""

    @model_validator(mode="after")
    def check_u(self) -> Self:
        """Refuse to choose U with exact ties, for which it is always that of the first group."""
        if self.u != "smaller" and self.exact_ties:
            raise ValueError("u goes with mann_whitney and exact_ties: false")
        return self


class FriedmanTest(AnyTest):
    """A test of several agents judged by the same judges."""

    test: Literal["friedman"]
    missing: Literal["zero", "complete", "shortest"] = "complete"
    """Treatment of judges without a trial of some agent; see `turingstats.stats.hypothesis.ranks`."""


class MeansTest(AnyTest):
    """A test of means, with right and wrong verdicts as 1 and 0."""

    test: Literal["welch_t", "welch_t_random", "anova_one_way"]
    balanced: bool = False
    """Whether trials of people's responses are drawn to match the number of the agent's trials."""


class BinomialTest(AnyTest):
    """A test of a share of verdicts against a fixed value."""

    test: Literal["binomial"]
    alternative: Literal["two-sided", "greater", "less"] = "two-sided"


class LineTest(AnyTest):
    """A test of lines fitted to each judge's rates along a scale."""

    test: Literal["slopes", "residuals"]
    weighted: bool = False
    """Whether levels are weighted by their number of verdicts."""
    line: Literal["exact", "linregress"] = "exact"
    """The routine that fits the lines, with equally weighted levels. Except for `exact`, ties of slopes or
    residuals are broken by its rounding noise."""

    @model_validator(mode="after")
    def check_line(self) -> Self:
        """Refuse weights that the routine does not support."""
        if self.line != "exact" and self.weighted:
            raise ValueError("line requires equally weighted levels")
        return self


class RegressionTest(AnyTest):
    """A binomial regression along a scale."""

    test: Literal["binomial_regression"]
    clustered: bool = False
    """Whether standard errors are clustered by judge."""


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
"""The test of a comparison in one reading, and its options."""


class Comparison(Model):
    """A declared test, in both readings. `against` is the value tested against."""

    id: str
    task: str
    cohorts: tuple[str, ...] = ()
    """Empty for a test of the task's responses."""
    quantity: (
        Literal["p_HH", "p_MM", "p_HM", "detectability", "accuracy", "called human"] | None
    ) = None
    """p_HH describes people's responses, p_MM and p_HM machines'; `called human` is the share judged human
    of any agent, including people; detectability and accuracy compare a machine with people."""
    score: str | None = None
    """Only for correlations over agents: the measure in benchmarks.csv to correlate the quantity with."""
    agents: tuple[str, ...] = ("all",)
    rows: tuple[str, ...] = ()
    """Instead of groups and agents: agent@level of the condition `by`, to compare shares judged human."""
    by: str | None = None
    level: str | None = None
    """Level of the condition `by` at which cohorts are compared; for slopes, residuals and regressions over
    crossed conditions, such as variant+exchanges: the level of all but the last, which is the scale."""
    held_out: str | None = None
    """Level of the scale that is left out of each judge's line; residuals compare it with the line."""
    groups: tuple[str, ...] | None = None
    against: float | None = None
    published: Procedure | None = None
    recommended: Procedure | None = None
    alternative: Procedure | None = None
    """Another possible form of the published test, if the paper leaves the choice open."""
    note: str = ""


class CountContrast(Model):
    """A comparison of how often agents were judged human, from counts of verdicts alone."""

    id: str
    task: str
    subset: str = "all"
    first: str
    """An agent, or all: one contrast per agent except people and `second`."""
    second: str | None = None
    against: float = Field(0.5, gt=0, lt=1)
    """The rate to compare with, if there is no `second`."""
