"""Panel of detectability by agent and group, with tests against chance and between groups."""

from typing import Any

import pandas as pd
from matplotlib.axes import Axes

from turingstats.config.study import Study
from turingstats.config.study.panels import BarsPanel
from turingstats.core.labels import THRESHOLD, format_with_noun
from turingstats.core.yaml_models import Reading
from turingstats.figures import pages
from turingstats.figures.kinds.base import PanelKind, Results, Rows
from turingstats.figures.look import DETECTABILITY, Foot, Look, explain_asterisk, find_bounds
from turingstats.figures.marks import draw_asterisk, draw_bracket, draw_estimate
from turingstats.figures.pages import LINE, SMALL, Box
from turingstats.figures.palette import BLUE, GREY, PALE, find_style
from turingstats.figures.picking import label_agent, pick_estimate, pick_test, select_cohort_rows
from turingstats.figures.rows import DASHED, add_row_chart, list_tenths

CHANCE, AXIS = 2.6, 6.8  # height of the word for chance in a chart, and of the axis below, mm
PITCH = 2.1  # distance of the marks of an agent, mm
STAR, BRACKET = 2.8, 2.4  # widths of the columns of asterisks and of brackets, mm
MARKER, CAP = 2.8, 1.8  # size of a marker and half the height of the caps of its error bar, pt


class Bars(PanelKind):
    """Detectability by agent and group."""

    kinds = ("bars",)

    def select(self, panel: BarsPanel, results: Results, study: Study, reading: Reading) -> Rows:
        """Select detectability by group and agent, with p against chance and between groups."""

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

    def share_scales(self, data: pd.DataFrame) -> dict[str, Any]:
        """Compute the scale, the widest names and numbers, and which tests are significant."""
        charts = data[data["kind"] == "bars"]
        between = data.loc[data["kind"] == "group test", "p_adjusted"]
        return {
            "limits": find_bounds(charts, 0.4, 0.7),
            "names": max(
                pages.measure_text(name, SMALL) for name in charts["agent_label"].unique()
            ),
            "counts": max(pages.measure_text(f"{n:,.0f}", SMALL) for n in charts["n"]) + 1,
            # Without asterisks, the last tick label still needs some room.
            "stars": STAR if (charts["p_adjusted"] < THRESHOLD).any() else 1.5,
            "brackets": BRACKET + 1 if (between < THRESHOLD).any() else 0,
        }

    def measure_height(self, rows: pd.DataFrame, width: float, look: Look) -> float:
        shown = rows[rows["kind"] == "bars"]
        key = len(arrange_key(shown, width)) * LINE[SMALL]
        names = place_agents(shown, width, look)
        return key + CHANCE + sum(tall for _, tall in names.values()) + AXIS

    def draw(self, canvas: Axes, rows: pd.DataFrame, box: Box, look: Look) -> None:
        """Draw a row per agent with a mark per group, chance, and asterisks of the tests at the right."""
        left, top, width, _ = box
        shown, tests = rows[rows["kind"] == "bars"], rows[rows["kind"] == "group test"]
        shared = look.shared["bars"]
        groups = list(shown["group"].unique())
        key = arrange_key(shown, width)
        draw_group_key(canvas, key, left, top)
        top += len(key) * LINE[SMALL]
        names = place_agents(shown, width, look)
        before = measure_names(width, look)
        long = width - before - shared["stars"] - shared["brackets"] - shared["counts"]
        tall = CHANCE + sum(room for _, room in names.values())
        (low, high), edge = shared["limits"], left + before + long
        chart = Box(left + before, top, long, tall)
        axes = add_row_chart(canvas, chart, (low, high), "Detectability")
        axes.set_xticks(list_tenths(low, high))
        axes.plot([0.5, 0.5], [CHANCE, tall], **DASHED)
        # The word stays inside the chart at either end of the scale.
        side = "left" if low > 0.47 else "right" if high < 0.53 else "center"
        axes.text(0.5, CHANCE - 0.6, "chance", size=SMALL, color=GREY, ha=side)
        y = CHANCE
        for agent, (lines, room) in names.items():
            middle = y + room / 2
            first = top + middle + 0.85 - LINE[SMALL] * (len(lines) - 1) / 2
            pages.write_lines(canvas, left + before - 1.5, first, lines, SMALL, ha="right")
            if y > CHANCE:
                axes.axhline(y, color=PALE, linewidth=0.3, zorder=0)
            middles = []
            for row in pages.list_records(shown[shown["agent"] == agent]):
                place = groups.index(row["group"]) - (len(groups) - 1) / 2
                middles.append(middle + PITCH * place)
                style, at = find_style(row["role"]), top + middles[-1]
                draw_estimate(
                    axes, row["value"], middles[-1], row, style.color, style.marker, cap=CAP, ms=MARKER,
                    mfc=style.marks["mfc"],
                )  # fmt: skip
                if row["p_adjusted"] < THRESHOLD:
                    draw_asterisk(canvas, edge + STAR / 2, at, BLUE)
                count = f"{row['n']:,.0f}"
                pages.write_lines(
                    canvas, left + width, at + 0.75, count, SMALL, ha="right", color=GREY
                )
            between = tests[(tests["agent"] == agent) & (tests["p_adjusted"] < THRESHOLD)]
            for row in pages.list_records(between):
                ends = (top + middles[0] - 1, top + middles[-1] + 1)
                draw_bracket(canvas, edge + shared["stars"], *ends, row)
            y += room

    def explain(self, data: pd.DataFrame, foot: Foot) -> list[str]:
        shown = data[data["kind"] == "bars"]
        sentences = [
            "Numbers at the right of charts: verdicts.",
            f"{DETECTABILITY} Error bars, {foot.error}; dashed line, chance.",
            explain_asterisk(shown, "Blue", "differs from chance"),
        ]
        if shown["role"].astype(str).str.startswith("classifier trained here").any():
            sentences.append('Judges not "trained here" are the paper\'s.')
        return sentences


class GroupTests(PanelKind):
    """Tests between groups of judges, drawn into panels of bars and intervals."""

    kinds = ("group test",)

    def explain(self, data: pd.DataFrame, foot: Foot) -> list[str]:
        tests = data[data["kind"] == "group test"]
        return [explain_asterisk(tests, "Red", "groups differ")]


def measure_names(width: float, look: Look) -> float:
    """Return the width of the column of agents' names (mm), the same in all panels of a width."""
    return min(0.36 * width, look.shared["bars"]["names"] + 2)


def place_agents(
    shown: pd.DataFrame, width: float, look: Look
) -> dict[str, tuple[list[str], float]]:
    """Wrap the agents' names and measure the heights of their rows (mm), by agent."""
    room = measure_names(width, look) - 1.5
    marks = PITCH * shown["group"].nunique() + 0.8
    placed = {}
    for row in pages.list_records(shown.drop_duplicates("agent")):
        lines = pages.wrap_text(row["agent_label"], room, SMALL)
        placed[row["agent"]] = (lines, max(marks, LINE[SMALL] * len(lines) + 0.5))
    return placed


def arrange_key(
    shown: pd.DataFrame, width: float
) -> list[list[tuple[float, tuple[dict[str, Any], str]]]]:
    """Arrange the key of groups and their sizes in lines: position (mm), and row and text of each entry."""
    # The pooled agents include all trials of a group, a single agent does not.
    sizes = shown.loc[shown.groupby("group", sort=False)["n"].idxmax()]
    entries = []
    for row in pages.list_records(sizes):
        judges = format_with_noun(row["n_judges"], "judge")
        entries.append((row, f"{row['group']}: {judges}, {format_with_noun(row['n'], 'verdict')}"))
    widths = [3 + pages.measure_text(text, SMALL) + 3 for _, text in entries]
    return pages.arrange_in_lines(entries, widths, width + 2)


def draw_group_key(
    canvas: Axes, key: list[list[tuple[float, tuple[dict[str, Any], str]]]], left: float, top: float
) -> None:
    """Draw the key of a chart."""
    for number, line in enumerate(key):
        y = top + 1.4 + number * LINE[SMALL]
        for shift, (row, text) in line:
            canvas.plot(left + shift + 1, y - 0.75, ms=MARKER, **find_style(row["role"]).marks)
            pages.write_lines(canvas, left + shift + 3, y, text, SMALL)
