"""Colors and markers by meaning: whose responses, which judges, which group of people.

Every color has a contrast of at least 3:1 with white, and any two that may meet in a panel differ for people
with normal vision, deuteranopia or protanopia. Markers repeat the distinction without color.
"""

import colorsys
from typing import Any, NamedTuple

INK, GREY, PALE = "#1a1a1a", "#595959", "#c4c4c4"
BLUE, RED = "#0057b8", "#c8102e"  # asterisks: against chance, between groups

PEOPLE, MACHINES = "#1a1a1a", "#c97f0a"
"""Responses of people and of machines, where all machines are pooled."""
SERIES = ("#24476b", "#4f9a8c", "#8a3b12", "#898ed5", "#7d2fc4", "#54718e", "#8e7154")
"""Agents, and groups without a look of their own, in the order in which the study declares them."""
GROUPS = ("#4f9a8c", "#8a3b12", "#7d2fc4", "#8e7154", "#1a1a1a", "#c97f0a")
"""Groups of people without an order, such as gender; none is a shade of the ordered groups."""
LEVELS = ("#898ed5", "#8e7154", "#c97f0a", "#54718e", "#24476b", "#7d2fc4", "#4f9a8c", "#8a3b12")
"""Levels of a condition, beginning with colors that groups of human judges do not have."""
RAMP = ("#898ed5", "#54718e", "#24476b")
"""Ordered groups of people, such as school, bachelor and postgraduate."""
MARKERS = "osD^vPX"


class Style(NamedTuple):
    """Color and marker of a group, of judges or of an agent."""

    color: str
    marker: str = "o"
    filled: bool = True

    @property
    def marks(self) -> dict[str, Any]:
        """Properties of a marker for `matplotlib.axes.Axes.plot`."""
        face = self.color if self.filled else "white"
        return {"marker": self.marker, "mfc": face, "mec": self.color, "mew": 0.7, "ls": ""}


ROLES = {
    "people": Style(PEOPLE, "o"),
    "laboratory": Style("#24476b", "o"),
    "online": Style("#4f9a8c", "s"),
    "Prolific": Style("#8a3b12", "D"),
    "experts": Style("#7d2fc4", "^"),
    "paper's classifier": Style("#8e7154", "v"),
    "paper's classifier, few examples": Style("#8e7154", "v", filled=False),
    "classifier trained here": Style("#54718e", "p"),
    "classifier trained here, few examples": Style("#54718e", "p", filled=False),
    "language model": Style("#898ed5", "X"),
    "detector": Style(MACHINES, "s"),
}
"""Judges by their role (`Cohort.role` in a study file), the same in every figure."""


def find_style(role: str) -> Style:
    """Find the look of a role of `ROLES`, or of a place in the order of a study, such as "group 2 of 3"."""
    if role in ROLES:
        return ROLES[role]
    what, number, *rest = role.split()
    index = int(number) - 1
    if rest:
        return Style(shade_ramp(index, int(rest[-1])), MARKERS[index % len(MARKERS)])
    colors = {"group": GROUPS, "level": LEVELS}.get(what, SERIES)
    # After all colors have been used, they return with other markers.
    turn, hue = divmod(index, len(colors))
    return Style(colors[hue], MARKERS[(hue + turn) % len(MARKERS)])


def shade_ramp(index: int, number: int) -> str:
    """Find the shade of an ordered group among `number` groups, from light to dark."""
    along = (len(RAMP) - 1) * index / max(number - 1, 1)
    low = min(int(along), len(RAMP) - 2)
    channels = (
        round(int(a, 16) + (along - low) * (int(b, 16) - int(a, 16)))
        for a, b in ((RAMP[low][i : i + 2], RAMP[low + 1][i : i + 2]) for i in (1, 3, 5))
    )
    return "#" + "".join(f"{channel:02x}" for channel in channels)


GROUNDS = (
    "#ffffff", "#f2f2f2", "#e8eef3", "#fbe3b5", "#f1f4f8", "#ececec", "#dcdcdc", "#e2e2e2", "#f4f4f4",
)  # fmt: skip
"""Colors of paper, bands, and lines behind marks."""


def darken_ground(color: str) -> str:
    """Find the color that takes the place of another in the dark: of the same hue, light in place of dark."""
    hue, light, strength = colorsys.rgb_to_hls(
        *(int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    )
    dark = 1 - 0.914 * light
    if color not in GROUNDS and strength > 0.2:
        # Marks stay as bright as they are, or become brighter.
        dark = max(1.1 - 1.1 * light, light, 0.6)
    channels = colorsys.hls_to_rgb(hue, dark, strength)
    return "#" + "".join(f"{round(255 * channel):02x}" for channel in channels)


def write_dark_rules() -> str:
    """Write style rules that give a picture (SVG) other colors in the dark; those of rates stay."""
    rules = ['[style*="stroke: #000000"]{stroke:#ffffff!important}']
    colors = (INK, GREY, PALE, BLUE, RED, MACHINES, *SERIES, *GROUPS, *LEVELS, *RAMP, *GROUNDS)
    for color in dict.fromkeys(colors):
        # White text stands on a color that stays.
        but = ":not(text)" if color == "#ffffff" else ""
        other = darken_ground(color)
        rules += [
            f'{but}[style*="{what}: {color}"]{{{what}:{other}!important}}'
            for what in ("fill", "stroke")
        ]
    return f"@media screen and (prefers-color-scheme: dark){{{''.join(rules)}}}"
