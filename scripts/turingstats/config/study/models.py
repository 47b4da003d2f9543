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
    """Formulas nested in `formula`, each tested against it by a likelihood ratio; by what is tested."""
    only: dict[str, tuple[str, ...]] = {}
    """Levels of columns to keep, in order: the first is what others are compared with."""
    quadrature: int | None = None
    """Nodes per random effect; see `turingstats.stats.mixed.fit.fit_model`."""
    cluster: str | None = None
    """Of a model without random terms: column whose groups the errors allow for."""
    counterpart_of: tuple[str, ...] = ()
    """Comparisons that ask the same; a table sets them beside each other."""
    note: str = ""
