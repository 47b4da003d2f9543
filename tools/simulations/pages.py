"""The pages of simulated studies, from their tables and the templates in docs/."""

import importlib
from pathlib import Path

import numpy as np
import pandas as pd
import yaml
from scipy.special import expit

from tools import ROOT
from tools.simulations import LEVEL, SEED, calibration
from tools.templates import render_page
from turingstats.core import files

HEADS = yaml.safe_load(Path(__file__).with_name("heads.yaml").read_text(encoding="utf-8"))
"""Heads of columns."""
MEASURES = ["n", "coverage", "width", "too_high", "too_low", "df", "data"]
"""Columns that do not name a row."""


def write_pages() -> None:
    """Write docs/calibration.md and docs/coverage.md."""
    paths = sorted((ROOT / "docs/simulations").glob("*.csv"))
    tables = {path.stem: pd.read_csv(path) for path in paths}
    modules = {name: importlib.import_module(f"tools.simulations.{name}") for name in tables}
    for page in ("calibration", "coverage"):
        text = render_page(
            page,
            **tables,
            modules=modules,
            seed=SEED,
            error=196 * np.sqrt(LEVEL * (1 - LEVEL) / tables["judges"]["n"].max()),
            list_ranges=list_ranges,
            widen=widen,
            compare_widths=compare_widths,
            count_inside=count_inside,
            list_rejections=list_rejections,
            sum_up_rejections=sum_up_rejections,
            describe_range=describe_range,
            describe_shares=describe_shares,
        )
        files.write_text(text + "\n", ROOT / f"docs/{page}.md")


def widen(table: pd.DataFrame, column: str, measure: str = "coverage") -> pd.DataFrame:
    """Give each kind of interval, or quantity, in a column of the table a column of its own."""
    index = [name for name in table if name not in (column, *MEASURES)]
    wide = table.pivot(index=index, columns=column, values=measure)
    return wide[table[column].unique()]


def compare_widths(table: pd.DataFrame) -> pd.DataFrame:
    """Say by how much each prediction-powered interval is narrower than that of people alone."""
    width = widen(table, "interval", "width")
    narrower = 1 - width["prediction-powered"] / width["people alone"]
    return widen(table, "interval").assign(narrower=narrower)


def list_ranges(table: pd.DataFrame, by: list[str]) -> str:
    """List in percent from where to where the columns reach in rows of the same index `by`."""
    rows = []
    for group, part in table.groupby(by, sort=False):
        ends = (100 * part).agg(["min", "max"]).round(1).T.to_numpy()
        ranges = [f"{low:.1f}" + f" to {high:.1f}" * bool(high > low) for low, high in ends]
        rows.append([*map(str, group), *ranges])
    return write_rows([HEADS.get(name, name) for name in (*by, *table)], rows)


def write_rows(heads: list[str], rows: list[list[str]]) -> str:
    """Write a table in Markdown."""
    lines = [heads, ["---"] * len(heads), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def count_inside(table: pd.DataFrame, column: str) -> str:
    """Count in a line for each kind of interval how many rows have the coverage that they should."""
    lines = []
    for kind, own in table.groupby(column, sort=False)["coverage"]:
        share = 100 * own
        lines.append(
            f"- {kind}: {share.min():.1f}% to {share.max():.1f}%; {share.between(93, 97).sum()} of "
            f"{len(own)} rows within 93% to 97%, {(share < 93).sum()} below, {(share > 97).sum()} above."
        )
    return "\n".join(lines)


def find_anti_conservative(table: pd.DataFrame) -> pd.Series:
    """Find the tests that reject more often than they may, by more than three standard errors."""
    alpha = calibration.ALPHA
    return table["rejected"] > alpha + 3 * np.sqrt(alpha * (1 - alpha) / table["n"])


def sum_up_rejections(table: pd.DataFrame) -> str:
    """Sum up in a line each the kinds of tests, at the largest spread."""
    wide = table[
        (table["spread"] == table["spread"].max()) & table["unit"].isin(["trial", "judge"])
    ]
    lines = []
    for (unit, used), own in wide.groupby(["unit", "used_as"]):
        if used != "beside":
            lines.append(
                f"- {used} tests with the {unit} as unit, at the largest spread: rejected "
                f"{own['rejected'].min():.1%} to {own['rejected'].max():.1%}; "
                f"{find_anti_conservative(own).sum()} of {len(own)} anti-conservative."
            )
    return "\n".join(lines)


def list_rejections(table: pd.DataFrame) -> str:
    """List how often each test rejects, with a column for each spread."""
    shares = table["rejected"].map("{:.1%}".format)
    table = table.assign(share=shares.where(~find_anti_conservative(table), "**" + shares + "**"))
    key = ["hypothesis", "test", "unit", "used_as"]
    wide = table.pivot(index=key, columns="spread", values="share")
    # In the order of the simulation, with all tests of a hypothesis together.
    order = table[key].drop_duplicates().groupby("hypothesis", sort=False, group_keys=False)
    spreads = [f"spread {spread:g}" for spread in wide]
    rows = []
    for hypothesis, tests in order:
        for place, names in enumerate(tests.itertuples(index=False, name=None)):
            # A bare bar would end the cell.
            shown = "" if place else hypothesis.replace("|", "\\|")
            rows.append([shown, names[1], ", ".join(names[2:]), *wide.loc[names]])
    return write_rows(["true null hypothesis", "test", "unit, reading", *spreads], rows)


def describe_range(spread: float) -> str:
    """Write the middle 95% of judges' P(M|M) if bias and sensitivity both have this standard deviation."""
    low, high = expit(np.array([-1.96, 1.96]) * spread * np.sqrt(2))
    return f"{low:.0%} to {high:.0%} at spread {spread:g}"


def describe_shares(shares: pd.Series) -> str:
    """Write from where to where shares reach, in percent."""
    return f"{100 * shares.min():.1f}% to {100 * shares.max():.1f}%"
