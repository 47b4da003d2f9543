"""What captions say of a figure is so: colors, lines, marks, frames and columns are those that are drawn."""

import re
from functools import cache

from drawings import list_words
from matplotlib.colors import to_rgb
from matplotlib.patches import Rectangle
from project import GOLDEN, ROOT

from turingstats.config.settings import Config
from turingstats.figures import cells, pages
from turingstats.figures.similarity import matrices
from turingstats.stages.job import find_function
from turingstats.workflow.load import load_plan
from turingstats.workflow.parameters import place_panels
from turingstats.workflow.results import find_drawer

STUDIES = {"observed": "zhang2025", "generated": "zhang2025"}
"""Study of an accepted run, if it is not named after it."""


class Drawn:
    """A figure of accepted numbers, and what is in it."""

    def __init__(self, path, study, declared):
        self.data = pages.read_source_data(path)
        draw = find_function(find_drawer(path.stem, study.design))
        self.figure = draw(self.data, **declared)
        self.lines = [line for axes in self.figure.axes for line in axes.lines]
        self.patches = [patch for axes in self.figure.axes for patch in axes.patches]
        self.markers = {line.get_marker() for line in self.lines}
        self.words = list_words(self.figure)
        self.kinds = set(self.data.get("kind", ()))

    def has_dashes(self):
        return any(line.is_dashed() or "dashes" in str(line._dash_pattern) for line in self.lines)

    def has_colors_of_rates(self):
        """Blue for the highest rate, red for the lowest, from the scale that cells are drawn with."""
        rates = self.data[self.data["kind"].isin(["matrix", "heatmap"])]
        rates = rates[~rates["quantity"].str.startswith("p_U")]["value"]
        fills = {patch.get_facecolor()[:3] for patch in self.patches if patch.get_fill()}
        ends = [cells.COLORS(cells.SCALE(end))[:3] for end in (rates.max(), rates.min())]
        (red, _, blue), (other_red, _, other_blue) = ends
        is_right = (blue >= red or rates.max() < 0.5) and (
            other_red >= other_blue or rates.min() > 0.5
        )
        return is_right and set(ends) <= fills

    def has_frame(self, style):
        """A frame is asked for where there is a model to mark."""
        mark = {"-": "best imitator"}.get(style, "alike")
        frames = [p for p in self.patches if isinstance(p, Rectangle) and not p.get_fill()]
        drawn = any((frame.get_linestyle() == "-") == (style == "-") for frame in frames)
        return drawn or mark not in set(self.data["mark"])

    def has_columns(self):
        """Panels beside each other: letters at more than one distance from the left."""
        bold = [text for text in self.figure.axes[0].texts if text.get_weight() == "bold"]
        return len({round(text.get_position()[0]) for text in bold}) > 1

    def is_darker_for_low(self):
        ends = [sum(to_rgb(matrices.COLORMAP(end))) for end in (0.0, 1.0)]
        return ends[0] < ends[1]


CLAIMS = {
    r"\bblue cells|cell is a rate, blue above": Drawn.has_colors_of_rates,
    r"columns the verdict": lambda drawn: (
        {"Judged human", "Judged"} & {*drawn.words} or not drawn.kinds & {"matrix"}
    ),
    r"black frame": lambda drawn: drawn.has_frame("-"),
    r"dotted one": lambda drawn: drawn.has_frame(":"),
    r"in parentheses": lambda drawn: any(word.startswith("(0") for word in drawn.words),
    r"dashed": Drawn.has_dashes,
    r"error bars|intervals?\b": lambda drawn: {"|", "_"} & drawn.markers or not drawn.lines,
    r"\brings?\b": lambda drawn: False,
    r"[Bb]ars show (how large|the age)": lambda drawn: "pie" in drawn.kinds,
    r"[Oo]n the left": Drawn.has_columns,
    r"asterisk": lambda drawn: any("asterisk" in word for word in drawn.words),
    r"darker": lambda drawn: False,
    r"dark for similar": Drawn.is_darker_for_low,
    r"[Ee]ach mark": lambda drawn: len(drawn.lines) > 1,
    r"hollow": lambda drawn: any(
        line.get_markerfacecolor() in ("none", "white", "w") for line in drawn.lines
    ),
    r"[Dd]iamonds?": lambda drawn: {"D", "d"} & drawn.markers,
}
"""What a caption may say, and whether it is so."""


@cache
def plan_of(run):
    return load_plan(STUDIES.get(run, run), Config(study=STUDIES.get(run, run)), ROOT)


def is_as_declared(path, figure):
    """Whether an accepted figure has every panel of the study file, as it is now."""
    if figure is None:
        return True
    data = pages.read_source_data(path)
    panels = {letter: panel.kind for letter, panel in figure.panels.items()}
    return panels == dict(zip(data["panel"][::-1], data["kind"][::-1], strict=True))


def list_cases():
    """List the accepted figures by what their captions say; of several that say the same, the smallest."""
    smallest = {}
    for path in sorted(GOLDEN.glob("*/figures/*.csv"), key=lambda path: path.stat().st_size):
        run = path.parts[-3]
        # Examples of designs have no study file in the project.
        is_example = not (ROOT / f"config/studies/{STUDIES.get(run, run)}.yaml").exists()
        if path.stem == "inventory" or is_example:
            continue
        caption = plan_of(run).describe_figure(path.stem)["caption"]
        said = frozenset(claim for claim in CLAIMS if re.search(claim, caption))
        if said and is_as_declared(path, plan_of(run).study.figures.get(path.stem)):
            smallest.setdefault((said, plan_of(run).study.design), (run, path))
    return sorted(smallest.values(), key=str)


def test_captions_say_what_is_drawn(monkeypatch):
    monkeypatch.chdir(ROOT)
    wrong = {}
    for run, path in list_cases():
        plan = plan_of(run)
        caption = plan.describe_figure(path.stem)["caption"]
        drawn = Drawn(path, plan.study, place_panels(plan.study, path.stem))
        for claim, holds in CLAIMS.items():
            if re.search(claim, caption) and not holds(drawn):
                wrong[run, path.stem, claim] = caption
    assert not wrong
