"""Check that a study file is consistent: names exist, and tests can be computed.

Each function lists what is wrong, in words. What follows a fault relies on its absence, so that only the
first one is asked for.
"""

import re
from collections.abc import Iterable, Iterator

from turingstats.config.study.panels import QuantityPanel
from turingstats.config.study.study_file import StudyFile
from turingstats.config.study.tests import MADE_COLUMNS, TRIAL_COLUMNS, Comparison, Procedure
from turingstats.core.labels import join_with_or
from turingstats.core.names import split_level
from turingstats.core.quantity_names import CALLED_HUMAN, COMPARED, resolve_quantity
from turingstats.core.yaml_models import READINGS, list_unknown
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


Faults = Iterator[str]


def list_faults(study: StudyFile) -> Faults:
    """List what is wrong with a study whose parts are valid."""
    yield from list_bad_agents(study)
    yield from list_bad_names(study)
    yield from list_bad_tasks(study)
    yield from list_unknown_names(study)
    for comparison in study.comparisons:
        yield from list_bad_comparison(study, comparison)


def list_bad_names(study: StudyFile) -> Faults:
    """List names that no id or file can have."""
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
    for where, (pattern, names) in declared_ids.items():
        for name in names:
            if not pattern.fullmatch(name) or name.lower() == "all":
                yield (
                    f"{where}: {name!r} cannot be a name; write letters, digits and _ (not all), and "
                    "any other text as its label"
                )


def list_bad_agents(study: StudyFile) -> Faults:
    """List agents that no table could tell apart, or that are called like people."""
    ids: dict[str, str] = {}
    # Where judges choose between two responses, people may be one of the two alterations compared.
    only_choices = all(task.choice for task in study.tasks.values())
    for name, agent in study.agents.items():
        other = ids.setdefault(name.lower(), name)
        if other != name:
            yield f"agents: {other} and {name} differ only in letter case; rename one"
        called = (name, agent.label, *(() if only_choices else agent.aliases))
        if name != "human" and "human" in map(str.lower, called):
            yield (
                f"agents.{name}: human means people, so no machine may have it as a name, label or alias"
            )


def list_bad_tasks(study: StudyFile) -> Faults:
    """List two designs, and columns named like those that models make."""
    if len({bool(task.references) for task in study.tasks.values()}) > 1:
        yield "tasks: one study cannot have both cohorts of judges and ratings of similarity"
    if study.design == "pairs":
        if any(task.design != "pairs" for task in study.tasks.values()):
            yield "tasks: design: pairs is that of all tasks of a study, or of none"
        for part in ("comparisons", "models", "figures", "tables", "codes", "contrasts"):
            if getattr(study, part):
                yield f"{part}: not for pairs, whose figure and tables are always the same"
    for task_name, task in study.tasks.items():
        declared = {*task.conditions, *task.columns, *study.demographics}
        for name in (name for name in MADE_COLUMNS if name in declared):
            yield (
                f"tasks.{task_name}: {name} is made from truth and verdict in models, so no column "
                "of a table may have this name here; rename it, such as correct_in_table"
            )


def list_unknown_names(study: StudyFile) -> Faults:
    """List names that the parts of a study use and that it does not declare."""
    tasks, agents, demographics = study.tasks, study.agents, study.demographics
    for task_name, task in tasks.items():
        own = (*task.agents, *task.also, *task.references)
        yield from list_unknown(own, agents, f"tasks.{task_name}.agents", "agents")
        for name, cohort in task.cohorts.items():
            where = f"tasks.{task_name}.cohorts.{name}"
            yield from list_unknown(cohort.agents, agents, where, "agents")
            yield from list_unknown(cohort.pools, task.cohorts, where, "cohorts")
        where = f"tasks.{task_name}.published_control"
        yield from list_unknown(task.published_control, task.cohorts, where, "cohorts")
    for key in ("ordered", "shaded"):
        yield from list_unknown(getattr(study, key), demographics, key, "demographics")
    for comparison in study.comparisons:
        where = f"comparisons.{comparison.id}"
        yield from list_unknown([comparison.task], tasks, where, "tasks")
        task = tasks[comparison.task]
        yield from list_unknown(comparison.cohorts, task.cohorts, where, "cohorts")
        compared = [*comparison.agents, *(split_level(row, agents)[0] for row in comparison.rows)]
        yield from list_unknown(compared, {"all", "human", *agents}, where, "agents")
        by, variables = filter(None, [comparison.by]), {*demographics, *task.conditions}
        yield from list_unknown(by, variables, where, "demographics and conditions")
    ids = {comparison.id for comparison in study.comparisons}
    for model in study.models:
        where = f"models.{model.id}"
        yield from list_unknown([model.task], tasks, where, "tasks")
        yield from list_unknown(model.cohorts, tasks[model.task].cohorts, where, "cohorts")
        yield from list_unknown(model.counterpart_of, ids, where, "comparisons")
    for name, table in study.gender_tables.items():
        where = f"tables.{name}"
        yield from list_unknown([table.task], tasks, where, "tasks")
        conditions = {*tasks[table.task].condition_names} - {*demographics}
        yield from list_unknown([table.by], conditions, where, "conditions")
        yield from list_unknown([table.judges], demographics, where, "demographics")
    for name, figure in study.figures.items():
        for letter, panel in figure.panels.items():
            # A panel of a task that is not in the study is not drawn.
            if panel.task in tasks:
                shown = [split_level(row, agents)[0] for row in panel.agent_names]
                where = f"figures.{name}.panels.{letter}"
                yield from list_unknown(shown, {"all", *agents}, where, "agents")
                quantity = panel.quantity if isinstance(panel, QuantityPanel) else CALLED_HUMAN
                yield from (f"{where}: {fault}" for fault in list_undefined(quantity, shown))
    for test in study.alignment_tests:
        where = f"alignment_tests.{test.id}"
        for sample in (test.first, test.second):
            yield from list_unknown([sample.task], tasks, where, "tasks")
            raters = tasks[sample.task].raters
            yield from list_unknown(sample.agent_names, raters, where, "agents of the task")


def list_bad_comparison(study: StudyFile, comparison: Comparison) -> Faults:
    """List why a declared test cannot be computed."""
    where = f"comparisons.{comparison.id}"
    if comparison.by and comparison.level is None and len(comparison.cohorts) > 1:
        yield f"{where}: by needs a single cohort, or a level"
    for reading in (*READINGS, "alternative"):
        procedure = getattr(comparison, reading)
        if procedure:
            choice = study.tasks[comparison.task].choice
            faults = list_bad_procedure(comparison, procedure, choice)
            yield from (f"{where}: {fault}" for fault in faults)
    if [other.id for other in study.comparisons].count(comparison.id) > 1:
        yield f"comparisons: id used twice: {comparison.id}"


def list_bad_formulas(study: StudyFile) -> Faults:
    """List formulas that cannot be read or name columns that no trial has, and breakdowns of unknown columns.

    For whole studies only: jobs get the sections of a study that they use, which may lack a demographic
    variable that a formula names.
    """
    for model in study.models:
        where, task = f"models.{model.id}", study.tasks[model.task]
        checks = {name for name, kind in task.columns.items() if kind == "check"}
        columns = {*TRIAL_COLUMNS, *task.columns, *task.condition_names, *study.demographics}
        columns = columns - checks | {f"{name}_rank" for name in study.ordered}
        try:
            needed = find_formula_columns(model.formula)
        except ValueError as error:
            yield f"{where}: {error}"
            continue
        yield from list_unknown(needed, columns, f"{where}: {model.formula!r}", "columns")
        others = (*model.only, *filter(None, [model.cluster]))
        yield from list_unknown(others, columns, where, "columns")
    known = {"agent", *study.demographics, *study.bands}
    for task in study.tasks.values():
        known |= {*task.columns, *task.condition_names}
    for pair in study.breakdowns:
        if pair.count("+") != 1:
            yield f"breakdowns: {pair!r} must be two columns, such as agent+domain"
        yield from list_unknown(pair.split("+"), known, "breakdowns", "columns of the study")


def list_undefined(quantity: str, agents: Iterable[str]) -> Faults:
    """List agents for which a quantity is not defined."""
    for agent in agents:
        try:
            resolve_quantity(quantity, agent)
        except ValueError as error:
            yield str(error)


def list_bad_procedure(comparison: Comparison, procedure: Procedure, choice: bool) -> Faults:
    """List required keys that a declared test lacks, and those that it does not take."""
    test, quantity = procedure.test, comparison.quantity
    if (test in CORRELATIONS) != bool(comparison.score):
        yield "a correlation needs a score, and no other test takes one"
    if comparison.rows and quantity != CALLED_HUMAN:
        yield f"rows go with the quantity {CALLED_HUMAN!r}, and only with it"
    if choice and (quantity == "p_HH" or "human" in comparison.agents):
        yield (
            "rates of people's responses are not defined for choices, which are verdicts only on machines; "
            "p_MM is the share of correct choices"
        )
    if quantity and not comparison.rows:
        yield from list_undefined(quantity, comparison.agents)
    if (quantity is None or not comparison.cohorts) != (test == "fleiss_kappa"):
        yield "every test but fleiss_kappa needs a quantity and cohorts"
    if test in ALONG and (comparison.by is None or len(comparison.cohorts) != 1):
        yield f"{test} needs one cohort and a scale (by)"
    if test in TAKES and quantity not in TAKES[test]:
        yield f"{test} takes {join_with_or(TAKES[test])}"
    # The share of right single verdicts is not a detectability: it depends on the mix of responses.
    if test == "binomial" and quantity == "detectability" and not choice:
        yield "for single verdicts, two_proportions tests detectability"
    if test == "two_proportions" and (comparison.against != 0.5 or choice):
        yield "two_proportions takes detectability of single verdicts against 0.5"
    if test == "residuals" and comparison.held_out is None:
        yield "residuals need a level that is held out"
