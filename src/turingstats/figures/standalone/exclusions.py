"""Numbers of trials shown, left out and analyzed, by cohort, in both readings."""

import pandas as pd
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from turingstats.core.labels import format_with_noun
from turingstats.figures import pages
from turingstats.figures.look import format_percent
from turingstats.figures.pages import LINE, MARGIN, PAGE, SMALL
from turingstats.figures.palette import GREY, INK, PALE

# Columns from left to right, mm: names of cohorts; numbers (right edges) and, between them, what is
# left out and why (left edges); boxes (left edge) and names of readings.
NAME, SHOWN, REMOVED, SOURCE, FILTERED = MARGIN + 2, 43, 43.5, 98, 98.2
ANALYZED, READING, SHARE = 149.8, 160.8, PAGE - MARGIN
BOX, NUMBER, COUNT = 10, 8, 8  # widths of a box, a number and a number left out, mm
HEAD, PAD, GAP = 4.1, 0.8, 0.4  # task's heading, space around lines, space around boxes, mm
FIRST = 2.5  # from the top of a lane to the baseline of its first line, mm
# Fill, edge and text of boxes: recommended reading if it differs, and all others.
FILLED, OPEN = ("#1f5f99", "#1f5f99", "white"), ("white", INK, INK)
MANY = 12  # with more cohorts, those without exclusions are only named


def draw(data: pd.DataFrame) -> Figure:
    """Draw the exclusion log as a table of flows from left to right, grouped by task."""
    cohorts = [cohort for _, cohort in data.groupby(["task", "cohort"], sort=False)]
    named = len(cohorts) > MANY
    whole = [cohort for cohort in cohorts if named and not cohort["excluded"].any()]
    tasks = {}
    for cohort in cohorts:
        if cohort["excluded"].any() or not named:
            tasks.setdefault(cohort["task_label"].iloc[0], []).append(Flow(cohort))
    frame = pages.Frame(data, explain_figure(data) + describe_untouched_cohorts(whole))
    top = frame.top + 4.5
    tall = sum(HEAD + sum(flow.height for flow in flows) for flows in tasks.values())
    canvas = frame.open(top + tall + 2)
    for x, title, side in (
        (SHOWN, "Shown", "right"),
        (SOURCE, "In source", "right"),
        (ANALYZED + BOX, "Analyzed", "right"),
        (SHARE, "Left out", "right"),
        (MARGIN, "Cohort", "left"),
        (REMOVED + COUNT + 1, "Left out at the source", "left"),
        (FILTERED + COUNT + 1, "Left out in the analysis", "left"),
    ):
        pages.write_lines(canvas, x, top - 1.5, title, weight="semibold", ha=side)
    for task, flows in tasks.items():
        canvas.plot([MARGIN, PAGE - MARGIN], [top, top], color=INK, linewidth=0.6)
        pages.write_lines(canvas, MARGIN, top + HEAD - 1.2, task, weight="semibold")
        top += HEAD
        for flow in flows:
            flow.draw(canvas, top)
            top += flow.height
            canvas.plot([NAME, PAGE - MARGIN], [top, top], color=PALE, linewidth=0.4)
    canvas.plot([MARGIN, PAGE - MARGIN], [top, top], color=INK, linewidth=0.6)
    return frame.close(canvas, top + 3.5)


class Flow:
    """The trials of one cohort, from those shown to those analyzed in each reading."""

    def __init__(self, rows: pd.DataFrame) -> None:
        first = rows.iloc[0]
        columns = ["step", "reason", "excluded", "rows_out"]
        readings = [part[columns].to_dict("list") for _, part in rows.fillna("").groupby("reading")]
        # Trials that the source lacks are the same in both readings.
        lost = rows[(rows["reading"] == first["reading"]) & (rows["step"] == "source")]
        if len(readings) > 1 and all(one == readings[0] for one in readings):
            # Readings with the same exclusions share a lane.
            rows = rows[rows["reading"] == first["reading"]].assign(reading="both")
        self.name = pages.wrap_text(first["cohort_label"], SHOWN - NUMBER - NAME, SMALL)
        # Machine judges were shown exactly the trials in their file.
        self.shown = "" if lost.empty else f"{first['rows_in']:,}"
        self.lost = list_losses(lost, SOURCE - NUMBER - REMOVED)
        self.held = f"{first['rows_in'] - lost['excluded'].sum():,}"
        self.lanes = [
            (
                reading,
                list_losses(part[part["step"] == "filter"], ANALYZED - FILTERED - GAP),
                part["rows_out"].iloc[-1],
            )
            for reading, part in rows.groupby("reading", sort=False)
        ]
        self.first = first["rows_in"]
        lanes = sum(measure_losses(left_out) for _, left_out, _ in self.lanes)
        self.height = max(measure_losses([("", self.name)]), measure_losses(self.lost), lanes) + PAD

    def draw(self, canvas: Axes, top: float) -> None:
        """Draw the flow below `top` (mm)."""
        lane = top + PAD / 2
        pages.write_lines(canvas, NAME, lane + FIRST, self.name, SMALL)
        pages.write_lines(canvas, SHOWN, lane + FIRST, self.shown, ha="right")
        write_losses(canvas, REMOVED, lane + FIRST, self.lost)
        pages.write_lines(canvas, SOURCE, lane + FIRST, self.held, ha="right")
        for reading, left_out, analyzed in self.lanes:
            write_losses(canvas, FILTERED, lane + FIRST, left_out)
            fill, edge, ink = FILLED if reading == "recommended" else OPEN
            box = (ANALYZED, lane + GAP / 2, BOX, LINE[SMALL] + PAD - GAP)
            pages.draw_box(canvas, *box, facecolor=fill, edgecolor=edge)
            middle = ANALYZED + BOX / 2
            pages.write_lines(canvas, middle, lane + FIRST, f"{analyzed:,}", ha="center", color=ink)
            pages.write_lines(canvas, READING, lane + FIRST, reading.capitalize(), SMALL)
            share = format_percent(1 - analyzed / self.first) if self.first else ""
            pages.write_lines(canvas, SHARE, lane + FIRST, share, SMALL, ha="right")
            lane += measure_losses(left_out)


def list_losses(rows: pd.DataFrame, width: float) -> list[tuple[str, list[str]]]:
    """List the numbers left out, each with the wrapped text of its reason."""
    return [
        (
            f"\N{MINUS SIGN}{row['excluded']:,}",
            pages.wrap_text(row["reason"], width - COUNT - 1, SMALL),
        )
        for row in pages.list_records(rows)
        if row["excluded"]
    ]


def measure_losses(losses: list[tuple[str, list[str]]]) -> float:
    """Measure the height of lines of text, at least one (mm)."""
    return max(1, sum(len(lines) for _, lines in losses)) * LINE[SMALL] + PAD


def write_losses(
    canvas: Axes, left: float, baseline: float, losses: list[tuple[str, list[str]]]
) -> None:
    """Write the numbers left out, with reasons."""
    for count, reason in losses:
        pages.write_lines(
            canvas, left + COUNT, baseline, count, SMALL, weight="semibold", ha="right"
        )
        pages.write_lines(canvas, left + COUNT + 1, baseline, reason, SMALL, color=GREY)
        baseline += len(reason) * LINE[SMALL]


def describe_untouched_cohorts(cohorts: list[pd.DataFrame]) -> str:
    """Describe how many cohorts are not drawn because they have no exclusions."""
    if not cohorts:
        return ""
    others = format_with_noun(len(cohorts), "other group")
    return f" Nothing is left out of {others} of judges, which the source data list."


def explain_figure(data: pd.DataFrame) -> str:
    """Write the foot of the figure."""
    boxes = " White boxes: published reading; filled boxes: recommended reading; both: the same."
    if data["reading"].nunique() == 1:
        boxes = ""
    return (
        "Numbers of trials; with a minus sign, those left out, and why; at the right, their share of all "
        f"shown (or in the source).{boxes} {data['data'].iloc[0].capitalize()}."
    )
