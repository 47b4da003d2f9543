"""Statuses of published claims, and which of them count as checked.

A claim was *checked* if the computed number could have either agreed or disagreed with the printed one. A
claim that cannot hold as printed, because the paper contradicts itself there, is counted separately.
"""

STATUSES = (
    "reproduced",
    "close",
    "taken over",
    "differs",
    "impossible",
    "no data",
    "not computed",
)
HOLD = ("reproduced", "close")
CHECKED = (*HOLD, "differs")
IMPOSSIBLE = "impossible"
"""Status of a claim that cannot hold as printed."""
