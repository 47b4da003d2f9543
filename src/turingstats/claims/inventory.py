"""Inventory of the paper's panels: which data each was drawn from, or why it was not drawn."""

from collections.abc import Collection
from typing import Any

import pandas as pd

from turingstats.core.data_labels import PRINTED_TABLE
from turingstats.core.files import list_rows
from turingstats.data.absence import describe_absent_files
from turingstats.figures.notes import Facts, is_known

PAPER = ["figure", "panel", "kind", "shows", "data_driven"]
PANEL_COLUMNS = [*PAPER, "drawn", "why"]
STAND_IN = "judge trained here"
AS_PRINTED = "as printed"
"""Values of `drawn` of panels that are not the paper's judges, computed."""
"""A panel is drawn, but with the verdicts of a judge trained here, since the paper's are not available."""


def list_panels(
    published: pd.DataFrame | None,
    results: dict[str, pd.DataFrame],
    tables: Collection[str],
    missing: pd.DataFrame,
    run_notes: dict[str, Any],
) -> pd.DataFrame:
    """Join the paper's list of panels, if there is one, with those of the figures of a run, `results`.

    In `run_notes`, `pools` and `trained` give, by task, the cohorts that a pool combines and those of judges
    trained here; `not_drawn` and `skipped` give reasons by figure or table.
    """
    figures = {name: Facts(table) for name, table in results.items()}
    if published is None:
        names = {"panel": "panel", "kind": "kind", "shows": "title"}
        listed = [
            {"figure": figure, "data_driven": "yes"} | {n: row.get(names[n]) for n in names}
            for figure, panels in figures.items()
            for row in panels.records("panel")
        ]
    else:
        listed = list_rows(published[PAPER])
    trained, rows = run_notes["trained"], []
    for row in listed:
        figure, panels = row["figure"], figures.get(row["figure"])
        if panels is not None and row["panel"] is not None:
            panels = panels.of("panel", row["panel"])
        if figure in tables:
            answer = "yes", "a table of the study"
        elif panels:
            drawn, why = explain_panel(panels, missing, run_notes["pools"])
            judges = {*panels.values("cohort")}
            if panels.values("data") == [PRINTED_TABLE]:
                drawn = AS_PRINTED
            elif drawn == "yes" and judges and judges <= {*trained.get(panels.first("task"), ())}:
                # None of the judges is the paper's.
                drawn = STAND_IN
            answer = drawn, why
        elif row["data_driven"] == "no":
            answer = "not data-driven", f"{row['kind']}: shows no data of the judges"
        elif figure in run_notes["not_drawn"]:
            answer = "not drawn", run_notes["not_drawn"][figure]
        else:
            answer = "not declared", "no panel of the study in this run"
        rows.append(row | dict(zip(("drawn", "why"), answer, strict=True)))
    skipped = run_notes["skipped"].items()
    rows += [{"figure": name, "drawn": "skipped", "why": why} for name, why in skipped]
    return pd.DataFrame(rows).reindex(columns=PANEL_COLUMNS)


def explain_panel(
    rows: Facts, missing: pd.DataFrame, pools: dict[str, dict[str, list[str]]]
) -> tuple[str, str]:
    """Say whether a declared panel has numbers, and from which data, or why not."""
    first = rows.rows[0]
    kind, task, cohorts = first["kind"], first["task_label"], rows.values("cohort_label")
    if kind == "no data" and not rows.has_column("cohort_label"):
        return "no data", f"{task}: {first['text']}"
    if kind == "no data":
        whose = ", ".join(filter(is_known, (task, first["cohort_label"])))
        files = describe_absent_files(list_needed_files(first, missing, pools), first["note"])
        return "no data", f"{whose}: {first['note']}" + (f"; needs {files}" if files else "")
    if kind in ("examples", "conversation"):
        return "yes", f"{first['data']}: responses of {task}; no images"
    source = f"{first['data']}: {', '.join([task, *cohorts])}"
    if "trained here" in str(first.get("note")):
        source += f"; {first['note']}"
    return "yes", source


def list_needed_files(
    panel: dict[str, Any], missing: pd.DataFrame, pools: dict[str, dict[str, list[str]]]
) -> pd.Series:
    """List the missing files of a panel's cohorts or, for a panel of responses, of its task."""
    lacking = missing[missing["task"] == panel["task"]]
    if not is_known(panel["cohort"]):
        return lacking.loc[lacking["cohort"].isna(), "path"].drop_duplicates()
    of_pool = pools.get(panel["task"], {})
    cohorts = [c for name in panel["cohort"].split("+") for c in of_pool.get(name) or [name]]
    return lacking.loc[lacking["cohort"].isin(cohorts), "path"].drop_duplicates()
