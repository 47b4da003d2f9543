"""Panel of agents' detectability against a score from the literature."""

import math
from collections.abc import Sequence
from typing import Any

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb

from turingstats.config.study import Study
from turingstats.config.study.panels import ScatterPanel
from turingstats.core.labels import format_with_noun, join_with_and, use_minus_signs
from turingstats.core.yaml_models import Reading
from turingstats.figures import pages
from turingstats.figures.kinds.base import PanelKind, Results, Rows
from turingstats.figures.look import Foot, Look, find_bounds
from turingstats.figures.marks import Key, draw_error_bar
from turingstats.figures.pages import LINE, SMALL, Box
from turingstats.figures.palette import GREY
from turingstats.figures.picking import label_agent, pick_estimate, pick_test, select_cohort_rows
from turingstats.figures.rows import DASHED, list_tenths

SCORES = {"bleu4": "BLEU-4", "cider": "CIDEr"}
SCATTER = 42  # height of a scatter's axes, mm
KEY = (1, 10, 100, 1_000, 10_000, 100_000, 1_000_000)
"""Sizes that the key may show, in million parameters."""


class Scatter(PanelKind):
    """Detectability of agents against a score."""

    kinds = ("scatter",)
    counts_judges = True

    def select(self, panel: ScatterPanel, results: Results, study: Study, reading: Reading) -> Rows:
        """Select detectability of agents, a score from the literature, and the declared correlation."""
        estimates = select_cohort_rows(results["estimates"], panel)
        estimates = estimates[
            (estimates["quantity"] == "detectability") & (estimates["group_by"] == "all")
        ]
        benchmarks = results["benchmarks"]
        if benchmarks is None:
            return []
        score, size = (
            benchmarks[benchmarks["measure"] == measure].set_index("agent")["value"]
            for measure in (panel.score, "parameters")
        )
        rows = [
            pick_estimate(row)
            | {
                "agent": agent,
                "agent_label": label_agent(agent, panel, study),
                "quantity": "detectability",
                "x": score[agent],
                "size": size.get(agent),
                "text": panel.score,
            }
            for agent in panel.agents
            if agent in score.index
            for row in estimates[estimates["agent"] == agent].to_dict("records")
        ]
        tests = results["tests"]
        if rows:
            for row in tests[tests["test_id"] == panel.test].to_dict("records"):
                correlation = {"kind": "correlation", "value": row["statistic"], "n": row["n1"]}
                rows.append(correlation | pick_test(panel.test, tests.set_index("test_id")))
        return rows

    def share_scales(self, data: pd.DataFrame) -> dict[str, Sequence[float]]:
        """Compute the scale of detectability and the sizes in the key, the same in all panels."""
        shown = data[data["kind"] == "scatter"]
        low, high = 0.5 * shown["size"].min(), 2 * shown["size"].max()
        sizes = [millions for millions in KEY if low <= millions <= high]
        # At most three: the smallest, the largest, and one between them.
        key = sorted({sizes[0], sizes[len(sizes) // 2], sizes[-1]}) if sizes else []
        return {"bounds": find_bounds(shown, 0.4, 0.7), "key": key}

    def measure_height(self, rows: pd.DataFrame, width: float, look: Look) -> float:
        # The largest circles are higher than a line of the key.
        key = make_key(rows, look, width - 12).height
        return LINE[SMALL] + 1 + SCATTER + 8.5 + (key + 4 if key else 0)

    def draw(self, canvas: Axes, rows: pd.DataFrame, box: Box, look: Look) -> None:
        """Draw agents' detectability against a score; circles grow with the logarithm of model size."""
        left, top, width = box.left + 9, box.top + LINE[SMALL] + 1, box.width - 12
        shown, correlations = rows[rows["kind"] == "scatter"], rows[rows["kind"] == "correlation"]
        axes = pages.add_inset(canvas, left, top, width, SCATTER)
        low, high = look.shared["scatter"]["bounds"]
        span = shown["x"].max() - shown["x"].min() or 1
        start, end = shown["x"].min() - 0.18 * span, shown["x"].max() + 0.18 * span
        axes.set(xlim=(start, end), ylim=(low, high))
        axes.set_yticks(list_tenths(low, high))
        score = shown["text"].iloc[0]
        axes.set_xlabel(SCORES.get(score, score), labelpad=1.5)
        axes.set_ylabel("Detectability", labelpad=2)
        axes.axhline(0.5, **DASHED)
        make_key(rows, look, width).draw(canvas, left, top + SCATTER + 10.5)
        scale = width / (end - start), SCATTER / (high - low)
        points, boxes = [], []
        for row in pages.list_records(shown):
            color, bar = look.find_series_style(row["agent"])[0], pages.find_bar_ends(row)
            size = style_circle(color, row["size"])
            axes.plot(row["x"], row["value"], **size, zorder=5 - 0.01 * size["ms"])
            # The bar lies on its pale circle.
            draw_error_bar(axes, row["x"], row["value"], bar, color, upright=True, zorder=6)
            # Millimeters of the page, in which circles and names are kept apart.
            x = left + scale[0] * (row["x"] - start)
            y, *ends = (top + scale[1] * (high - at) for at in (row["value"], *bar))
            r = size["ms"] / 2 * 25.4 / 72
            points.append((row, x, y, r))
            boxes += [(x - r, y - r, x + r, y + r), (x - 0.3, min(ends), x + 0.3, max(ends))]
        axes.patch.set_visible(False)
        frame = left + 0.5, top, left + width + 1, top + SCATTER
        chance = top + scale[1] * (high - 0.5)
        boxes.append((frame[0], chance - 0.2, frame[2], chance + 0.2))
        for row, x, y, r in points:
            boxes.append(find_clear_place(row["agent_label"], x, y, r, boxes, frame))
            place = boxes[-1][0], boxes[-1][3] - 0.5
            pages.write_lines(canvas, *place, row["agent_label"], SMALL, zorder=7)
        for row in pages.list_records(correlations):
            p = f"p = {row['p']:.2f}" if row["p"] >= 0.01 else f"p = {row['p']:.1g}"
            r = use_minus_signs(f"{row['value']:.3f}")
            text = f"r = {r}, {p}, {format_with_noun(row['n'], 'agent')}"
            pages.write_lines(canvas, left + width, top - 1.6, text, SMALL, ha="right", color=GREY)

    def explain(self, data: pd.DataFrame, foot: Foot) -> list[str]:
        shown = data[data["kind"] == "scatter"]
        unknown = shown.loc[shown["size"].isna(), "agent_label"].unique()
        smallest = (
            f" (smallest circle: size of {join_with_and(unknown)} unknown)" if len(unknown) else ""
        )
        return [
            f"{foot.define_detectability()}Bars, {foot.error}; dashed line, chance.",
            "Scores and sizes come from the literature; the diameter of a circle grows with the "
            f"logarithm of the number of parameters, which the key gives{smallest}.",
        ]


def style_circle(color: str, millions: float) -> dict[str, Any]:
    """Style the circle of a model of some million parameters; it is small if they are unknown."""
    radius = 0.7 if not millions >= 1 else 0.5 + 0.38 * math.log10(millions)
    face = {"mfc": (*to_rgb(color), 0.25), "mec": color, "mew": 0.7}
    return {"marker": "o", "ls": "", "ms": 2 * radius * 72 / 25.4} | face


def make_key(rows: pd.DataFrame, look: Look, width: float) -> Key:
    """Make the key of circles, if the size of any model is known."""
    sizes = look.shared["scatter"]["key"] if rows["size"].notna().any() else []
    names = [name_number(millions) for millions in sizes]
    circles = [style_circle(GREY, millions) for millions in sizes]
    return Key(zip(names, circles, strict=True), width)


def name_number(millions: int) -> str:
    """Name a number of million parameters, such as "10 billion"."""
    for size, word in ((1_000_000, "trillion"), (1000, "billion")):
        if millions >= size:
            return f"{millions / size:g} {word}"
    return f"{millions:g} million"


def find_clear_place(
    text: str,
    x: float,
    y: float,
    r: float,
    taken: list[tuple[float, float, float, float]],
    frame: tuple[float, float, float, float],
) -> tuple[float, float, float, float]:
    """Find a place for a name next to its circle (mm), with no or the least overlap."""
    wide, tall = pages.measure_text(text, SMALL) + 0.6, 2.6
    spots = []
    for gap in (0.4, 1.6, 3.2, 5):
        for dx, dy in ((1, 0), (-1, 0), (0, -1), (0, 1), (1, -1), (1, 1), (-1, -1), (-1, 1)):
            left = x + dx * (r + gap) - (0 if dx > 0 else wide if dx < 0 else wide / 2)
            up = y + dy * (r + gap) - (0 if dy > 0 else tall if dy < 0 else tall / 2)
            spots.append((left, up, left + wide, up + tall))

    def covered(spot: tuple[float, float, float, float]) -> float:
        outside = max(
            frame[0] - spot[0], spot[2] - frame[2], frame[1] - spot[1], spot[3] - frame[3]
        )
        over = sum(
            max(0, min(spot[2], other[2]) - max(spot[0], other[0]))
            * max(0, min(spot[3], other[3]) - max(spot[1], other[1]))
            for other in taken
        )
        return over + 10 * max(0, outside)

    return min(spots, key=covered)
