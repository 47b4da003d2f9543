"""Panel of a confusion matrix: who made a response against what it was judged to be."""

from turingstats.figures.kinds.base import PanelKind
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

LABELS, WIDEST = 15.5, 30  # minimum width of row labels and maximum width of a cell, mm
FLAT = 4.7  # height of a one-line row, mm


class Matrix(PanelKind):
    """A confusion matrix."""

    kinds = ("matrix",)
    counts_judges = True
    shows_rates_in_color = True

    def select(self, panel, results, study, reading):
        """Select a confusion matrix, with the rates of the judge trained here if one is declared."""
        found = select_rates(panel, results, study)
        cohort = study.tasks[panel.task].cohorts.get(panel.beside)
        if cohort is None:
            return found
        trained = select_rates(panel.model_copy(update={"cohort": panel.beside}), results, study)
        own = {
            "cohort": panel.beside,
            "cohort_label": cohort.label,
            "judge_kind": cohort.judge_kind,
        }
        task = study.tasks[panel.task]
        if not found:
            why = explain_panel_absence(panel, task, results)
            own |= {"title": cohort.label, "note": f"{why}; trained here instead"}
            return [row | own for row in trained]
        if not trained:
            lacking = explain_panel_absence(
                panel.model_copy(update={"cohort": panel.beside}), task, results
            )
            if panel.level and not lacking.startswith("not trained"):
                lacking = f"no responses of {panel.level}"
            why = f"no judge trained here ({lacking.removeprefix('not trained: ')})"
            note = "; ".join(filter(None, [panel.note.get(reading), why]))
            return [row | {"note": note} for row in found]
        pooled = {("human", "p_HH"), ("all", "p_MM")}
        return found + [
            row | own | {"kind": "beside", "n_judges": None, "mark": None}
            for row in trained
            if (row["agent"], row["quantity"]) in pooled
        ]

    def measure_height(self, rows, width, look):
        """Measure the height below the title (mm)."""
        *_, placed = place_rows(rows[rows["kind"] == "matrix"], width, look)
        _, y, tall = placed[-1]
        return y + tall + (LINE[SMALL] + 0.8 if describe_trained_judge(rows) else 0)

    def draw(self, canvas, rows, left, top, width, height, look):
        """Draw a confusion matrix: who made a response (rows) against the verdict (columns)."""
        below = describe_trained_judge(rows)
        rows = rows[rows["kind"] == "matrix"]
        labels, flat, placed = place_rows(rows, width, look)
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
        made = (left, "left") if flat else (left + labels - 1.5, "right")
        write_lines(
            canvas,
            made[0],
            top + measure_head_height(look) - 1.3,
            "Made by",
            SMALL,
            ha=made[1],
            color=GREY,
        )
        for own, y, tall in placed:
            first, y = own.iloc[0], top + y
            count = f"n = {first['n']:,.0f}"
            if flat:
                middle = y + tall / 2 + 0.9
                write_lines(
                    canvas, left + measure_indent(first, rows), middle, first["agent_label"]
                )
                write_lines(
                    canvas, left + labels - 1.5, middle, count, SMALL, ha="right", color=GREY
                )
            else:
                write_row_label(canvas, first["agent_label"], count, left, y, tall, labels, look)
            for row in list_records(own):
                column = "HMU".index(row["quantity"][2])
                x = left + labels + column * cell + (apart if column == 2 else 0)
                draw_matrix_cell(canvas, row, x, y, cell, tall, look.colormap, flat)
            if first["mark"] == "best imitator":
                draw_box(
                    canvas, left + labels, y, 2 * cell, tall, fill=False, edgecolor="black", lw=1.3
                )
        write_lines(canvas, left, y + tall + LINE[SMALL], below, SMALL, color=GREY)

    def explain(self, data, foot):
        """Return sentences for the foot of the figure."""
        shown = data[data["kind"] == "matrix"]
        unsure = shown["quantity"].str.startswith("p_U").any()
        adds = "Human and machine add to 1" if unsure else "Each row adds to 1"
        said = [f"{adds}; in parentheses, {foot.error}; n, verdicts."]
        if not all(map(format_spread, list_records(shown))):
            said.append(foot.lacking)
        if shown["group"].notna().any():
            said.append("Rows with H-H, H-M, M-M: conversations of people, of both, of machines.")
        if (shown["mark"] == "best imitator").any():
            said.append("Black frame: the agent most often judged human.")
        if unsure:
            said.append("Unsure: share of all verdicts; the other columns and n leave these out.")
        if "beside" in foot.kinds:
            said.append(
                "Trained here: shares classified correctly by a support vector machine trained on the "
                "available responses (H, people's; M, machines'); the matrix shows the paper's judge."
            )
        return said


def select_rates(panel, results, study):
    """Select the rates of a confusion matrix, and mark the agent most often judged human."""
    estimates = select_cohort_rows(results["estimates"], panel)
    keys, at = ("group_by", "group", "agent", "quantity"), {}
    shown = estimates.loc[estimates["n"] > 0, [*keys, *NUMBERS]]
    for row in shown.to_dict("records"):
        at.setdefault(tuple(row[key] for key in keys), []).append(row)
    found = []
    for name in panel.rows or ("human", *panel.agents):
        agent, _, part = name.partition("@")
        group_by, group = find_row_level(panel, part)
        for verdict in "HMU":
            quantity = f"p_{verdict}{'H' if agent == 'human' else 'M'}"
            found += [
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
    fooling = [row for row in found if row["quantity"] == "p_HM" and row["agent"] != "all"]
    if len(fooling) > 1:
        best = max(fooling, key=lambda row: row["value"])
        for row in found:
            if (row["agent"], row["group"]) == (best["agent"], best["group"]):
                row["mark"] = "best imitator"
    return found


def find_row_level(panel, part):
    """Find the condition and level of a matrix row; a level of crossed conditions applies to all rows."""
    if not part:
        if not panel.level:
            return "all", "all"
        return panel.by.rpartition("+")[2] if panel.rows else panel.by, panel.level
    return panel.by, f"{part}/{panel.level}" if panel.level else part


def describe_trained_judge(rows):
    """Describe the rates of the judge trained here in one line; empty if there is none."""
    beside = rows["kind"] == "beside"
    if not beside.any():
        return ""
    rates = rows[beside].set_index("quantity")["value"]
    return f"Trained here: {rates['p_HH']:.2f} of H, {rates['p_MM']:.2f} of M right"


def list_verdicts(rows):
    """List the columns of a matrix, including unsure if any verdict is unsure."""
    unsure = rows["quantity"].str.startswith("p_U").any()
    return ("human", "machine", "unsure") if unsure else ("human", "machine")


def write_row_label(canvas, name, count, left, top, height, width, look):
    """Write a row's name with its number of trials below it."""
    size, lines = fit_name(name, width, look)
    right, start = left + width - 1.5, top + height / 2 - measure_name_height(name, width, look) / 2
    write_lines(canvas, right, start + (2.2 if size == BODY else 2), lines, size, ha="right")
    write_lines(
        canvas, right, start + len(lines) * LINE[size] + 1.9, count, SMALL, ha="right", color=GREY
    )


def fit_name(name, width, look):
    """Choose the text size and wrap a row's name for a column of a given width (mm)."""
    lines = wrap_text(name, width - 2)
    if len(lines) > 2 or (look.tight and len(lines) > 1):
        return SMALL, wrap_text(name, width - 2, SMALL)
    return BODY, lines


def measure_name_height(name, width, look):
    """Measure the height of a row's name and number of trials (mm)."""
    size, lines = fit_name(name, width, look)
    return len(lines) * LINE[size] + LINE[SMALL]


def measure_label_column(rows, width, look):
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


def measure_indent(row, rows):
    """Return the indent (mm) of a part, such as people in one type of conversation, below its whole."""
    whole = rows.loc[rows["group"].isna(), "agent"]
    return 2 if row["group"] == row["group"] and row["agent"] in set(whole) else 0


def place_rows(rows, width, look):
    """Place the rows of a matrix.

    Returns the width of the row labels and whether rows have one line (`measure_label_column`), and the
    rows with their positions below the top (mm) and heights; parts of an agent are close together.
    """
    labels, flat = measure_label_column(rows, width, look)
    parts = rows["group"].notna().any()
    y, last, placed = measure_head_height(look), None, []
    for (agent, _), row_cells in rows.groupby(["agent", "group"], sort=False, dropna=False):
        y += 1 if parts and last not in (None, agent) else 0
        needed = measure_name_height(row_cells["agent_label"].iloc[0], labels, look)
        tall = FLAT if flat else max(measure_cell_height(look), needed)
        placed.append((row_cells, y, tall))
        y, last = y + tall, agent
    return labels, flat, placed


def draw_matrix_cell(canvas, row, left, top, width, height, colormap, flat):
    """Draw a rate in its color, with its error below or next to it."""
    color = colormap(row["value"])
    ink = choose_ink(color)
    draw_box(canvas, left, top, width, height, facecolor=color, edgecolor="white", zorder=0.5)
    small, value = format_spread(row), f"{row['value']:.2f}"
    middle = left + width / 2
    if flat:
        y = top + height / 2 + 0.9
        across = measure_text(value) + (measure_text(small, SMALL) + 1 if small else 0)
        write_lines(canvas, middle - across / 2, y, value, color=ink)
        write_lines(canvas, middle + across / 2, y, small, SMALL, ha="right", color=ink)
    else:
        y = top + height / 2 + (-0.3 if small else 0.9)
        write_lines(canvas, middle, y, value, ha="center", color=ink)
        write_lines(canvas, middle, top + height / 2 + 2.6, small, SMALL, ha="center", color=ink)


def measure_head_height(look):
    """Return the height of the column titles (mm)."""
    return 5.8 if look.tight else 7


def measure_cell_height(look):
    """Return the minimum height of a row (mm)."""
    return 7.6 if look.tight else 8.6
