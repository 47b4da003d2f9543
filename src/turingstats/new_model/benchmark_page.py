"""The page about a new model: its figure, scores, findings, and the stimuli that could not be matched."""

from pathlib import Path
from typing import Any

import pandas as pd
from markupsafe import Markup

import turingstats
from turingstats.core.labels import format_p
from turingstats.core.templating import make_environment
from turingstats.figures import pages
from turingstats.new_model import figure
from turingstats.new_model.verdicts import COHORT

LISTED = 12
"""Maximum number of stimuli that the page names."""
COPIED = 0.9
"""Minimum share of responses that are another agent's for the page to ask whether it is the same."""


def describe_findings(scores: pd.DataFrame, name: str) -> list[str]:
    """Say what the scores show about the new model, in one sentence per judge."""
    sentences = []
    for label, part in scores.groupby("judge_label", sort=False):
        new = part[part["submitted"]]
        if new.empty:
            continue
        row = new.iloc[0]
        others = part[~part["submitted"]]
        below = int((others["value"] < row["value"]).sum())
        side = "is not distinguishable from chance"
        if row["ci_low"] > 0.5:
            side = "is above chance"
        elif row["ci_high"] < 0.5:
            side = "is below chance"
        sentence = (
            f"{label}: detectability {row['value']:.3f} ({row['ci_low']:.3f} to "
            f"{row['ci_high']:.3f}), which {side}"
        )
        if len(others):
            sentence += (
                f"; {below} of {len(others)} other models are harder to distinguish from people than "
                f"{name}"
            )
        sentences.append(f"{sentence}.")
    return sentences


def render_benchmark(
    template: Path,
    scores: pd.DataFrame,
    differences: pd.DataFrame,
    matching: pd.DataFrame,
    absent: dict[str, str],
    about: dict[str, str],
) -> str:
    """Render the page about a new model, with the figure in it, from the results of one reading."""
    picture, judges, sources, table = "", [], [], []
    if len(scores):
        page = figure.draw(scores)
        picture = pages.draw_svg(page, 300, pages.describe_file(scores, "Scores of the new model"))
        first = scores.drop_duplicates("judge")
        judges = list(first["judge_label"])
        sources = list(first["judge_source"].fillna(""))
        for agent in figure.order_agents(scores):
            rows_by_judge = scores[scores["agent"] == agent].set_index("judge_label")
            table.append(
                {
                    "label": rows_by_judge["agent_label"].iloc[0],
                    "new": bool(rows_by_judge["submitted"].iloc[0]),
                    "cells": [format_cell(rows_by_judge, judge) for judge in judges],
                }
            )
    lost = {
        "missing": matching[matching["note"] == "no response"],
        "unknown": matching[matching["note"].str.startswith("unknown")],
    }
    matched = matching[matching["matched"].astype(bool)]
    same = matched["same_as"].str.split(", ").explode().value_counts()
    template = Path(template)
    environment = make_environment(template.parent, trim=False)
    return environment.get_template(template.name).render(
        **about,
        generated=about["data"] == "generated data",
        version=turingstats.__version__,
        picture=Markup(picture),
        judges=list(zip(judges, sources, strict=True)),
        rows=table,
        findings=describe_findings(scores, about["name"]),
        absent=absent,
        differences=[format_difference(row) for row in differences.to_dict("records")],
        has_responses=bool(len(matching)),
        n_matched=len(matched),
        copied={agent: n for agent, n in same.items() if agent and n >= COPIED * len(matched)},
        n_known=int((~matching["note"].str.startswith("unknown")).sum()),
        **{f"n_{what}": len(rows) for what, rows in lost.items()},
        **{what: list(rows["stimulus"][:LISTED]) for what, rows in lost.items()},
    )


def format_cell(rows: pd.DataFrame, judge: str) -> dict[str, Any]:
    """Format a number for the page's table; None if there is none."""
    if judge not in rows.index:
        return None
    row = rows.loc[judge]
    interval = (
        f"{row['ci_low']:.3f} to {row['ci_high']:.3f}" if row["ci_low"] == row["ci_low"] else ""
    )
    n = f"n = {row['n_machine']:,.0f}" if row["n_machine"] == row["n_machine"] else ""
    return {"value": row["value"], "small": [part for part in (interval, n) if part]}


def format_difference(row: dict[str, Any]) -> dict[str, Any]:
    """Format one comparison of the new model with an agent of the study, as cells of text."""
    tested = row["p"] == row["p"]
    interval = f"{row['ci_low']:+.3f} to {row['ci_high']:+.3f}" if tested else "no interval"
    return {
        "agent": row["agent_label"],
        "quantity": {"called human": "Judged human", "detectability": "Detectability"}[
            row["quantity"]
        ],
        "values": f"{row['new']:.3f} and {row['other']:.3f}",
        "difference": f"{row['difference']:+.3f}",
        "interval": interval,
        "p": format_p(row["p_adjusted"]) if tested else "",
        "over": row["error_over"] if tested else row["method"],
        "judges": f"{row['n_judges']:.0f} and {row['n_judges_other']:.0f}"
        if row["cohort"] != COHORT
        else f"{row['n_judges']:.0f}, the same",
    }
