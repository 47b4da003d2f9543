"""Inventory of the paper's panels: which data each was drawn from, or why it was not drawn."""

from typing import Any

import pandas as pd

from turingstats.data.absence import describe_absent_files

COLUMNS = ["figure", "panel", "kind", "shows", "data_driven", "drawn", "why"]
STAND_IN = "judge trained here"
"""A panel is drawn, but with the verdicts of a judge trained here, since the paper's are not available."""


def list_paper_panels(
    published: pd.DataFrame,
    shown: dict[str, pd.DataFrame],
    tables: list[str],
    missing: pd.DataFrame,
    pools: dict[str, dict[str, list[str]]],
    not_drawn: dict[str, str],
    skipped: dict[str, str] | None = None,
    trained: dict[str, dict[str, str]] | None = None,
) -> pd.DataFrame:
    """Join the paper's list of panels with what the figures of a run show, or with what is skipped.

    `pools` and `trained` give, by task, the cohorts that a pool combines and those of judges trained here;
    `not_drawn` and `skipped` give reasons by figure or table.
    """
    rows = []
    for row in published.to_dict("records"):
        figure, panel = row["figure"], row["panel"]
        panels = shown.get(figure)
        if panels is not None and isinstance(panel, str):
            panels = panels[panels["panel"] == panel]
        if figure in tables:
            answer = "yes", "a table of the study"
        elif panels is not None and len(panels):
            answer = explain_panel(panels, missing, pools)
            if answer[0] == "yes" and shows_stand_ins(panels, trained or {}):
                answer = STAND_IN, answer[1]
        elif row["data_driven"] == "no":
            answer = "not data-driven", f"{row['kind']}: shows no data of the judges"
        elif figure in not_drawn:
            answer = "not drawn", not_drawn[figure]
        else:
            answer = "not declared", "no panel of the study in this run"
        rows.append(row | dict(zip(("drawn", "why"), answer, strict=True)))
    rows += [
        {"figure": name, "drawn": "skipped", "why": why} for name, why in (skipped or {}).items()
    ]
    return pd.DataFrame(rows).reindex(columns=COLUMNS)


def explain_panel(
    rows: pd.DataFrame, missing: pd.DataFrame, pools: dict[str, dict[str, list[str]]]
) -> tuple[str, str]:
    """Say whether a declared panel has numbers, and from which data, or why not."""
    first = rows.iloc[0]
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


def list_study_panels(
    shown: dict[str, pd.DataFrame],
    skipped: dict[str, str],
    missing: pd.DataFrame,
    pools: dict[Any, Any],
) -> pd.DataFrame:
    """List the panels of a study without a paper, and the default figures it does not get, with reasons."""
    rows = []
    for figure, data in shown.items():
        for panel, rows_of_panel in data.groupby("panel", sort=False):
            answer = dict(
                zip(("drawn", "why"), explain_panel(rows_of_panel, missing, pools), strict=True)
            )
            kind, title = rows_of_panel[["kind", "title"]].iloc[0]
            rows.append({"figure": figure, "panel": panel, "kind": kind, "shows": title} | answer)
    rows += [{"figure": name, "drawn": "skipped", "why": why} for name, why in skipped.items()]
    return pd.DataFrame(rows).assign(data_driven="yes").reindex(columns=COLUMNS)
