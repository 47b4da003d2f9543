"""Simulate judges under null hypotheses and report how often each test rejects them.

Run with `make calibration`; it takes several minutes and writes docs/calibration.md, .csv, .pdf, .svg, .png.
"""

import os
import sys
from pathlib import Path

from turingstats.core.processor import SETTINGS

# Before numpy is imported.
os.environ.update(SETTINGS)

import numpy as np
import pandas as pd
from scipy.special import expit

from tools import calibration
from turingstats.core import files
from turingstats.figures import pages, palette

DOCS = Path(__file__).parents[1] / "docs"
SEED = 2025
STUDIES = 1000
TEXT = """\
# Calibration: which tests keep their promise

All numbers here are from a simulation ({studies} studies for each row and spread, seed {seed}), none from
judges. `make calibration` makes this page, its table (`calibration.csv`) and its figure again.

A test at the level of 5% may reject a true null hypothesis in 5% of studies. It rejects more often
(is anti-conservative) when it takes the verdicts of one judge as independent, but judges differ. Here
every null hypothesis is true. On the logit scale judges differ in bias (calling everything a machine's)
and in sensitivity (telling machines from people), each with the standard deviation *spread*. The middle
95% of judges then have a P(M|M) of {range}.
Designs follow the paper: a judge sees {people} responses of people and {machines} of each of three agents;
there are {judges} judges, or two groups of {two}, or three of {three}; the online test has 47
conversations, each judged at 4 lengths. Cohorts that are compared have the judges and trials of Attention
prediction: {before} judges without feedback see few trials, {after} with feedback many; {online} online
judges are set against {experts} experts. For the residuals at 48 exchanges, 45 judges give about 3
verdicts at each of 9 lengths; scores are those of 8 agents, which differ in hardness as judges do; for
kappa, three people answer each of 785 questions with one of 11 colors, which the less alike are liked, the
larger the spread.

![Shares of simulated studies in which a true null hypothesis was rejected](calibration.png)

## In short

{short}

## All rates of rejection (of intervals: share that misses the true value)

**Bold**: above 5% by more than three standard errors. Far below 5% a test misses what is there:
it wastes judges.

{table}
"""


def summarize_rates(table):
    """Summarize the kinds of tests, computed from the table."""
    wide = table[table["spread"] == table["spread"].max()]
    lines = []
    for unit, used in (
        ("trial", "published"),
        ("trial", "alternative"),
        ("judge", "published"),
        ("judge", "recommended"),
    ):
        own = wide[(wide["unit"] == unit) & (wide["used_as"] == used)]
        if own.empty:
            continue
        low, high = own["rejected"].min(), own["rejected"].max()
        lines.append(
            f"- {used} tests with the {unit} as unit, at the largest spread: rejected {low:.1%} to "
            f"{high:.1%}; {int(own['anti_conservative'].sum())} of {len(own)} anti-conservative."
        )
    return "\n".join(lines)


def format_table(table):
    """Write the whole table, one column per spread."""
    rates = table["rejected"].map("{:.1%}".format)
    table = table.assign(rate=rates.where(~table["anti_conservative"], "**" + rates + "**"))
    key = ["hypothesis", "test", "unit", "used_as"]
    # Rows stay in the order of the simulation.
    order = pd.MultiIndex.from_frame(table[key].drop_duplicates())
    wide = table.pivot(index=key, columns="spread", values="rate").reindex(order)
    spreads = [f"spread {spread:g}" for spread in wide]
    lines = [
        "| " + " | ".join(["true null hypothesis", "test", "unit", "reading", *spreads]) + " |"
    ]
    lines.append("|" + " --- |" * (4 + len(spreads)))
    for key, rates in zip(wide.index, wide.to_numpy(), strict=True):
        # A bare bar would end the cell.
        key = [text.replace("|", "\\|") for text in key]
        lines.append("| " + " | ".join([*key, *rates]) + " |")
    return "\n".join(lines)


def draw_figure(table, studies):
    """Draw one row per test, one mark per spread, and a line at 5 %."""
    hypotheses = list(dict.fromkeys(table["hypothesis"]))
    tests = {
        h: list(dict.fromkeys(table.loc[table["hypothesis"] == h, "test"])) for h in hypotheses
    }
    row, head, left, top = 3.4, 5.2, 74, 17
    tall = sum(head + row * len(names) for names in tests.values())
    canvas = pages.make_page(pages.PAGE, top + tall + 14)
    title = "How often tests reject a true null hypothesis"
    pages.write_lines(canvas, pages.MARGIN, 5, title, pages.TITLE, weight="semibold")
    note = (
        f"Simulation, {studies} studies each; judges differ in bias and sensitivity with the given standard "
        "deviation on the logit scale"
    )
    pages.write_lines(canvas, pages.MARGIN, 9, note, pages.BODY, color=palette.GREY)
    axes = pages.add_inset(canvas, left, top, pages.PAGE - left - 6, tall)
    axes.set(xlim=(-0.01, 0.6), ylim=(tall, 0), yticks=[])
    axes.spines["left"].set_visible(False)
    axes.set_xticks([0, 0.05, 0.2, 0.4, 0.6], ["0", "5", "20", "40", "60"])
    axes.set_xlabel("Rejected at p < 0.05, or 95% interval that misses (% of studies)")
    axes.axvline(calibration.ALPHA, color=palette.GREY, linewidth=0.6, zorder=1)
    spreads = sorted(set(table["spread"]))
    keyed = table.set_index(["hypothesis", "test", "spread"]).sort_index()
    y = 0.0
    for hypothesis, names in tests.items():
        y += head
        text = hypothesis[0].upper() + hypothesis[1:]
        pages.write_lines(canvas, pages.MARGIN, top + y - 1.3, text, weight="semibold")
        for name in names:
            y += row
            own = keyed.loc[(hypothesis, name)]
            used, bad = own["used_as"].iloc[0], own["anti_conservative"].any()
            color = palette.RED if bad else palette.INK
            pages.write_lines(
                canvas, pages.MARGIN + 2, top + y - 0.9, f"{name} ({used})", color=color
            )
            axes.axhline(y - row / 2, color=palette.PALE, linewidth=0.3, zorder=0)
            for i, spread in enumerate(spreads):
                axes.errorbar(
                    own.loc[spread, "rejected"], y - row / 2 + 0.7 * (i - 1),
                    xerr=1.96 * own.loc[spread, "se"], fmt=palette.MARKERS[i], color=palette.SERIES[i],
                    markersize=2.6, linewidth=0.7, zorder=3,
                    label=f"standard deviation {spread:g}" if y < head + 2 * row else None,
                )  # fmt: skip
    axes.legend(
        loc="lower right", bbox_to_anchor=(1, 1), ncols=len(spreads), frameon=False, fontsize=7
    )
    foot = (
        "Red: above 5% by more than three standard errors in some spread. "
        "Bars: 95% intervals of the simulation."
    )
    pages.write_lines(canvas, pages.MARGIN, top + tall + 12, foot, pages.SMALL, color=palette.GREY)
    pages.save_figure(canvas.figure, [DOCS / "calibration.png"], 200)


def describe_range(spread):
    """Write the middle 95 % of judges' P(M|M) if bias and sensitivity both have this standard deviation."""

    low, high = expit(np.array([-1.96, 1.96]) * spread * np.sqrt(2))
    return f"{low:.0%} to {high:.0%} at spread {spread:g}"


def write_report(table):
    """Write the text and the figure from the table."""
    studies = int(table["n"].max())
    spreads = sorted(set(table["spread"]) - {0.0})
    text = TEXT.format(
        studies=studies, seed=SEED, people=calibration.CHANCE.people, machines=calibration.CHANCE.machines,
        before=calibration.SHORT.judges, after=calibration.LONG.judges, online=calibration.MANY.judges,
        experts=calibration.FEW.judges,
        judges=calibration.CHANCE.judges, two=calibration.GROUPS.judges, three=calibration.THREE.judges,
        range=", ".join(describe_range(spread) for spread in spreads),
        short=summarize_rates(table), table=format_table(table),
    )  # fmt: skip
    files.write_text(text, DOCS / "calibration.md")
    draw_figure(table, studies)


def main(studies):
    """Simulate, and write the table, the figure and the text."""
    table = calibration.simulate_studies(studies, SEED).assign(data="simulation")
    files.write_frame(table, DOCS / "calibration.csv")
    write_report(table)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES)
