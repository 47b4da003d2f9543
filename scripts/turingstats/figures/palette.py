"""Colors and markers by meaning: whose responses, which judges, which group of people.

Every color has a contrast of at least 3:1 with white, and any two that may meet in a panel differ for people
with normal vision, deuteranopia or protanopia. Markers repeat the distinction without color.
"""

INK, GREY, PALE = "#1a1a1a", "#595959", "#c4c4c4"
BLUE, RED = "#0057b8", "#c8102e"  # asterisks: against chance, between groups

PEOPLE, MACHINES = "#1a1a1a", "#c97f0a"
"""Responses of people and of machines, where all machines are pooled."""
SERIES = ("#24476b", "#4f9a8c", "#8a3b12", "#898ed5", "#7d2fc4", "#54718e", "#8e7154")
"""Agents, and groups without a look of their own, in the order in which the study declares them."""
RAMP = ("#898ed5", "#54718e", "#24476b")
"""Ordered groups of people, such as school, bachelor and postgraduate."""
MARKERS = "osD^vPX"
