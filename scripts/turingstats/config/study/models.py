"""Declared regressions of verdicts."""

from turingstats.core.yaml_models import Model

TRIAL_COLUMNS = (
    "task cohort judge_kind judge trial position phase stimulus variant topic domain exchanges side agent "
    "truth verdict perceived_gender confidence rt_ms control_ok trained_on "
    "said_machine said_human correct made_by log_exchanges"
).split()
"""Columns that formulas may name in any study: those of the judgments, and what is made of them
(`turingstats.analysis.models.trials`)."""


class VerdictModel(Model):
    """A declared regression of verdicts; see `turingstats.analysis.models`."""

    id: str
    task: str
    cohorts: tuple[str, ...]
    formula: str
    reduced: dict[str, str] = {}
    """Formulas nested in `formula`, each compared with it by a likelihood-ratio test; keys name the test."""
    only: dict[str, tuple[str, ...]] = {}
    """Levels of columns to keep, in order: the first is the reference level."""
    quadrature: int | None = None
    """Nodes per random effect; see `turingstats.stats.mixed.fit.fit_model`."""
    cluster: str | None = None
    """Only for models without random terms: column of the clusters for cluster-robust errors."""
    counterpart_of: tuple[str, ...] = ()
    """Comparisons of the same question; a table shows them next to each other."""
    note: str = ""
