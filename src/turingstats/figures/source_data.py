"""Source data: the numbers that a figure shows, selected from the results.

Each figure has one long table. Drawing reads that table and computes nothing.
"""

from pathlib import Path
from typing import Any

import pandas as pd

from turingstats.config.llm_figure import add_llm_figure
from turingstats.config.settings import LanguageModels
from turingstats.config.study import Study, Task
from turingstats.core import data_labels, files
from turingstats.core.yaml_models import Reading
from turingstats.data.absence import IN_WORDS, NOT_BUNDLED, NOT_PUBLIC, describe_absent_files
from turingstats.figures.picking import EXAMPLES, find_absent_files, find_role, index_estimates

NUMBER_COLUMNS = [
    "figure", "panel", "kind", "title", "task", "task_label", "cohort", "cohort_label",
    "judge_kind", "role", "group_by", "group", "agent", "agent_label", "quantity", "value", "se",
    "error_over", "ci_low", "ci_high", "level", "n", "n_judges", "p", "p_adjusted", "test", "unit",
    "correction", "family_size", "mark", "x", "size", "text", "note", "reading", "data",
]  # fmt: skip

NAMED = (IN_WORDS[NOT_BUNDLED], IN_WORDS[NOT_PUBLIC])
"""Notes of empty panels whose caption names the files needed."""


def select_reading(results: dict[str, pd.DataFrame], reading: Reading) -> dict[str, pd.DataFrame]:
    """Select the reading that figures show, with texts as objects, from which rows are taken much faster."""
    tables = dict(results)
    for name in ("estimates", "tests", "sizes", "evaluation"):
        if (table := results.get(name)) is not None:
            table = table[table["reading"] == reading]
            tables[name] = table.astype(dict.fromkeys(table.select_dtypes("str"), object))
    if "estimates" in tables:
        tables["estimates_at"] = index_estimates(tables["estimates"])
    if "tests" in tables:
        tables["test_of"] = {row["test_id"]: row for row in tables["tests"].to_dict("records")}
    return tables


def select_figure_data(
    name: str,
    study: Study,
    shown_tables: dict[str, pd.DataFrame],
    reading: Reading,
    level: float,
    data: str,
) -> pd.DataFrame:
    """Select the numbers of one figure, such as "fig6", one row per number.

    `shown_tables` are those of the earlier stages by name (`select_reading`); benchmarks, the scores of
    agents from the literature, may be None. Rows of kind `no data` stand for panels without numbers, with the
    reason as note.
    """
    # Imported here, beside a process that writes tables: kinds also draw, whose import takes half a second.
    from turingstats.figures.kinds import KIND_OF

    figure = study.figures[name]
    rows = []
    for letter, panel in figure.panels.items():
        task = study.tasks[panel.task]
        only = getattr(panel, "cohort", None)  # None for panels of several cohorts or of responses
        cohort = task.cohorts.get(only)
        shared = {
            "figure": name,
            "panel": letter,
            "kind": panel.kind,
            "title": panel.title,
            "task": panel.task,
            "task_label": task.label,
            "cohort": only,
            "cohort_label": cohort.label if cohort else None,
            "judge_kind": cohort.judge_kind if cohort else None,
            "note": panel.note.get(reading),
            "level": level,
            "reading": reading,
            "data": data,
        }
        kind = KIND_OF[panel.kind]
        panel_rows = kind.select(panel, shown_tables, study, reading)
        if not any(row.get("kind") != "tested" for row in panel_rows):
            why = kind.explain_absence(panel, task, shown_tables)
            panel_rows = [describe_absence(why, panel, task, shown_tables)]
        panel_rows = [shared | row for row in panel_rows]
        rows += [row | {"role": find_role(row, panel, study, shown_tables)} for row in panel_rows]
    source_data = pd.DataFrame(rows).reindex(columns=NUMBER_COLUMNS)
    places = zip(source_data["task"], source_data["cohort"], strict=True)
    cohorts = [study.tasks[task].cohorts.get(cohort) for task, cohort in places]
    unnamed = [cohort is not None and cohort.unnamed for cohort in cohorts]
    source_data = source_data.assign(n_judges=source_data["n_judges"].mask(unnamed))
    data_labels.check_panels(source_data, name)
    return source_data


def describe_absence(
    why: str, panel: Any, task: Task, results: dict[str, pd.DataFrame]
) -> dict[str, Any]:
    """Describe a panel without numbers by one row: why, and which files it needs."""
    row = {"kind": "no data", "note": why}
    if why in NAMED and panel.kind not in EXAMPLES:
        wanted = find_absent_files(panel, task, results["missing"])
        # Files that cannot be fetched are in the inventory; list only the others here.
        if why == IN_WORDS[NOT_BUNDLED]:
            wanted = wanted[wanted["why"] == NOT_BUNDLED]
        row["text"] = describe_absent_files(wanted["path"], why)
    if getattr(panel, "cohorts", ()):
        labels = ", ".join(task.cohorts[name].label for name in panel.cohort_names)
        row |= {"cohort": "+".join(panel.cohort_names), "cohort_label": labels}
    return row


def write_source_data(table: pd.DataFrame, path: Path | str, **labels: Any) -> pd.DataFrame:
    """Write the source data of a figure; a panel that mixes two kinds of data is an error."""
    table = files.label_rows(table, labels)
    data_labels.check_panels(table, Path(path).stem)
    files.write_frame(table, path)
    return table


def select_language_models(
    answers: pd.DataFrame,
    shown_tables: dict[str, pd.DataFrame],
    study: Study,
    llm: LanguageModels,
    reading: Reading,
    level: float,
    data: str,
) -> pd.DataFrame:
    """Select the numbers of the figure of language models as judges."""
    study = add_llm_figure(study, llm, answers)
    return select_figure_data("llm", study, shown_tables, reading, level, data)
