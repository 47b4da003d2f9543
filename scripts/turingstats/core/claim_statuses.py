"""Statuses of published claims, and which of them count as checked.

One definition for the ledger, the reports, the table of findings and the README: a claim was *checked* if
the number computed for it could have agreed with the printed one or not. A claim that cannot hold as
printed, since the paper contradicts itself there, was recomputed as well, but no data could have confirmed
it; it is counted apart.
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
