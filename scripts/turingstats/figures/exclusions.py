"""How many trials were shown, left out and analysed, by cohort, in both readings."""

from turingstats import plots
from turingstats.plots import BODY, GREY, INK, LINE, SMALL, box, write

# Places from left to right, mm: names of cohorts, boxes (left edges), names of readings.
NAME, SHOWN, SOURCE, ANALYSED, READING = 2, 36, 91, 146, 164
BOX, HEIGHT, LANE = 16, 5, 7  # width and height of a box, least height of a lane
COLORS = {"published": "#8f8f8f", "recommended": "#1f5f99"}


def draw(data, colormap=None):
    """Draw the account of exclusions as a flow from left to right.

    Parameters
    ----------
    data : pandas.DataFrame
        Rows of the account whose judge is "all" (`turingstats.cleaning.account`); with cohort_label,
        task_label and data, where those are known.
    colormap : str
        Not used; all figures are called alike.

    Returns
    -------
    matplotlib.figure.Figure
    """
    flows = [flow(own) for _, own in data.groupby(["task", "cohort"], sort=False)]
    generated = plots.is_generated(data)
    top = plots.MARGIN + (7 if generated else 0) + 6
    foot = plots.wrapped(explained(data), plots.PAGE - 2 * plots.MARGIN, SMALL)
    height = top + sum(flow["height"] + 4 for flow in flows) + len(foot) * LINE[SMALL] + 3
    canvas = plots.page(plots.PAGE, height)
    for left, title in ((SHOWN, "Shown"), (SOURCE, "In source"), (ANALYSED, "Analysed")):
        write(canvas, left + BOX / 2, top - 2.5, title, weight="semibold", ha="center")
    write(canvas, NAME, top - 2.5, "Cohort", weight="semibold")
    for flow_ in flows:
        canvas.plot([NAME, plots.PAGE - NAME], [top, top], color=plots.PALE, linewidth=0.6)
        draw_flow(canvas, flow_, top + 2)
        top += flow_["height"] + 4
    canvas.plot([NAME, plots.PAGE - NAME], [top, top], color=plots.PALE, linewidth=0.6)
    write(canvas, NAME, top + 4, foot, SMALL, color=GREY)
    if generated:
        plots.flag(canvas)
    return canvas.figure
