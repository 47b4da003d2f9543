"""Panel of a confusion matrix: who made a response against what it was judged to be."""

import math
from collections.abc import Mapping
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import Colormap

from turingstats.config.study import Study
from turingstats.config.study.panels import MatrixPanel
from turingstats.core.labels import join_with_and
from turingstats.core.yaml_models import Reading
from turingstats.figures.hover import describe_number, title_mark
from turingstats.figures.kinds.base import PanelKind
from turingstats.figures.look import Foot, Look
from turingstats.figures.pages import (
    BODY,
    LINE,
    SMALL,
    choose_ink,
    draw_box,
    format_spread,
    list_records,
    measure_text,
    wrap_text,
    write_lines,
)
from turingstats.figures.palette import GREY
from turingstats.figures.picking import (
    NUMBERS,
    explain_panel_absence,
    label_agent,
    pick_estimate,
    select_cohort_rows,
)

VERDICTS = {"H": "human", "M": "machine", "U": "unsure"}
"""Verdicts by their letter in the name of a rate."""

POOLED = {"human.p_HH": "people's", "all.p_MM": "machines'"}
"""Rates of all responses of a kind, by agent and quantity, and whose responses they are about."""

LABELS, WIDEST = 15.5, 30  # minimum width of row labels and maximum width of a cell, mm
FLAT = 4.7  # height of a one-line row, mm


class Matrix(PanelKind):
    """A confusion matrix."""

    kinds = ("matrix",)
    counts_judges = True
    shows_rates_in_color = True

    def select(
        self, panel: MatrixPanel, results: dict[str, pd.DataFrame], study: Study, reading: Reading
    ) -> list[dict[str, Any]]:
        """Select a confusion matrix, with the rates of the judge trained here if one is declared.

        If it takes the place of the paper's judge, `text` gives the printed rates of that one.
        """
        cells = select_rates(panel, results, study)
        cohort = study.tasks[panel.task].cohorts.get(panel.beside)
        if cohort is None:
            return cells
        trained = select_rates(panel.model_copy(update={"cohort": panel.beside}), results, study)
        own = {
            "cohort": panel.beside,
            "cohort_label": cohort.label,
            "judge_kind": cohort.judge_kind,
        }
        task = study.tasks[panel.task]
        if not cells:
            why = explain_panel_absence(panel, task, results)
            own |= {"title": cohort.label, "note": f"{why}; trained here instead"}
            printed, whose = results.get("printed", {}), (panel.task, panel.cohort, "all")
            rates = {rate: printed.get((*whose, *rate.split("."))) for rate in POOLED}
            own["text"] = describe_shares("Printed for the paper's judge", rates)
            return [row | own for row in trained]
        if not trained:
            lacking = explain_panel_absence(
                panel.model_copy(update={"cohort": panel.beside}), task, results
            )
            if panel.level and not lacking.startswith("not trained"):
                lacking = f"no responses of {panel.level}"
            why = f"no judge trained here ({lacking.removeprefix('not trained: ')})"
            note = "; ".join(filter(None, [panel.note.get(reading), why]))
            return [row | {"note": note} for row in cells]
        return cells + [
            row | own | {"kind": "beside", "n_judges": None, "mark": None}
            for row in trained
            if f"{row['agent']}.{row['quantity']}" in POOLED
        ]

    def measure_height(self, rows: pd.DataFrame, width: float, look: Look) -> float:
        """Measure the height below the title (mm)."""
        *_, placed = place_rows(rows[rows["kind"] == "matrix"], width, look)
        _, y, tall = placed[-1]
        below = len(describe_other_judge(rows, width))
        return y + tall + (LINE[SMALL] * below + 0.8 if below else 0)

    def draw(
        self,
        canvas: Axes,
        rows: pd.DataFrame,
        left: float,
        top: float,
        width: float,
        height: float,
        look: Look,
    ) -> None:
        """Draw a confusion matrix: who made a response (rows) against the verdict (columns)."""
        below = describe_other_judge(rows, width)
        rows = rows[rows["kind"] == "matrix"]
        labels, flat, size, placed = place_rows(rows, width, look)
        verdicts = list_verdicts(rows)
        apart = 1.5 if "unsure" in verdicts else 0
        cell = min((width - labels - apart) / len(verdicts), WIDEST)
        titles = ["Unsure" if verdict == "unsure" else f"Judged {verdict}" for verdict in verdicts]
        # If one title needs two lines, all get two.
        two = any(measure_text(title, SMALL) > cell for title in titles)
        for column, title in enumerate(titles):
            title = title.split() if two else [title]
            middle = left + labels + (column + 0.5) * cell + (apart if column == 2 else 0)
            bottom = top + measure_head_height(look) - 1.3 - LINE[SMALL] * (len(title) - 1)
            write_lines(canvas, middle, bottom, title, SMALL, ha="center", color=GREY)
        write_lines(
            canvas, left, top + measure_head_height(look) - 1.3, "Made by", SMALL, color=GREY
        )
        for part, y, tall in placed:
            first, y = part.iloc[0], top + y
            count = f"n = {first['n']:,.0f}"
            start = left + measure_indent(first, rows)
            if flat:
                middle = y + tall / 2 + 0.9
                write_lines(canvas, start, middle, first["agent_label"])
                write_lines(
                    canvas, left + labels - 1.5, middle, count, SMALL, ha="right", color=GREY
                )
            else:
                write_row_label(canvas, first["agent_label"], count, start, y, tall, labels, size)
            values = format_rates(part)
            for row in list_records(part):
                column = "HMU".index(row["quantity"][2])
                x = left + labels + column * cell + (apart if column == 2 else 0)
                text = values[row["quantity"]]
                draw_matrix_cell(canvas, row, text, x, y, cell, tall, look.colormap, flat)
            if first["mark"] == "best imitator":
                draw_box(
                    canvas, left + labels, y, 2 * cell, tall, fill=False, edgecolor="black", lw=1.3
                )
        write_lines(canvas, left, y + tall + LINE[SMALL], below, SMALL, color=GREY)

    def explain(self, data: pd.DataFrame, foot: Foot) -> list[str]:
        """Return sentences for the foot of the figure."""
        shown = data[data["kind"] == "matrix"]
        unsure = shown["quantity"].str.startswith("p_U").any()
        adds = "Human and machine add to 1" if unsure else "Each row adds to 1"
        sentences = [f"{adds}; in parentheses, {foot.error}; n, verdicts."]
        if not all(map(format_spread, list_records(shown))):
            sentences.append(foot.lacking)
        if shown["group"].notna().any():
            sentences.append(
                "Rows with H-H, H-M, M-M: conversations of people, of both, of machines."
            )
        if (shown["mark"] == "best imitator").any():
            within = " in each kind of conversation" if shown["group"].notna().any() else ""
            sentences.append(
                f"Black frame: the model most often judged human{within}, and those that differ from it by "
                "less than the standard error of the difference."
            )
        if unsure:
            sentences.append(
                "Unsure: share of all verdicts; the other columns and n leave these out."
            )
        if "beside" in foot.kinds:
            sentences.append(
                "Trained here: shares that a support vector machine trained on the available responses "
                "classified correctly; the matrix shows the paper's judge."
            )
        return sentences


def select_rates(
    panel: MatrixPanel, results: dict[str, pd.DataFrame], study: Study
) -> list[dict[str, Any]]:
    """Select the rates of a confusion matrix, and mark the agent most often judged human."""
    estimates = select_cohort_rows(results["estimates"], panel)
    keys, at = ("group_by", "group", "agent", "quantity"), {}
    shown = estimates.loc[estimates["n"] > 0, [*keys, *NUMBERS]]
    for row in shown.to_dict("records"):
        at.setdefault(tuple(row[key] for key in keys), []).append(row)
    cells = []
    for name in panel.rows or ("human", *panel.agents):
        agent, _, part = name.partition("@")
        group_by, group = find_row_level(panel, part)
        for verdict in "HMU":
            quantity = f"p_{verdict}{'H' if agent == 'human' else 'M'}"
            cells += [
                pick_estimate(row)
                | {
                    "group_by": panel.by if part else None,
                    "group": part or None,
                    "agent": agent,
                    "agent_label": label_agent(name, panel, study),
                    "quantity": quantity,
                }
                for row in at.get((group_by, group, agent, quantity), [])
            ]
    mark_best_imitators(cells)
    return cells


def mark_best_imitators(rows: list[dict[str, Any]]) -> None:
    """Mark the agents most often judged human, among those of the same group, unless there is only one.

    An agent that differs from the best by less than the standard error of the difference is as good.
    """
    fooling = [row for row in rows if row["quantity"] == "p_HM" and row["agent"] != "all"]
    for group in dict.fromkeys(row["group"] for row in fooling):
        of_group = [row for row in fooling if row["group"] == group]
        best = max(of_group, key=lambda row: row["value"])
        alike = {row["agent"] for row in of_group if is_as_good(row, best)}
        # Where nobody stands out, there is nothing to mark.
        if len(alike) == len(of_group):
            continue
        for row in rows:
            if row["group"] == group and row["agent"] in alike:
                row["mark"] = "best imitator"


def is_as_good(row: dict[str, Any], best: dict[str, Any]) -> bool:
    """Tell whether a rate is the best one, or below it by less than the standard error of the difference."""
    below = best["value"] - row["value"]
    return below == 0 or below < math.hypot(row["se"], best["se"])


def find_row_level(panel: MatrixPanel, part: str) -> tuple[str, str]:
    """Find the condition and level of a matrix row; a level of crossed conditions applies to all rows."""
    if not part:
        if not panel.level:
            return "all", "all"
        return panel.by.rpartition("+")[2] if panel.rows else panel.by, panel.level
    return panel.by, f"{part}/{panel.level}" if panel.level else part


def describe_shares(judge: str, rates: Mapping[str, float | None]) -> str | None:
    """Describe the rates of a judge, given by `POOLED`; None if there are none."""
    shares = [f"{rates[rate]:.0%} of {whose}" for rate, whose in POOLED.items() if rates.get(rate)]
    return f"{judge}: right on {join_with_and(shares)} responses" if shares else None


def describe_other_judge(rows: pd.DataFrame, width: float) -> list[str]:
    """Describe the judge trained here, or the paper's that it replaces, in lines; empty if there is none."""
    beside = rows[rows["kind"] == "beside"]
    rates = dict(zip(beside["agent"] + "." + beside["quantity"], beside["value"], strict=True))
    text = describe_shares("Trained here", rates) or next(iter(rows["text"].dropna()), "")
    return wrap_text(text, width, SMALL) if text else []


def list_verdicts(rows: pd.DataFrame) -> tuple[str, ...]:
    """List the columns of a matrix, including unsure if any verdict is unsure."""
    unsure = rows["quantity"].str.startswith("p_U").any()
    return ("human", "machine", "unsure") if unsure else ("human", "machine")


def write_row_label(
    canvas: Axes,
    name: str,
    count: str,
    left: float,
    top: float,
    height: float,
    width: float,
    size: float,
) -> None:
    """Write a row's name with its number of trials below it."""
    start = top + height / 2 - measure_name_height(name, width, size) / 2
    lines = wrap_text(name, width - 2, size)
    write_lines(canvas, left, start + (2.2 if size == BODY else 2), lines, size)
    write_lines(canvas, left, start + len(lines) * LINE[size] + 1.9, count, SMALL, color=GREY)


def choose_name_size(rows: pd.DataFrame, width: float, look: Look) -> int:
    """Choose the text size of all row names, so that each fits into a column of a given width (mm)."""
    most = 1 if look.tight else 2
    fits = all(len(wrap_text(name, width - 2)) <= most for name in rows["agent_label"].unique())
    return BODY if fits else SMALL


def measure_name_height(name: str, width: float, size: float) -> float:
    """Measure the height of a row's name and number of trials (mm)."""
    return len(wrap_text(name, width - 2, size)) * LINE[size] + LINE[SMALL]


def measure_label_column(rows: pd.DataFrame, width: float, look: Look) -> tuple[float, bool]:
    """Measure the width of the row labels (mm), and tell whether rows have one line."""
    names = rows.drop_duplicates("agent_label")
    widest = max(
        measure_text(row["agent_label"]) + measure_indent(row, rows) for row in list_records(names)
    )
    counts = max(measure_text(f"n = {n:,.0f}", SMALL) for n in rows["n"])
    needed = widest + counts + 4.5
    if look.tight and (width - needed) / len(list_verdicts(rows)) >= 21:
        return needed, True
    # Wide panels have space for names in one line.
    return max(LABELS, min(widest + 2, 0.3 * width)), False


def measure_indent(row: dict[str, Any] | pd.Series, rows: pd.DataFrame) -> int:
    """Return the indent (mm) of a part, such as people in one type of conversation, below its whole."""
    whole = rows.loc[rows["group"].isna(), "agent"]
    return 2 if row["group"] == row["group"] and row["agent"] in set(whole) else 0


def place_rows(
    rows: pd.DataFrame, width: float, look: Look
) -> tuple[float, bool, int, list[tuple[pd.DataFrame, float, float]]]:
    """Place the rows of a matrix.

    Returns the width of the row labels and whether rows have one line (`measure_label_column`), the text size
    of their names, and the rows with their positions below the top (mm) and heights; parts of an agent are
    close together.
    """
    labels, flat = measure_label_column(rows, width, look)
    size = choose_name_size(rows, labels, look)
    parts = rows["group"].notna().any()
    y, last, placed = measure_head_height(look), None, []
    for (agent, _), row_cells in rows.groupby(["agent", "group"], sort=False, dropna=False):
        y += 1 if parts and last not in (None, agent) else 0
        needed = measure_name_height(row_cells["agent_label"].iloc[0], labels, size)
        tall = FLAT if flat else max(measure_cell_height(look), needed)
        placed.append((row_cells, y, tall))
        y, last = y + tall, agent
    return labels, flat, size, placed


def format_rates(rows: pd.DataFrame) -> dict[str, Any]:
    """Format the rates of a row with two decimals; machine is what human leaves, so that both add to 1."""
    # Halves are rounded up, also where their binary fractions are slightly below.
    rounded = {row["quantity"]: round(row["value"] + 1e-9, 2) for row in list_records(rows)}
    for name in [name for name in rounded if name.startswith("p_H")]:
        other = name.replace("p_H", "p_M")
        if other in rounded:
            rounded[other] = 1 - rounded[name]
    return {name: f"{value:.2f}" for name, value in rounded.items()}


def draw_matrix_cell(
    canvas: Axes,
    row: dict[str, Any],
    value: str,
    left: float,
    top: float,
    width: float,
    height: float,
    colormap: Colormap,
    flat: bool,
) -> None:
    """Draw a rate in its color, with its error below or next to it."""
    color = colormap(row["value"])
    ink = choose_ink(color)
    marks = [
        draw_box(canvas, left, top, width, height, facecolor=color, edgecolor="white", zorder=0.5)
    ]
    small = format_spread(row)
    middle = left + width / 2
    if flat:
        y = top + height / 2 + 0.9
        across = measure_text(value) + (measure_text(small, SMALL) + 1 if small else 0)
        marks += write_lines(canvas, middle - across / 2, y, value, color=ink)
        marks += write_lines(canvas, middle + across / 2, y, small, SMALL, ha="right", color=ink)
    else:
        y = top + height / 2
        style: dict[str, Any] = {"ha": "center", "color": ink}
        marks += write_lines(canvas, middle, y + (-0.3 if small else 0.9), value, **style)
        marks += write_lines(canvas, middle, y + 2.6, small, SMALL, **style)
    for mark in marks:
        title_mark(
            mark, describe_number(row | {"quantity": f"judged {VERDICTS[row['quantity'][2]]}"})
        )


def measure_head_height(look: Look) -> float:
    """Return the height of the column titles (mm)."""
    return 5.8 if look.tight else 7


def measure_cell_height(look: Look) -> float:
    """Return the minimum height of a row (mm)."""
    return 7.6 if look.tight else 8.6
