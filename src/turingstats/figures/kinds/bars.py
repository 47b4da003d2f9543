"""Panel of detectability by agent and group, with tests against chance and between groups."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from turingstats.config.study import Study
from turingstats.config.study.panels import BarsPanel
from turingstats.core.labels import THRESHOLD, format_with_noun
from turingstats.core.yaml_models import Reading
from turingstats.figures.hover import describe_number, title_mark
from turingstats.figures.kinds.base import PanelKind
from turingstats.figures.look import DETECTABILITY, Foot, Look, explain_asterisk, find_bounds
from turingstats.figures.marks import draw_estimate
from turingstats.figures.pages import (
    BODY,
    LINE,
    SMALL,
    add_inset,
    arrange_in_lines,
    list_records,
    measure_text,
    wrap_text,
    write_lines,
)
from turingstats.figures.palette import BLUE, GREY, PALE, RED
from turingstats.figures.picking import (
    label_agent,
    pick_estimate,
    pick_test,
    select_cohort_rows,
)

CHANCE = 2.6  # height of the word for chance in a chart, mm
STAR, BRACKET = 2.8, 2.4  # widths of the columns of asterisks and of brackets, mm
ASTERISK = {"marker": (6, 2, 0), "ms": 3.4, "mew": 0.9}
MARKER, CAP = 2.8, 1.8  # size of a marker and half the height of the caps of its error bar, pt


class Bars(PanelKind):
    """Detectability by agent and group."""

    kinds = ("bars",)

    def select(
        self, panel: BarsPanel, results: dict[str, pd.DataFrame], study: Study, reading: Reading
    ) -> list[dict[str, Any]]:
        """Select detectability by group and agent, with p against chance and between groups.

        Groups are groups of judges, levels of a condition, or whole cohorts.
        """

        estimates, p_of = results["estimates"], results["tests"].set_index("test_id")
        estimates = estimates[estimates["quantity"] == "detectability"]
        cohorts, declared = panel.cohort_names, study.tasks[panel.task].cohorts
        tables, absent = [], []
        for cohort in cohorts:
            table = select_cohort_rows(estimates, panel, cohort)
            table = table[table["group_by"] == ((not panel.cohorts and panel.by) or "all")]
            name = declared[cohort].label if cohort in declared else cohort
            test = table["group"].where(table["group"] != "all", "")
            if panel.cohorts:
                test = cohort
            if panel.cohorts or not panel.by:
                table = table.assign(group_by="cohort", group=name)
            if panel.levels:
                table = table[table["group"].isin(panel.levels)]
                table = table.sort_values("group", key=lambda g: g.map(panel.levels.index))
            tables.append(table.assign(test=test))
            if table.empty:
                absent.append(f"no data of {name}")
        selected = pd.concat(tables)
        rows = []
        for agent in panel.agents:
            shared = {"agent": agent, "agent_label": label_agent(agent, panel, study)}
            mine = selected[(selected["agent"] == agent) & selected["value"].notna()].to_dict(
                "records"
            )
            for row in mine:
                shared["group_by"] = row["group_by"]
                test = f"{panel.chance_test}.{agent}.{row['test']}".rstrip(".")
                keys = {"group": row["group"], "quantity": "detectability"}
                if panel.cohorts:
                    name = row["cohort"]
                    keys |= {"cohort": name, "cohort_label": declared[name].label}
                    keys["judge_kind"] = declared[name].judge_kind
                rows.append(pick_estimate(row) | shared | keys | pick_test(test, p_of))
            between = pick_test(f"{panel.group_test}.{agent}", p_of)
            if between and mine:
                rows.append({"kind": "group test"} | shared | between)
        if absent:
            note = ", ".join([*filter(None, [panel.note.get(reading)]), *absent])
            rows = [row | {"note": note} for row in rows]
        return rows

    def share_scales(self, data: pd.DataFrame, tight: bool) -> dict[str, Any]:
        """Compute the scale, the widest names, and whether a key is needed."""
        charts = data[data["kind"] == "bars"]
        pies = set(data.loc[data["kind"] == "pie", "group_by"])
        size = SMALL if tight else BODY
        return {
            # Rings already serve as a key.
            "key": not (tight and set(charts["group_by"]) <= pies),
            "limits": find_bounds(charts, 0.4, 0.7),
            "names": max(measure_text(name, size) for name in charts["agent_label"].unique()),
            "counts": max(measure_text(f"{n:,.0f}", SMALL) for n in charts["n"]),
            "tested": {
                "chance": (charts["p_adjusted"] < THRESHOLD).any(),
                "groups": (data.loc[data["kind"] == "group test", "p_adjusted"] < THRESHOLD).any(),
            },
        }

    def measure_height(self, rows: pd.DataFrame, width: float, look: Look) -> float:
        """Measure the height below the title (mm)."""
        shown = rows[rows["kind"] == "bars"]
        key = len(arrange_key(shown, width, look)) * LINE[SMALL]
        names = place_agents(shown, width, look)
        return key + CHANCE + sum(tall for _, tall in names.values()) + measure_axis(look)

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
        """Draw a row per agent with a mark per group, chance, and asterisks of the tests at the right.

        Marks with error bars are used because zero has no meaning on this scale and bars would mislead.
        """
        shown, tests = rows[rows["kind"] == "bars"], rows[rows["kind"] == "group test"]
        groups = list(shown["group"].unique())
        key = arrange_key(shown, width, look)
        draw_group_key(canvas, key, left, top, look)
        top += len(key) * LINE[SMALL]
        size = SMALL if look.tight else BODY
        names = place_agents(shown, width, look)
        before = measure_names(width, look)
        columns = measure_columns(look)
        long = width - before - sum(columns)
        tall = CHANCE + sum(row_height for _, row_height in names.values())
        axes = add_inset(canvas, left + before, top, long, tall)
        low, high = look.shared["bars"]["limits"]
        axes.set(xlim=(low, high), ylim=(tall, 0), yticks=[])
        axes.patch.set_visible(False)
        axes.spines["left"].set_visible(False)
        axes.set_xticks([step / 10 for step in range(round(10 * low), round(10 * high) + 1)])
        axes.tick_params(labelsize=SMALL)
        if not look.tight:
            axes.set_xlabel("Detectability", labelpad=1.5, size=SMALL)
        axes.plot([0.5, 0.5], [CHANCE, tall], color=GREY, linewidth=0.6, dashes=(4, 3), zorder=0)
        # The word stays inside the chart at either end of the scale.
        side = "left" if low > 0.47 else "right" if high < 0.53 else "center"
        axes.text(0.5, CHANCE - 0.6, "chance", size=SMALL, color=GREY, ha=side)
        edge, y = left + before + long, CHANCE
        pitch = measure_pitch(look)
        for agent, (lines, row_height) in names.items():
            middle = y + row_height / 2
            first = top + middle + 0.85 - LINE[size] * (len(lines) - 1) / 2
            write_lines(canvas, left + before - 1.5, first, lines, size, ha="right")
            if y > CHANCE:
                axes.plot([low, high], [y, y], color=PALE, linewidth=0.3, zorder=0)
            middles = []
            for row in list_records(shown[shown["agent"] == agent]):
                shift = groups.index(row["group"]) - (len(groups) - 1) / 2
                middles.append(middle + pitch * shift)
                style = look.find_style(row)
                draw_estimate(
                    axes, row["value"], middles[-1], row, style.color, style.marker, cap=CAP, ms=MARKER,
                    mfc=style.marks["mfc"],
                )  # fmt: skip
                if row["p_adjusted"] < THRESHOLD:
                    canvas.plot(edge + STAR / 2, top + middles[-1], color=BLUE, **ASTERISK)
                if not look.tight:
                    right, at = left + width, top + middles[-1] + 0.75
                    text = f"{row['n']:,.0f}"
                    write_lines(canvas, right, at, text, SMALL, ha="right", color=GREY)
            between = tests[(tests["agent"] == agent) & (tests["p_adjusted"] < THRESHOLD)]
            for row in list_records(between):
                x = edge + columns[0] + 0.4
                style = {"color": RED, "linewidth": 0.7}
                canvas.plot([x, x], [top + middles[0], top + middles[-1]], **style)
                for place in middles:
                    canvas.plot([x - 0.6, x], [top + place] * 2, **style)
                at = top + (middles[0] + middles[-1]) / 2
                (mark,) = canvas.plot(x + 1.5, at, color=RED, **ASTERISK)
                title_mark(mark, describe_number(row))
            y += row_height

    def explain(self, data: pd.DataFrame, foot: Foot) -> list[str]:
        """Return sentences for the foot of the figure."""
        shown, sentences = data[data["kind"] == "bars"], []
        if not foot.look.shared["bars"]["key"]:
            sentences.append(
                "Charts: detectability on the axis; groups in the colors of the rings and, from top to "
                "bottom, in their order."
            )
        elif not foot.look.tight:
            sentences.append("Numbers at the right of charts: verdicts.")
        sentences.append(f"{DETECTABILITY} Error bars, {foot.error}; dashed line, chance.")
        sentences.append(explain_asterisk(shown, "Blue", "differs from chance"))
        if shown["role"].astype(str).str.startswith("classifier trained here").any():
            sentences.append('Judges not "trained here" are the paper\'s.')
        return sentences


def measure_pitch(look: Look) -> float:
    """Return the distance of the marks of an agent (mm)."""
    return 1.6 if look.tight else 2.5


def measure_axis(look: Look) -> float:
    """Return the height of the axis below a chart (mm)."""
    return 3.6 if look.tight else 6.8


def measure_names(width: float, look: Look) -> float:
    """Return the width of the column of agents' names (mm), the same in all panels of a width."""
    return min(0.36 * width, look.shared["bars"]["names"] + 2)


def measure_columns(look: Look) -> tuple[float, float, float]:
    """Return the widths of the columns for asterisks, brackets and numbers of verdicts (mm)."""
    tested = look.shared["bars"]["tested"]
    counts = 0 if look.tight else look.shared["bars"]["counts"] + 1
    # Without either kind of asterisk, the last tick label still needs some room.
    star = STAR if tested["chance"] else 1.5
    return star, BRACKET + 1 if tested["groups"] else 0, counts


def place_agents(
    shown: pd.DataFrame, width: float, look: Look
) -> dict[str, tuple[list[str], float]]:
    """Wrap the agents' names and measure the heights of their rows (mm), by agent."""
    size = SMALL if look.tight else BODY
    room = measure_names(width, look) - 1.5
    marks = measure_pitch(look) * shown["group"].nunique()
    placed = {}
    for row in list_records(shown.drop_duplicates("agent")):
        lines = wrap_text(row["agent_label"], room, size)
        tall = max(marks + (0.7 if look.tight else 1.2), LINE[size] * len(lines) + 0.5)
        placed[row["agent"]] = (lines, tall)
    return placed


def arrange_key(
    shown: pd.DataFrame, width: float, look: Look
) -> list[list[tuple[float, tuple[dict[Any, Any], str]]]]:
    """Arrange the key of groups and their sizes in lines: position (mm), and row and text of each entry."""
    if not look.shared["bars"]["key"]:
        return []
    # The pooled agents include all trials of a group, a single agent does not.
    sizes = shown.loc[shown.groupby("group", sort=False)["n"].idxmax()]
    entries = []
    for row in list_records(sizes):
        judges = format_with_noun(row["n_judges"], "judge")
        entries.append((row, f"{row['group']}: {judges}, {format_with_noun(row['n'], 'verdict')}"))
    widths = [3 + measure_text(text, SMALL) + 3 for _, text in entries]
    return arrange_in_lines(entries, widths, width + 2)


def draw_group_key(
    canvas: Axes,
    key: list[list[tuple[float, tuple[dict[Any, Any], str]]]],
    left: float,
    top: float,
    look: Look,
) -> None:
    """Draw the key of a chart."""
    for number, line in enumerate(key):
        y = top + 1.4 + number * LINE[SMALL]
        for shift, (row, text) in line:
            canvas.plot(left + shift + 1, y - 0.75, ms=MARKER, **look.find_style(row).marks)
            write_lines(canvas, left + shift + 3, y, text, SMALL)
