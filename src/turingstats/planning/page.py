"""The page on a study to come."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd

import turingstats
from turingstats.config.planning import Plan
from turingstats.core import files
from turingstats.planning.tables import describe_answer, format_judges, format_power
from turingstats.report.captions import SHOWN, measure_size
from turingstats.report.cells import shorten_number
from turingstats.report.headings import CAPTIONS, TITLES


def build_context(
    folder: str | Path, study: dict[str, Any], plan: Plan, pictures: Iterable[str | Path]
) -> dict[str, Any]:
    """Collect what plan.html shows: tables and pictures of `folder`, and `StudyPlan.reported`."""
    folder = Path(folder)
    names = ("power", "designs", "assumptions", "looks")
    tables = {name: files.read_frame(folder / f"{name}.csv") for name in names}
    power = tables["power"]
    designs = tables["designs"].to_dict("records")
    methods = (folder / "methods.txt").read_text(encoding="utf-8").strip()
    return {
        "study": study,
        "plan": plan,
        "data": power["data"].iloc[0],
        "version": turingstats.__version__,
        "alpha": power["alpha"].iloc[0],
        "simulations": int(power["simulations"].iloc[0]),
        "answers": [
            {
                "label": row["question_label"],
                "found": row["found"],
                "text": describe_answer(row, plan),
                "judges": format_judges(row, plan) if row["found"] else "",
                "trials": f"{row['trials']:,.0f}" if row["found"] else "",
                "cost": f"{row['cost']:,.10g}" if row["found"] else "",
                "power": format_power(row) if row["found"] else "",
            }
            for row in designs
        ],
        "figures": [
            figure
            for name in ("power", "looks")
            if (figure := describe_picture(name, sorted(map(Path, pictures))))
        ],
        "grids": [lay_out_grid(rows) for _, rows in power.groupby("question", sort=False)],
        "assumptions": [
            {
                "quantity": row["quantity"],
                "value": f"{float(row['value']):.0f}"
                if row["quantity"] == "seed"
                else shorten_number(row["value"]),
                "source": row["source"],
            }
            for row in tables["assumptions"].to_dict("records")
        ],
        "looks_planned": any(
            row["found"] and row["question"] in set(tables["looks"]["question"]) for row in designs
        ),
        "looks": [
            lay_out_interim_analyses(rows)
            for _, rows in tables["looks"].groupby("kind", sort=False)
        ],
        "methods": methods,
    }


def describe_picture(name: str, pictures: list[Path]) -> dict[str, Any] | None:
    """Describe a picture of the page and its files; None if it was not drawn."""
    paths = {path.suffix[1:]: path for path in pictures if path.stem == name}
    if not paths:
        return None
    shown = next((paths[format] for format in SHOWN if format in paths), None)
    return {
        "id": name,
        "title": TITLES[name],
        "caption": CAPTIONS[name],
        "picture": shown and shown.name,
        "size": shown and measure_size(shown),
        "links": {format: path.name for format, path in paths.items()} | {"csv": f"{name}.csv"},
    }


def lay_out_grid(rows: pd.DataFrame) -> dict[str, Any]:
    """Lay out the power of one question by judges and trials."""
    trials = sorted(rows["trials"].unique())
    by_design = {(row["judges"], row["trials"]): row for row in rows.to_dict("records")}
    lines = [
        {
            "judges": f"{judges:,.0f}",
            "cells": [
                {
                    "power": f"{cell['power']:.3f}",
                    "interval": f"{cell['power_low']:.3f} to {cell['power_high']:.3f}",
                    "cost": f"{cell['cost']:,.10g}",
                    "reaches": cell["reaches"],
                    "cheapest": cell["cheapest"],
                }
                for cell in (by_design[judges, number] for number in trials)
            ],
        }
        for judges in sorted(rows["judges"].unique())
    ]
    errors = rows["errors"].dropna()
    return {
        "label": rows["question_label"].iloc[0],
        # The space at the end of a heading marks a column of numbers.
        "header": ["Judges ", *(f"{number:,.0f} trials " for number in trials)],
        "rows": lines,
        "errors": f"{errors.min():.1%} to {errors.max():.1%}" if len(errors) else "",
        "detectable": f"{rows['detectable'].min():.3f}"
        if rows["goal"].iloc[0] == "difference"
        else "",
        "widths": f"{rows['mean_width'].max():.3f} to {rows['mean_width'].min():.3f}"
        if rows["goal"].iloc[0] == "width"
        else "",
    }


def lay_out_interim_analyses(rows: pd.DataFrame) -> dict[str, Any]:
    """Lay out the interim analyses of one kind of boundaries."""
    first = rows.iloc[0]
    has_judges = rows["judges"].notna().all()
    looks = [
        {
            "look": f"{row['look']:.0f}",
            "fraction": f"{row['fraction']:.3g}",
            "z": f"{row['z']:.3f}" if row["z"] < 1e6 else "none",
            "p": f"{row['nominal_p']:.2g}"
            if row["nominal_p"] < 0.001
            else f"{row['nominal_p']:.4f}",
            "spent": f"{row['spent']:.4f}",
            "power": f"{row['power']:.3f}",
            "judges": f"{row['judges']:,.0f}" if has_judges else "",
        }
        for row in rows.to_dict("records")
    ]
    context = {
        "label": first["kind_label"],
        "question": first["question_label"],
        "looks": looks,
        "inflation": f"{first['inflation']:.3f}",
        "expected_null": f"{first['expected_null']:.3f}",
        "expected_effect": f"{first['expected_effect']:.3f}",
        "simulated": None,
    }
    if has_judges:
        context["simulated"] = {
            "number": f"{first['simulations']:,.0f}",
            "trials": f"{first['trials']:,.0f}",
            "null": f"{first['simulated_null']:.1%} ({first['null_low']:.1%} to {first['null_high']:.1%})",
            "power": f"{first['simulated_power']:.1%} ({first['simulated_low']:.1%} to "
            f"{first['simulated_high']:.1%})",
            "judges_null": f"{first['mean_judges_null']:,.0f}",
            "judges_effect": f"{first['mean_judges_effect']:,.0f}",
        }
    return context
