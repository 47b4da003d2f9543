"""Inventory of the paper's panels: which data each was drawn from, or why it was not drawn."""

from collections.abc import Collection
from typing import Any

import pandas as pd

from turingstats.core.data_labels import PRINTED_TABLE
from turingstats.data.absence import describe_absent_files

PAPER = ["figure", "panel", "kind", "shows", "data_driven"]
COLUMNS = [*PAPER, "drawn", "why"]
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
    if published is None:
        panels = [
            data.drop_duplicates("panel").assign(figure=name) for name, data in results.items()
        ]
        published = pd.concat([pd.DataFrame(columns=["figure", "panel", "kind", "title"]), *panels])
        published = published.rename(columns={"title": "shows"}).assign(data_driven="yes")[PAPER]
    rows = []
    for row in published.to_dict("records"):
        figure, panel = row["figure"], row["panel"]
        panels = results.get(figure)
        if panels is not None and isinstance(panel, str):
            panels = panels[panels["panel"] == panel]
        if figure in tables:
            answer = "yes", "a table of the study"
        elif panels is not None and len(panels):
            answer = explain_panel(panels, missing, run_notes["pools"])
            if panels["data"].eq(PRINTED_TABLE).all():
                answer = AS_PRINTED, answer[1]
            elif answer[0] == "yes" and shows_stand_ins(panels, run_notes["trained"]):
                answer = STAND_IN, answer[1]
        elif row["data_driven"] == "no":
            answer = "not data-driven", f"{row['kind']}: shows no data of the judges"
        elif figure in run_notes["not_drawn"]:
            answer = "not drawn", run_notes["not_drawn"][figure]
        else:
            answer = "not declared", "no panel of the study in this run"
        rows.append(row | dict(zip(("drawn", "why"), answer, strict=True)))
    rows += [
        {"figure": name, "drawn": "skipped", "why": why}
        for name, why in run_notes["skipped"].items()
    ]
    return pd.DataFrame(rows).reindex(columns=COLUMNS)


def explain_panel(
    rows: pd.DataFrame, missing: pd.DataFrame, pools: dict[str, dict[str, list[str]]]
) -> tuple[str, str]:
    """Say whether a declared panel has numbers, and from which data, or why not."""
    first = rows.iloc[0]
    if first["kind"] == "no data" and "cohort_label" not in rows:
        return "no data", f"{first['task_label']}: {first['text']}"
    if first["kind"] == "no data":
        whose = ", ".join(rows[["task_label", "cohort_label"]].iloc[0].dropna())
        files = describe_absent_files(list_needed_files(first, missing, pools), first["note"])
        return "no data", f"{whose}: {first['note']}" + (f"; needs {files}" if files else "")
    if first["kind"] in ("examples", "conversation"):
        return "yes", f"{first['data']}: responses of {first['task_label']}; no images"
    if "cohort_label" not in rows:
        return "yes", f"{first['data']}: {first['task_label']}"
    names = ", ".join([first["task_label"], *rows["cohort_label"].dropna().unique()])
    source = f"{first['data']}: {names}"
    if "trained here" in str(first["note"]):
        source += f"; {first['note']}"
    return "yes", source


def shows_stand_ins(rows: pd.DataFrame, trained: dict[str, dict[str, str]]) -> bool:
    """Tell whether all judges of a panel were trained here, so that none is the paper's."""
    judges = set(rows["cohort"].dropna()) if "cohort" in rows else set()
    return bool(judges) and judges <= set(trained.get(rows["task"].iloc[0], ()))


def list_needed_files(
    panel: pd.Series, missing: pd.DataFrame, pools: dict[str, dict[str, list[str]]]
) -> pd.Series:
    """List the missing files of a panel's cohorts or, for a panel of responses, of its task."""
    lacking = missing[missing["task"] == panel["task"]]
    if pd.isna(panel["cohort"]):
        return lacking.loc[lacking["cohort"].isna(), "path"].drop_duplicates()
    of_pool = pools.get(panel["task"], {})
    cohorts = [c for name in panel["cohort"].split("+") for c in of_pool.get(name) or [name]]
    return lacking.loc[lacking["cohort"].isin(cohorts), "path"].drop_duplicates()
