"""Panel of detectability by agent and group, with tests against chance and between groups."""

import pandas as pd

from turingstats.core.labels import THRESHOLD
from turingstats.figures.kinds.base import PanelKind
from turingstats.figures.look import DETECTABILITY, explain_asterisk, find_bounds
from turingstats.figures.pages import (
    BODY,
    LINE,
    SMALL,
    add_inset,
    find_bar_ends,
    format_with_noun,
    list_records,
    measure_text,
    wrap_text,
    write_lines,
)
from turingstats.figures.palette import BLUE, GREY, RED
from turingstats.figures.picking import (
    label_agent,
    pick_estimate,
    pick_test,
    select_cohort_rows,
)

STRIP = 3.5  # height of the strips for asterisks in a chart, mm


class Bars(PanelKind):
    """Detectability by agent and group."""

    kinds = ("bars",)

    def select(self, panel, results, study, reading):
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
            if panel.by == "trained_on":
                labels = {agent: known_agent.label for agent, known_agent in study.agents.items()}
                names = labels | {
                    f"all but {agent}": f"all but {labels[agent]}" for agent in labels
                }
                table = table.assign(group=table["group"].replace(names))
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
                place = {"group": row["group"], "quantity": "detectability"}
                if panel.cohorts:
                    name = row["cohort"]
                    place |= {"cohort": name, "cohort_label": declared[name].label}
                    place["judge_kind"] = declared[name].judge_kind
                rows.append(pick_estimate(row) | shared | place | pick_test(test, p_of))
            between = pick_test(f"{panel.group_test}.{agent}", p_of)
            if between and mine:
                rows.append({"kind": "group test"} | shared | between)
        if absent:
            note = ", ".join([*filter(None, [panel.note.get(reading)]), *absent])
            rows = [row | {"note": note} for row in rows]
        return rows

    def share_scales(self, data, tight):
        """Compute the scale, and the lines of the longest key, so that charts have equal heights."""
        charts = data[data["kind"] == "bars"]
        pies = set(data.loc[data["kind"] == "pie", "group_by"])
        key = max(charts.groupby("panel")["group"].nunique(), default=0)
        # A pie already serves as a key.
        if tight and set(charts["group_by"]) <= pies:
            key = 0
        return {"key": key, "limits": find_bounds(charts, 0.4, 0.7)}

    def measure_height(self, rows, width, look):
        """Measure the height below the title (mm)."""
        fall = fit_agent_names(rows[rows["kind"] == "bars"], width)[1]
        return look.shared["bars"]["key"] * LINE[BODY] + 1.5 + measure_chart_height(look) + fall

    def draw(self, canvas, rows, left, top, width, height, look):
        """Draw detectability by agent and group, with chance and asterisks of the tests.

        Points with error bars are used because zero has no meaning on this scale and bars would mislead.
        """
        shown, tests = rows[rows["kind"] == "bars"], rows[rows["kind"] == "group test"]
        agents, groups = list(shown["agent"].unique()), list(shown["group"].unique())
        key, tall = look.shared["bars"]["key"], measure_chart_height(look)
        if key:
            draw_group_key(canvas, shown, left + 8, top, look)
        names, _, style = fit_agent_names(shown, width)
        axes = add_inset(canvas, left + 8, top + key * LINE[BODY] + 1.5, width - 15, tall)
        bottom, ceiling = look.shared["bars"]["limits"]
        strip = STRIP if not look.tight else 2.6
        unit = (ceiling - bottom) / (tall - 2 * strip)  # scale units per millimeter
        low, high = bottom - strip * unit, ceiling + strip * unit
        axes.set(xlim=(-0.5, len(agents) - 0.5), ylim=(low, high))
        steps = range(round(10 * bottom), round(10 * ceiling) + 1, 1 + look.tight)
        axes.set_yticks([step / 10 for step in steps])
        axes.set_ylabel("Detectability", labelpad=2, size=SMALL if look.tight else BODY)
        axes.set_xticks(range(len(agents)), names, **style)
        axes.tick_params(axis="x", length=0)
        axes.axhline(0.5, color=GREY, linewidth=0.6, dashes=(4, 3), zorder=0)
        axes.text(len(agents) - 0.47, 0.5, "chance", size=SMALL, color=GREY, va="center")
        # Symbols are drawn side by side if an agent has more than one.
        step = 0.62 / max(len(groups) - 1, 2) if shown["agent"].duplicated().any() else 0
        asterisk = {"size": 9, "weight": "bold", "ha": "center"}
        tops = {}
        for row in list_records(shown):
            shift = step * (groups.index(row["group"]) - (len(groups) - 1) / 2)
            x = agents.index(row["agent"]) + shift
            ends = find_bar_ends(row)
            axes.plot([x, x], ends, color=look.find_color(row), linewidth=1, zorder=2)
            axes.plot(
                x, row["value"], look.find_marker(row), color=look.find_color(row), ms=3.6, zorder=3
            )
            tops.setdefault(row["agent"], []).append((x, ends[1]))
            if row["p_adjusted"] < THRESHOLD:
                axes.text(x, low, "*", color=BLUE, **asterisk)
        for row in list_records(
            tests[(tests["p_adjusted"] < THRESHOLD) & tests["agent"].isin(agents)]
        ):
            places, ends = zip(*tops[row["agent"]], strict=True)
            y = max(ends) + unit
            across = [places[0], places[0], places[-1], places[-1]]
            axes.plot(across, [y - 0.5 * unit, y, y, y - 0.5 * unit], color=RED, linewidth=0.6)
            axes.text((places[0] + places[-1]) / 2, y - 0.9 * unit, "*", color=RED, **asterisk)

    def explain(self, data, foot):
        """Return sentences for the foot of the figure."""
        said = []
        if not foot.look.shared["bars"]["key"]:
            said.append("Charts: groups in the colors of the rings.")
        said.append(f"{DETECTABILITY} Error bars, {foot.error}; dashed line, chance.")
        shown = data[data["kind"] == "bars"]
        said.append(explain_asterisk(shown, "Blue", "differs from chance"))
        names = data.loc[data["group_by"] == "cohort", "group"].astype(str)
        if names.str.contains("trained here").any():
            said.append('Judges not "trained here" are the paper\'s.')
        return said


def measure_chart_height(look):
    """Return the height of the axes (mm)."""
    return 15 if look.tight else 25


def fit_agent_names(shown, width):
    """Fit the agents' names below a chart; return them, their height (mm) and their style."""
    names = list(shown.drop_duplicates("agent")["agent_label"])
    for size, apart in ((BODY, 1), (SMALL, 0.5)):
        room = (width - 15) / len(names) - apart
        lines = [wrap_text(name, room, size) for name in names]
        if all(measure_text(line, size) <= room for name in lines for line in name):
            fall = 2 + LINE[size] * max(map(len, lines))
            return ["\n".join(name) for name in lines], fall, {"size": size}
    # Rotated, in as many lines as fit.
    for tall in (11, 14, 18, 99):
        lines = [wrap_text(name, tall, SMALL) for name in names]
        if max(map(len, lines)) * LINE[SMALL] <= room + 1:
            break
    fall = 2 + max(measure_text(line, SMALL) for name in lines for line in name)
    return ["\n".join(name) for name in lines], fall, {"size": SMALL, "rotation": 90}


def draw_group_key(canvas, shown, left, top, look):
    """Draw a key with the groups of a chart and their sizes."""
    # The pooled agents include all trials of a group, a single agent does not.
    sizes = shown.loc[shown.groupby("group", sort=False)["n"].idxmax()]
    for number, row in enumerate(list_records(sizes)):
        y = top + 2.2 + number * LINE[BODY]
        judges, verdicts = (
            format_with_noun(row["n_judges"], "judge"),
            format_with_noun(row["n"], "verdict"),
        )
        text = f"{row['group']}: {judges}, {verdicts}"
        canvas.plot(left + 1, y - 0.75, look.find_marker(row), color=look.find_color(row), ms=3.6)
        write_lines(canvas, left + 3, y, text, SMALL)
