"""Declared regressions of verdicts."""

from turingstats.config.study.tests import Analysis

MADE_COLUMNS = ["said_machine", "said_human", "correct", "made_by", "log_exchanges"]
"""Columns of formulas that are made of the judgments (`turingstats.analysis.models.trials`)."""

TRIAL_COLUMNS = [
    "task", "cohort", "judge_kind", "judge", "trial", "position", "phase", "stimulus", "variant",
    "topic", "domain", "exchanges", "side", "agent", "truth", "verdict", "perceived_gender",
    "rating", "confidence", "rt_ms", "control_ok", "trained_on", *MADE_COLUMNS,
]  # fmt: skip
"""Columns that formulas may name in any study."""

NUMERIC_COLUMNS = ("trial", "position", "exchanges", "confidence", "rt_ms", "log_exchanges")
"""Those of `TRIAL_COLUMNS` that `scale` and `log` can be taken of."""


class VerdictModel(Analysis):
    """A regression of single verdicts, in `statistics/models.csv`."""

    cohorts: tuple[str, ...]
    """Cohorts whose verdicts are modeled together; `cohort` distinguishes them in the formula."""
    formula: str
    """Outcome (`said_machine`, `said_human` or `correct`) and terms, such as `said_machine ~ agent
    + (1 | judge) + (1 | stimulus)`: columns of the judgments, conditions, `demographics` and the
    ranks of `ordered` ones; `scale(x)` is (x - mean) / SD over the trials of the model, `log(x)`
    the natural logarithm, `a:b` an interaction, and `a*b` is `a + b + a:b`."""
    only: dict[str, tuple[str, ...]] = {}
    """Levels to keep, by column; the first level is the reference level."""
    cluster: str | None = None
    """Only for models without random effects: column of the clusters for cluster-robust errors."""
    counterpart_of: tuple[str, ...] = ()
    """Ids of comparisons that ask the same question, for `statistics/what_changes.csv`."""
