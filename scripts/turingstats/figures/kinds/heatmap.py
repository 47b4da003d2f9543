"""Panel of a rate at the levels of two crossed conditions, in rows and columns."""

from turingstats.core.quantity_names import resolve_quantity
from turingstats.figures.kinds.base import PanelKind
from turingstats.figures.look import name_quantity
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
    label_agent,
    pick_estimate,
    select_cohort_rows,
)

WILSON = "\N{DAGGER}"
HEAD, CELL, WIDEST = 4.2, 10.2, 24  # space above cells, height and maximum width of a cell, mm


class Heatmap(PanelKind):
    """A rate at each pair of levels."""

    kinds = ("heatmap",)
    shows_rates_in_color = True

    def select(self, panel, results, study, reading):
        """Select a rate of one agent at each pair of levels of two conditions, such as domain+exchanges."""
        outer, _, inner = panel.by.partition("+")
        agent = panel.agents[0]
        quantity = resolve_quantity(panel.quantity, agent)
        estimates = select_cohort_rows(results["estimates"], panel)
        cells = estimates[
            (estimates["group_by"] == panel.by)
            & (estimates["agent"] == agent)
            & (estimates["quantity"] == quantity)
            & estimates["value"].notna()
        ]
        first = {level: place for place, level in enumerate(panel.levels)}

        def order(row):
            level = row["group"].partition("/")[0]
            return first.get(level, len(first)), level

        rows = []
        for row in sorted(cells.to_dict("records"), key=order):
            level, _, other = row["group"].partition("/")
            numbers = pick_estimate(row)
            if row["ci_low"] != row["ci_low"]:
                # If no one or everyone was misled, all resamples are identical.
                numbers |= {
                    "ci_low": row["wilson_low"],
                    "ci_high": row["wilson_high"],
                    "mark": "Wilson",
                }
            rows.append(
                numbers
                | {
                    "group_by": outer,
                    "group": panel.labels.get(level, level),
                    "agent": agent,
                    "agent_label": label_agent(agent, panel, study),
                    "quantity": quantity,
                    "x": float(other) if other.replace(".", "", 1).isdigit() else None,
                    "text": f"{other} {panel.labels.get(inner, inner)}",
                }
            )
        return rows

    def measure_height(self, rows, width, look):
        """Measure the height below the title (mm)."""
        return HEAD + CELL * rows["group"].nunique()

    def draw(self, canvas, rows, left, top, width, height, look):
        """Draw the cells, each with its rate, error and number of verdicts.

        Cells of pairs of levels without verdicts are hatched.
        """
        names = list(rows["group"].unique())
        columns = list(rows.sort_values("x", kind="stable")["text"].unique())
        labels = min(0.4 * width, max(measure_text(str(name)) for name in names) + 2)
        wide = min((width - labels) / len(columns), WIDEST)
        for number, column in enumerate(columns):
            middle = left + labels + (number + 0.5) * wide
            write_lines(
                canvas, middle, top + HEAD - 1.3, str(column), SMALL, ha="center", color=GREY
            )
        cells = {(row["group"], row["text"]): row for row in list_records(rows)}
        for down, name in enumerate(names):
            y = top + HEAD + down * CELL
            lines = wrap_text(str(name), labels - 1.5)
            first = y + CELL / 2 + 0.9 - LINE[BODY] * (len(lines) - 1) / 2
            write_lines(canvas, left, first, lines)
            for number, column in enumerate(columns):
                draw_heatmap_cell(
                    canvas, cells.get((name, column)), left + labels + number * wide, y, wide, look
                )

    def explain(self, data, foot):
        """Return sentences for the foot of the figure."""
        shown = data[data["kind"] == "heatmap"]
        names = " and ".join(dict.fromkeys(map(name_quantity, shown["quantity"]))).lower()
        said = [f"Cells: {names}; in parentheses, {foot.error}; n, verdicts."]
        if foot.reading != "published" and (shown["mark"] == "Wilson").any():
            said.append(f"{WILSON}: Wilson interval, if there is none from resampling.")
        if not all(map(format_spread, list_records(shown))):
            said.append(foot.lacking)
        return said


def draw_heatmap_cell(canvas, row, left, top, width, look):
    """Draw one cell."""
    if row is None:
        draw_box(canvas, left, top, width, CELL, facecolor="none", edgecolor="white", hatch="/////")
        return
    color = look.colormap(row["value"])
    draw_box(canvas, left, top, width, CELL, facecolor=color, edgecolor="white", zorder=0.5)
    style = {"ha": "center", "color": choose_ink(color)}
    middle = left + width / 2
    write_lines(canvas, middle, top + 3.6, f"{row['value']:.2f}", **style)
    dagger = WILSON if row["mark"] == "Wilson" and row["reading"] != "published" else ""
    write_lines(
        canvas, middle, top + 6.3, format_spread(row) + dagger or "no interval", SMALL, **style
    )
    write_lines(canvas, middle, top + 8.9, f"n = {row['n']:,.0f}", SMALL, **style)
