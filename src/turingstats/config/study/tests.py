"""Declared tests and regressions: what is compared, and with which procedure in each reading."""

from collections.abc import Iterator
from typing import Annotated, Literal

from pydantic import Field

from turingstats.config.study.base import Noted, TaskPart
from turingstats.core.yaml_models import Model

Correction = Literal["bonferroni", "holm", "fdr_bh", "none"]


class AnyTest(Model):
    """Keys of all tests: the family of tests whose p values are corrected together."""

    test: str
    """Name of the test."""
    family: str | None = None
    """Name of the family: all tests of a reading with the same family are corrected together
    (without it, p is not corrected)."""
    family_size: int | None = None
    """Number of tests in the family, if it is larger than the number computed here."""
    correction: Correction = "bonferroni"
    """How p values of the family are corrected: multiplied by its size, by Holm's stepwise method, for
    Benjamini and Hochberg's rate of false discoveries (`fdr_bh`), or not at all (`none`)."""


class TiesTest(AnyTest):
    """A rank test of one value per judge."""

    exact_ties: bool = True
    """Whether values that differ only by rounding are tied."""


class WilcoxonTest(TiesTest):
    """Wilcoxon's signed-rank test of one value per judge against the value `against`."""

    test: Literal["wilcoxon"]
    exact_p: bool = False
    """Whether p is computed from all signs of the differences, for small groups."""


class MannWhitneyTest(TiesTest):
    """Rank test of one value per judge between exactly two groups."""

    test: Literal["mann_whitney"]
    u: Literal["smaller", "larger"] = "smaller"
    """Only with `exact_ties: false`: which of the two U values is reported."""


class FriedmanTest(AnyTest):
    """Friedman's rank test of one value per judge and agent."""

    test: Literal["friedman"]
    missing: Literal["complete", "shortest"] = "complete"
    """Whether judges without a trial of some agent are left out, or only left out of that agent's
    list, with all lists cut to the shortest."""


class MeansTest(AnyTest):
    """Means of single verdicts, with right ones as 1 and wrong ones as 0."""

    test: Literal["welch_t", "welch_t_random", "anova_one_way"]
    """`welch_t`: two groups. `anova_one_way`: two or more groups. `welch_t_random`: each group against
    equally many random values 0 and 1."""
    balanced: bool = False
    """Whether equally many trials of people and of the agent are drawn from each group."""


class BinomialTest(AnyTest):
    """Exact binomial test of the share of single verdicts against `against`, with every trial independent."""

    test: Literal["binomial"]
    alternative: Literal["two-sided", "greater", "less"] = "two-sided"
    """Whether the share is tested for any difference, or for a larger or smaller share."""


class LineTest(AnyTest):
    """Lines fitted to each judge's rates along a numeric condition, such as the number of exchanges."""

    test: Literal["slopes", "residuals"]
    """`slopes`: whether the lines rise or fall. `residuals`: whether the rates at the level `held_out` depart
    from the lines through the other levels. Both are Wilcoxon signed-rank tests over judges."""
    weighted: bool = False
    """Whether levels are weighted by their number of verdicts when a line is fitted."""
    line: Literal["exact", "linregress"] = "exact"
    """The routine that fits lines with equally weighted levels; `linregress` breaks ties by its
    rounding noise."""
    decimals: int | None = Field(None, ge=0)
    """Only for `residuals`: decimals to which they are rounded before they are ranked."""
    continuity: bool = False
    """Only for `residuals`: whether z is corrected for continuity."""


class RegressionTest(AnyTest):
    """Binomial regression: whether the log odds of a correct verdict rise or fall along a numeric
    condition."""

    test: Literal["binomial_regression"]
    clustered: bool = False
    """Whether standard errors are clustered by judge; otherwise verdicts are treated as independent."""


class PlainTest(AnyTest):
    """A test without further options."""

    test: Literal[
        "crossed_t",
        "permutation",
        "permutation_trials",
        "kruskal",
        "paired_wilcoxon",
        "friedman_pairs",
        "pearson",
        "spearman",
        "fleiss_kappa",
        "two_proportions",
        "anova_two_way",
        "chi_square",
    ]
    """`paired_wilcoxon`: two values of each judge, such as at two levels of a condition. `friedman_pairs`:
    all pairs of agents judged by the same judges. `permutation`, `permutation_trials`: groups of judges, with
    labels shuffled over judges or over single trials. `crossed_t`: a quantity against the value `against`,
    between groups of judges or between agents, with errors over judges and stimuli. `kruskal`: several groups
    of judges. `anova_two_way`: single verdicts on machines, by group of judges and agent. `two_proportions`:
    whether an agent's responses are judged machine as often as people's. `chi_square`: shares of verdicts,
    between agents for a single group of judges, otherwise between groups. `pearson`, `spearman`: correlation
    over agents with a `score`. `fleiss_kappa`: agreement of people who responded to the same stimuli."""


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


class Analysis(TaskPart):
    """The keys that declared tests, regressions and contrasts share."""

    id: str
    """Unique name, with which ids of results begin."""


class Comparison(Analysis, Noted):
    """A declared test, in `statistics/tests.csv`."""

    cohorts: tuple[str, ...] = ()
    """Cohorts to compare; a single one is compared with a value, between agents or between its
    groups (`by`), and `fleiss_kappa` has none."""
    quantity: (
        Literal["p_HH", "p_MM", "p_HM", "detectability", "accuracy", "called human"] | None
    ) = None
    """What is compared; `called human` is the share judged human of any agent, including people."""
    score: str | None = None
    """Only for correlations over agents: a measure in `data/published/<study>/benchmarks.csv`."""
    agents: tuple[str, ...] = ("all",)
    """Agents to test: `all` (all machines together), names of machines and, for `called human`,
    `human`; most tests treat each agent separately, but `friedman`, `friedman_pairs`,
    `anova_two_way`, correlations, and `chi_square` in a single group of judges compare them."""
    rows: tuple[str, ...] = ()
    """Only for `called human`: agents at levels of the condition `by`, which are compared instead
    of groups and agents."""
    by: str | None = None
    """Variable of `demographics` or condition whose groups or levels are compared within a cohort;
    for `slopes`, `residuals` and `binomial_regression`, the numeric condition."""
    level: str | None = None
    """Level of `by` at which cohorts are compared; for lines and regressions over crossed
    conditions, such as variant+exchanges, the level of all but the last."""
    held_out: str | None = None
    """Level that is left out of each judge's line, and compared with it by `residuals`."""
    groups: tuple[str, ...] | None = None
    """Groups or levels of `by` to compare, in this order; by default all of them."""
    against: float | None = None
    """Value that the quantity is compared with; `wilcoxon`, `binomial` and `two_proportions` need
    it."""
    published: Procedure | None = None
    """The test as the paper computed it."""
    recommended: Procedure | None = None
    """The sound test of the same question."""
    alternative: Procedure | None = None
    """Another possible form of the published test, whose result has the reading `alternative`."""


class CountContrast(Analysis):
    """A comparison of how often two agents, or an agent and a fixed rate, were judged human, from
    counts of verdicts."""

    subset: str = "all"
    """One of the study's `subsets` of trials."""
    first: str
    """An agent, or `all` for one contrast per agent except people and `second`, with Holm's correction."""
    second: str | None = None
    """Agent to compare `first` with, instead of `against`."""
    against: float = Field(0.5, gt=0, lt=1)
    """Only without `second`: the rate to compare with."""


MADE_COLUMNS = ["said_machine", "said_human", "correct", "made_by", "log_exchanges"]
"""Columns of formulas that are made of the judgments (`turingstats.analysis.models.trials`)."""

TRIAL_COLUMNS = [
    "task", "cohort", "judge_kind", "judge", "trial", "position", "phase", "stimulus", "variant",
    "topic", "domain", "exchanges", "side", "agent", "truth", "verdict", "perceived_gender",
    "rating", "confidence", "rt_ms", "control_ok", "trained_on", *MADE_COLUMNS,
]  # fmt: skip
"""Columns that formulas may name in any study."""


class VerdictModel(Analysis):
    """A regression of single verdicts, in `statistics/models.csv`."""

    cohorts: tuple[str, ...]
    """Cohorts whose verdicts are modeled together; `cohort` distinguishes them in the formula."""
    formula: str
    """Outcome (`said_machine`, `said_human` or `correct`) and terms, such as `said_machine ~ agent
    + (1 | judge) + (1 | stimulus)`: columns of the judgments, conditions, `demographics` and the
    ranks of `ordered` ones; `a:b` is an interaction, and `a*b` is `a + b + a:b`."""
    only: dict[str, tuple[str, ...]] = {}
    """Levels to keep, by column; the first level is the reference level."""
    cluster: str | None = None
    """Only for models without random effects: column of the clusters for cluster-robust errors."""
    counterpart_of: tuple[str, ...] = ()
    """Ids of comparisons that ask the same question, for `statistics/what_changes.csv`."""


PAIRS = ("all", "within", "between")


class Sample(TaskPart):
    """Alignments that are the observations of a test, one per agent."""

    agents: tuple[str, ...]
    """Agents whose alignments with the reference are the observations."""
    reference: str | tuple[str, ...]
    """Agent that they are aligned with: one for all, or a list with one for each."""
    pairs: Literal["all", "within", "between"] = "all"
    """Pairs of items that alignments are computed on: all, those within a category of items, or
    those between categories."""

    def list_faults(self) -> Iterator[str]:
        """Check that there is one reference, or one for each agent."""
        if not isinstance(self.reference, str) and len(self.reference) != len(self.agents):
            number = len(self.reference)
            yield f"{number} references for {len(self.agents)} agents; give one, or one for each"

    @property
    def agent_names(self) -> set[str]:
        """The agents of all alignments, references among them."""
        return {agent for pair in self.pair_agents() for agent in pair}

    def pair_agents(self) -> list[tuple[str, str]]:
        """List (agent, reference) of each alignment."""
        references = self.reference
        if isinstance(references, str):
            references = (references,) * len(self.agents)
        return list(zip(self.agents, references, strict=True))


class AlignmentTest(Noted):
    """A test between two samples of alignments: a rank-sum test; if they are paired, in the
    recommended reading a signed-rank test."""

    id: str
    """Name of the test, such as words.within_between."""
    first: Sample
    """The first sample of alignments."""
    second: Sample
    """The second sample of alignments."""
    paired: bool = False
    """Whether the agents of both samples correspond one by one, in this order."""

    def list_faults(self) -> Iterator[str]:
        """Check that paired samples are equally large."""
        if self.paired and len(self.first.agents) != len(self.second.agents):
            yield f"{self.id}: paired samples need equally many agents"
