"""Declared tests: what is compared, and how each reading does it."""

from typing import Literal

from pydantic import Field

from turingstats.core.yaml_models import Model


class Procedure(Model):
    """How one reading computes a comparison."""

    test: Literal[
        "wilcoxon",
        "paired_wilcoxon",
        "friedman",
        "friedman_pairs",
        "mann_whitney",
        "permutation",
        "permutation_trials",
        "kruskal",
        "welch_t",
        "welch_t_random",
        "anova_one_way",
        "anova_two_way",
        "two_proportions",
        "chi_square",
        "binomial",
        "pearson",
        "spearman",
        "slopes",
        "residuals",
        "binomial_regression",
        "fleiss_kappa",
    ]
    alternative: Literal["two-sided", "greater", "less"] = "two-sided"
    """Of a binomial test."""
    missing: Literal["zero", "complete", "shortest"] = "complete"
    """Of Friedman's test: what becomes of judges without a trial of some agent (`tests.friedman`)."""
    exact_ties: bool = True
    u: Literal["smaller", "larger"] = "smaller"
    """Of a Mann-Whitney test without exact ties: which U of the two is given."""
    line: Literal["exact", "linregress"] = "exact"
    """Of slopes and residuals, levels alike: the routine that fits the lines. But for `exact`, ties of the
    slopes or residuals fall to its rounding noise."""
    exact_p: bool = False
    """Of a Wilcoxon test against a value: p from all signs of the differences, for small groups."""
    balanced: bool = False
    weighted: bool = False
    """Of slopes and residuals: levels count by their number of verdicts."""
    clustered: bool = False
    """Of a binomial regression: standard errors allow for the verdicts of a judge being alike."""
    family: str | None = None
    family_size: int | None = None
    correction: Literal["bonferroni", "holm"] = "bonferroni"


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
