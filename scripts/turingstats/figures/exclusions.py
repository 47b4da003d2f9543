"""How many trials were shown, left out and analysed, by cohort, in both readings."""

from turingstats import pages
from turingstats.pages import BODY, GREY, INK, LINE, MARGIN, PAGE, PALE, SMALL

# Places from left to right, mm: names of cohorts, boxes (left edges), names of readings.
NAME, SHOWN, SOURCE, ANALYSED, READING = MARGIN, 36, 94, 149, 164.5
BOX, HEIGHT = 13, 4.6  # width and height of a box, mm
MANY = 12  # with more cohorts, those of which nothing is left out are only named
# Fill, edge and text of the boxes of each reading; the edge is the colour of its arrows too.
COLORS = {
    "published": ("white", "#7a7a7a", INK),
    "recommended": ("#1f5f99", "#1f5f99", "white"),
    "both": ("white", INK, INK),
}


def draw(data, colormap=None):
    """Draw the account of exclusions as a flow from left to right.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of the account whose judge is "all" (`turingstats.cleaning.account`); with task_label,
        cohort_label and data where those are known.
    colormap : str
        Not used; all figures are drawn by the same call.

    Returns
    -------
    matplotlib.figure.Figure
    """
    cohorts = [own for _, own in data.groupby(["task", "cohort"], sort=False)]
    whole = [own for own in cohorts if not own["excluded"].any()] if len(cohorts) > MANY else []
    flows = [Flow(own) for own in cohorts if not any(own is other for other in whole)]
    generated = pages.is_generated(data)
    foot = pages.wrapped(explained(data) + untouched(whole), PAGE - 2 * MARGIN, SMALL)
    top = MARGIN + (7 if generated else 0) + 5.5
    height = top + sum(flow.height for flow in flows) + 3 + len(foot) * LINE[SMALL] + MARGIN
    canvas = pages.page(PAGE, height)
    pages.write(canvas, NAME, top - 2.5, "Cohort", weight="semibold")
    for left, title in ((SHOWN, "Shown"), (SOURCE, "In source"), (ANALYSED, "Analysed")):
        pages.write(canvas, left + BOX / 2, top - 2.5, title, weight="semibold", ha="center")
    canvas.plot([MARGIN, PAGE - MARGIN], [top, top], color=INK, linewidth=0.6)
    for flow in flows:
        flow.draw(canvas, top)
        top += flow.height
        canvas.plot([MARGIN, PAGE - MARGIN], [top, top], color=PALE, linewidth=0.6)
    pages.write(canvas, MARGIN, top + 4, foot, SMALL, color=GREY)
    if generated:
        pages.flag(canvas)
    return canvas.figure


class Flow:
    """The trials of one cohort, from those shown to those analysed in each reading."""

    def __init__(self, rows):
        first = rows.iloc[0]
        name = first["cohort_label"] if "cohort_label" in rows else first["cohort"]
        self.name = pages.wrapped(name, SHOWN - NAME - 3)
        self.task = first.get("task_label", first["task"])
        self.shown = first["rows_in"]
        # What the source lacks, it lacks in both readings.
        lost = rows[(rows["reading"] == first["reading"]) & (rows["step"] == "source")]
        self.lost = losses(lost[lost["excluded"] > 0], SOURCE - SHOWN - BOX)
        self.lanes, place = [], 1.5
        told = ["step", "reason", "excluded", "rows_out"]
        readings = [own[told].to_dict("list") for _, own in rows.fillna("").groupby("reading")]
        if len(readings) > 1 and all(one == readings[0] for one in readings):
            # Readings that leave out the same share a lane.
            rows = rows[rows["reading"] == first["reading"]].assign(reading="both")
        for reading, own in rows.groupby("reading", sort=False):
            left_out = losses(own[own["step"] == "filter"], ANALYSED - SOURCE - BOX - 4)
            place += max(HEIGHT / 2, room(left_out))
            self.lanes.append((reading, place, left_out, own["rows_out"].iloc[-1]))
            place += HEIGHT / 2 + 1
        self.held = self.shown - lost["excluded"].sum()
        # Machine judges were shown whatever their file holds.
        self.known = not lost.empty
        self.middle = (self.lanes[0][1] + self.lanes[-1][1]) / 2
        # Reasons above the first arrow may need more room than the lanes leave.
        label = (len(self.name) * LINE[BODY] + LINE[SMALL]) / 2
        self.drop = max(0, 1.5 + max(room(self.lost), label) - self.middle)
        self.height = max(place + 0.5, self.middle + label + 1) + self.drop

    def draw(self, canvas, top):
        """Draw the flow below `top` (mm)."""
        y = top + self.drop + self.middle
        up = y - (len(self.name) * LINE[BODY] + LINE[SMALL]) / 2
        pages.write(canvas, NAME, up + 2.2, self.name)
        pages.write(
            canvas, NAME, up + 2 + len(self.name) * LINE[BODY], self.task, SMALL, color=GREY
        )
        if self.known:
            number(canvas, SHOWN, y, self.shown, "white", INK, INK)
            arrow(canvas, SHOWN + BOX, SOURCE, y, self.lost, INK)
        fork = SOURCE + BOX + 4
        canvas.plot([SOURCE + BOX, fork], [y, y], color=INK, linewidth=0.6)
        for reading, place, left_out, analysed in self.lanes:
            lane = top + self.drop + place
            fill, edge, ink = COLORS[reading]
            canvas.plot([fork, fork], [y, lane], color=INK, linewidth=0.6)
            arrow(canvas, fork, ANALYSED, lane, left_out, edge)
            number(canvas, ANALYSED, lane, analysed, fill, edge, ink)
            pages.write(canvas, READING, lane + 0.85, reading.capitalize())
        number(canvas, SOURCE, y, self.held, "white", INK, INK)


def losses(rows, width):
    """Numbers left out, each with the lines of its reason."""
    found = []
    for row in pages.records(rows):
        count = f"\N{MINUS SIGN}{row['excluded']:,}"
        indent = pages.text_width(count, SMALL, "semibold") + 1
        found.append((count, indent, pages.wrapped(row["reason"], width - 4 - indent, SMALL)))
    return found


def room(found):
    """Height of the text over an arrow (mm)."""
    return sum(len(reason) for _, _, reason in found) * LINE[SMALL] + 1


def number(canvas, left, y, value, fill, edge, ink):
    """Draw a number of trials in a box."""
    pages.box(canvas, left, y - HEIGHT / 2, BOX, HEIGHT, facecolor=fill, edgecolor=edge)
    pages.write(canvas, left + BOX / 2, y + 0.85, f"{value:,}", ha="center", color=ink)


def arrow(canvas, start, end, y, found, color):
    """Draw an arrow with what is left out on the way written over it."""
    canvas.annotate(
        "",
        (end, y),
        (start, y),
        arrowprops={
            "arrowstyle": "-|>,head_width=0.15,head_length=0.35",
            "color": color,
            "linewidth": 0.6,
            "shrinkA": 0,
            "shrinkB": 0,
        },
    )
    baseline = y - room(found) + LINE[SMALL]
    for count, indent, reason in found:
        pages.write(canvas, start + 1.5, baseline, count, SMALL, weight="semibold")
        pages.write(canvas, start + 1.5 + indent, baseline, reason, SMALL, color=GREY)
        baseline += len(reason) * LINE[SMALL]


def untouched(cohorts):
    """Cohorts that are not drawn because nothing of them is left out, with their numbers of trials."""
    by_task = {}
    for own in cohorts:
        analysed = own[own["step"] == "analysed"]
        numbers = dict(zip(analysed["reading"], analysed["rows_out"], strict=True))
        same = len(set(numbers.values())) == 1
        told = (
            f"{next(iter(numbers.values())):,}"
            if same
            else ", ".join(f"{number:,} {reading}" for reading, number in numbers.items())
        )
        first = own.iloc[0]
        label = first.get("cohort_label", first["cohort"])
        by_task.setdefault(first.get("task_label", first["task"]), []).append(f"{label} ({told})")
    parts = [f" {task}: {'; '.join(labels)}." for task, labels in by_task.items()]
    return " Nothing is left out of these cohorts." + "".join(parts) if parts else ""


def explained(data):
    """The foot of the figure."""
    source = f" {data['data'].iloc[0].capitalize()}." if "data" in data else ""
    boxes = ""
    if data["reading"].nunique() > 1:
        boxes = (
            " White boxes on the right: published reading; filled boxes: recommended reading; both: "
            "the same in either."
        )
    return f"Numbers of trials; with a minus sign, those left out, and why.{boxes}{source}"
