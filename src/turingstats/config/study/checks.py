"""Check that a study file is consistent: names exist, and tests can be computed."""

import re
from collections.abc import Collection, Iterable, Iterator

from turingstats.config.study.panels import QuantityPanel
from turingstats.config.study.study_file import StudyFile
from turingstats.config.study.tests import MADE_COLUMNS, TRIAL_COLUMNS, Comparison, Procedure
from turingstats.core.labels import join_with_or
from turingstats.core.names import split_level
from turingstats.core.quantity_names import CALLED_HUMAN, COMPARED, resolve_quantity
from turingstats.core.yaml_models import READINGS, require_known
from turingstats.stats.mixed.syntax import find_formula_columns

CORRELATIONS = ("pearson", "spearman")
ALONG = ("slopes", "residuals", "binomial_regression")
"""Tests along a numeric condition."""
BY_RIGHT = ("welch_t", "welch_t_random", "anova_one_way", "anova_two_way")
"""Tests of single verdicts as right or wrong, not as human or machine."""
TAKES = {
    **dict.fromkeys(CORRELATIONS, ("p_HH", "p_MM", "detectability")),
    **dict.fromkeys(ALONG, ("p_HH", "p_MM")),
    **dict.fromkeys(BY_RIGHT, tuple(name for name in COMPARED if name != CALLED_HUMAN)),
    "two_proportions": ("detectability",),
    "chi_square": ("p_HH", "p_MM", CALLED_HUMAN),
}
"""Quantities that a test takes, where these are not all."""
ID = re.compile(r"\w[\w-]*")
"""Names that are parts of ids in results."""
MAKER = re.compile(r"\w[\w .+-]*")
"""Names of agents, such as gpt-4.1."""
FILE = re.compile(r"[A-Za-z0-9_]+")
"""Names of files."""


def check_ids(study: StudyFile) -> None:
    """Refuse names that no id or file can have, and agents with the same name."""
    declared_ids: dict[str, tuple[re.Pattern[str], Iterable[str]]] = {
        "tasks": (ID, study.tasks),
        "figures": (FILE, study.figures),
        "tables": (FILE, study.tables),
        "claims": (FILE, study.claims),
        "agents": (MAKER, study.agents),
        "add.figures": (FILE, study.add.figures),
    }
    for task, declared in study.tasks.items():
        declared_ids[f"tasks.{task}.cohorts"] = ID, declared.cohorts
    check_agents(study)
    for where, (pattern, names) in declared_ids.items():
        for name in names:
            if not pattern.fullmatch(name) or name.lower() == "all":
                raise ValueError(
                    f"{where}: {name!r} cannot be a name; write letters, digits and _ (not all), and "
                    "any other text as its label"
                )


def check_agents(study: StudyFile) -> None:
    """Refuse agents that no table could tell apart, or that are called like people."""
    ids: dict[str, str] = {}
    for name, agent in study.agents.items():
        other = ids.setdefault(name.lower(), name)
        if other != name:
            raise ValueError(f"agents: {other} and {name} differ only in letter case; rename one")
        # Where judges choose between two responses, people may be one of the two alterations compared.
        aliases = () if all(task.choice for task in study.tasks.values()) else agent.aliases
        if name != "human" and "human" in map(str.lower, (name, agent.label, *aliases)):
            raise ValueError(
                f"agents.{name}: human means people, so no machine may have it as a name, label or alias"
            )


def check_tasks(study: StudyFile) -> None:
    """Refuse two designs, and columns named like those that models make."""
    if len({bool(task.references) for task in study.tasks.values()}) > 1:
        raise ValueError(
            "tasks: one study cannot have both cohorts of judges and ratings of similarity"
        )
    if study.design == "pairs":
        if any(task.design != "pairs" for task in study.tasks.values()):
            raise ValueError("tasks: design: pairs is that of all tasks of a study, or of none")
        for part in ("comparisons", "models", "figures", "tables", "codes", "contrasts"):
            if getattr(study, part):
                raise ValueError(
                    f"{part}: not for pairs, whose figure and tables are always the same"
                )
    for task_name, task in study.tasks.items():
        made = {*task.conditions, *task.columns, *study.demographics} & {*MADE_COLUMNS}
        if made:
            raise ValueError(
                f"tasks.{task_name}: {made.pop()} is made from truth and verdict in models, so no column "
                "of a table may have this name here; rename it, such as correct_in_table"
            )


def check_references(study: StudyFile) -> None:
    """Refuse names that the parts of a study use and that it does not declare."""
    for where, names, known, what in list_references(study):
        for name in names:
            require_known(name, known, where, what)


References = Iterator[tuple[str, Iterable[str], Collection[str], str]]


def list_references(study: StudyFile) -> References:
    """List the names that parts of a study use: where, which, those that it declares, and what they are.

    What follows a name may rely on it, since each is checked before the next one is listed.
    """
    tasks, demographics = study.tasks, study.demographics
    for task_name, task in tasks.items():
        own = (*task.agents, *task.also, *task.references)
        yield f"tasks.{task_name}.agents", own, study.agents, "agents"
        for name, cohort in task.cohorts.items():
            where = f"tasks.{task_name}.cohorts.{name}"
            yield where, cohort.agents, study.agents, "agents"
            yield where, cohort.pools, task.cohorts, "cohorts"
        where = f"tasks.{task_name}.published_control"
        yield where, task.published_control, task.cohorts, "cohorts"
    for key in ("ordered", "shaded"):
        yield key, getattr(study, key), demographics, "demographics"
    for comparison in study.comparisons:
        where = f"comparisons.{comparison.id}"
        yield where, [comparison.task], tasks, "tasks"
        task = tasks[comparison.task]
        yield where, comparison.cohorts, task.cohorts, "cohorts"
        rows = [split_level(row, study.agents)[0] for row in comparison.rows]
        yield where, [*comparison.agents, *rows], {"all", "human", *study.agents}, "agents"
        variables = {*demographics, *task.conditions}
        yield where, filter(None, [comparison.by]), variables, "demographics and conditions"
    for model in study.models:
        where = f"models.{model.id}"
        yield where, [model.task], tasks, "tasks"
        yield where, model.cohorts, tasks[model.task].cohorts, "cohorts"
        yield where, model.counterpart_of, {c.id for c in study.comparisons}, "comparisons"
    for name, table in study.gender_tables.items():
        where = f"tables.{name}"
        yield where, [table.task], tasks, "tasks"
        conditions = {*tasks[table.task].condition_names} - {*demographics}
        yield where, [table.by], conditions, "conditions"
        yield where, [table.judges], demographics, "demographics"
    for name, figure in study.figures.items():
        for letter, panel in figure.panels.items():
            # A panel of a task that is not in the study is not drawn.
            if panel.task in tasks:
                agents = (split_level(row, study.agents)[0] for row in panel.agent_names)
                where = f"figures.{name}.panels.{letter}"
                yield where, agents, {"all", *study.agents}, "agents"
    for test in study.alignment_tests:
        where = f"alignment_tests.{test.id}"
        for sample in (test.first, test.second):
            yield where, [sample.task], tasks, "tasks"
            yield where, sample.agent_names, tasks[sample.task].raters, "agents of the task"


def check_comparison(study: StudyFile, comparison: Comparison) -> None:
    """Refuse a declared test that cannot be computed."""
    where = f"comparisons.{comparison.id}"
    if comparison.by and comparison.level is None and len(comparison.cohorts) > 1:
        raise ValueError(f"{where}: by needs a single cohort, or a level")
    for reading in (*READINGS, "alternative"):
        procedure = getattr(comparison, reading)
        if procedure:
            check_procedure(comparison, procedure, study.tasks[comparison.task].choice, where)
    if [other.id for other in study.comparisons].count(comparison.id) > 1:
        raise ValueError(f"comparisons: id used twice: {comparison.id}")


def check_formulas(study: StudyFile) -> None:
    """Refuse formulas of regressions that cannot be read, or that name columns which no trial has.

    For whole studies only: jobs get the sections of a study that they use, which may lack a demographic
    variable that a formula names.
    """
    for model in study.models:
        where, task = f"models.{model.id}", study.tasks[model.task]
        checks = {name for name, kind in task.columns.items() if kind == "check"}
        columns = {
            *TRIAL_COLUMNS,
            *task.columns,
            *task.condition_names,
            *study.demographics,
        } - checks
        columns |= {f"{name}_rank" for name in study.ordered}
        try:
            needed = find_formula_columns(model.formula)
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None
        for name in needed:
            require_known(name, columns, f"{where}: {model.formula!r}", "columns")
        for name in (*model.only, *filter(None, [model.cluster])):
            require_known(name, columns, where, "columns")


def check_breakdowns(study: StudyFile) -> None:
    """Refuse breakdowns that are not by two known columns; for whole studies only, as `check_formulas`."""
    known_names = {"agent", *study.demographics, *study.bands}
    for task in study.tasks.values():
        known_names |= {*task.columns, *task.condition_names}
    for pair in study.breakdowns:
        if pair.count("+") != 1:
            raise ValueError(f"breakdowns: {pair!r} must be two columns, such as agent+domain")
        for name in pair.split("+"):
            require_known(name, known_names, "breakdowns", "columns of the study")


def check_panels(study: StudyFile) -> None:
    """Refuse panels of agents without the panel's rate."""
    for name, figure in study.figures.items():
        for letter, panel in figure.panels.items():
            quantity = panel.quantity if isinstance(panel, QuantityPanel) else CALLED_HUMAN
            if panel.task in study.tasks:
                agents = (split_level(row, study.agents)[0] for row in panel.agent_names)
                check_quantity(quantity, agents, f"figures.{name}.panels.{letter}")


def check_quantity(quantity: str, agents: Iterable[str], where: str) -> None:
    """Refuse agents for which a quantity is not defined."""
    for agent in agents:
        try:
            resolve_quantity(quantity, agent)
        except ValueError as error:
            raise ValueError(f"{where}: {error}") from None


def check_procedure(comparison: Comparison, procedure: Procedure, choice: bool, where: str) -> None:
    """Refuse a declared test that lacks a required key or has one it does not take."""
    test, quantity = procedure.test, comparison.quantity
    if (test in CORRELATIONS) != bool(comparison.score):
        raise ValueError(f"{where}: a correlation needs a score, and no other test takes one")
    if comparison.rows and quantity != CALLED_HUMAN:
        raise ValueError(f"{where}: rows go with the quantity {CALLED_HUMAN!r}, and only with it")
    if choice and (quantity == "p_HH" or "human" in comparison.agents):
        raise ValueError(
            f"{where}: rates of people's responses are not defined for choices, which are verdicts only on "
            "machines; p_MM is the share of correct choices"
        )
    if quantity and not comparison.rows:
        check_quantity(quantity, comparison.agents, where)
    if (quantity is None or not comparison.cohorts) != (test == "fleiss_kappa"):
        raise ValueError(f"{where}: every test but fleiss_kappa needs a quantity and cohorts")
    if test in ALONG and (comparison.by is None or len(comparison.cohorts) != 1):
        raise ValueError(f"{where}: {test} needs one cohort and a scale (by)")
    if test in TAKES and quantity not in TAKES[test]:
        raise ValueError(f"{where}: {test} takes {join_with_or(TAKES[test])}")
    # The share of right single verdicts is not a detectability: it depends on the mix of responses.
    if test == "binomial" and quantity == "detectability" and not choice:
        raise ValueError(f"{where}: for single verdicts, two_proportions tests detectability")
    if test == "two_proportions" and (comparison.against != 0.5 or choice):
        raise ValueError(
            f"{where}: two_proportions takes detectability of single verdicts against 0.5"
        )
    if test == "residuals" and comparison.held_out is None:
        raise ValueError(f"{where}: residuals need a level that is held out")
