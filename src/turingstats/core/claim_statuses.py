"""Statuses of published claims, and which of them count as checked.

A claim was *checked* if the computed number could have either agreed or disagreed with the printed one. A
claim that conflicts with other numbers in the paper is counted separately, and so
is one compared with generated data, from which only what was put in can be *recovered*.
"""

STATUSES = (
    "reproduced",
    "close",
    "taken over",
    "adds up",
    "differs",
    "recovered",
    "not recovered",
    "impossible",
    "no data",
    "not computed",
)
HOLD = ("reproduced", "close")
CHECKED = (*HOLD, "differs")
RECOVERED = "recovered"
NOT_RECOVERED = "not recovered"
"""Statuses of claims compared with generated data."""
IMPOSSIBLE = "impossible"
"""Status of a claim that conflicts with other numbers of its paper."""
ADDS_UP, NO_DATA = "adds up", "no data"
"""Statuses of a claim whose own data are absent: it follows from other numbers, or it does not."""
VERBS = {
    "adds up": ("adds up", "add up"),
    "differs": ("differs", "differ"),
    "impossible": ("contradicts the paper itself", "contradict the paper itself"),
    "no data": ("lacks data", "lack data"),
    "not computed": ("is not computed", "are not computed"),
}
"""Statuses in a sentence, of one claim and of several, where this is not the status."""


def count_in_words(number: int, status: str) -> str:
    """Count claims of a status in words, such as "46 differ"."""
    one, several = VERBS.get(status, (status, status))
    return f"{number} {one if number == 1 else several}"
