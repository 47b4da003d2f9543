"""What is estimated and tested: functions of right verdicts and trials on people's and agents' responses.

A confusion matrix is four rates: P(H|H) and P(M|H) of people's responses, P(H|M) and P(M|M) of an
agent's. Everything else is a function of the same four counts: right verdicts and trials on people's
responses, right verdicts and trials on an agent's. To add a quantity, add a function of them to
`QUANTITIES`: it gets a value, a standard error and an interval in `estimates.csv`, and can be tested by
permutation of judges.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np

from turingstats import signal_detection


def rate(right, n):
    """right / n, and nan where n is 0."""
    right, n = np.asarray(right, float), np.asarray(n, float)
    return np.divide(right, n, out=np.full(np.broadcast(right, n).shape, np.nan), where=n > 0)


class Quantity(NamedTuple):
    """A number that follows from a confusion matrix.

    Attributes
    ----------
    of : {"human", "agent", "pair"}
        Whose responses it says something about: people's, an agent's, or both.
    value : callable
        Maps (human_right, human_n, agent_right, agent_n), numbers or arrays that broadcast, to values;
        nan where it is not defined.
    complement : str, optional
        Name of the quantity that adds up to 1 with this one, so that its errors need no computing.
    """

    of: Literal["human", "agent", "pair"]
    value: Callable
    complement: str | None = None


QUANTITIES = {
    "p_HH": Quantity("human", lambda h, nh, a, na: rate(h, nh)),
    "p_MH": Quantity("human", lambda h, nh, a, na: 1 - rate(h, nh), "p_HH"),
    "p_MM": Quantity("agent", lambda h, nh, a, na: rate(a, na)),
    "p_HM": Quantity("agent", lambda h, nh, a, na: 1 - rate(a, na), "p_MM"),
    "detectability": Quantity("pair", lambda h, nh, a, na: (rate(h, nh) + rate(a, na)) / 2),
    "d_prime": Quantity("pair", signal_detection.d_prime),
    "criterion": Quantity("pair", signal_detection.criterion),
}
"""By name, in the order in which `estimates.csv` lists them."""
