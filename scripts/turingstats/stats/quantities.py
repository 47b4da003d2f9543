"""Estimated and tested quantities: functions of right verdicts and trials on people's and agents' responses.

A confusion matrix is four rates: P(H|H) and P(M|H) of people's responses, P(H|M) and P(M|M) of an
agent's. Everything else is a function of the same four counts: right verdicts and trials on people's
responses, right verdicts and trials on an agent's. To add a quantity, add a function of them to
`QUANTITIES`: it gets a value, a standard error and an interval in `estimates.csv`, and can be tested by
permutation of judges. Also add its name to `turingstats.core.quantity_names`.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np

from turingstats.stats import signal_detection


def rate(right, n):
    """Compute right / n, with nan where n is 0."""
    right, n = np.asarray(right, float), np.asarray(n, float)
    return np.divide(right, n, out=np.full(np.broadcast(right, n).shape, np.nan), where=n > 0)


def differentiate_quantity(quantity, four):
    """Compute the derivatives of a tested quantity with respect to its four counts.

    Parameters
    ----------
    quantity : {"p_HH", "p_MM", "p_HM", "detectability", "accuracy"}
    four : array, shape (..., 4)
        Right verdicts and trials on people's responses, then on an agent's.

    Returns
    -------
    array, shape (..., 4)
        0 for counts that the quantity does not depend on; nan where it is undefined.
    """
    four = np.asarray(four, float)
    if quantity == "accuracy":
        pooled = four[..., :2] + four[..., 2:]
        return np.tile(differentiate_rate(pooled), 2)
    weights = {"p_HH": (1, 0), "p_MM": (0, 1), "p_HM": (0, -1), "detectability": (0.5, 0.5)}
    parts = zip(weights[quantity], (four[..., :2], four[..., 2:]), strict=True)
    return np.concatenate(
        [w * differentiate_rate(p) if w else np.zeros_like(p) for w, p in parts], axis=-1
    )


def differentiate_rate(part):
    """Compute the derivatives of a rate with respect to its right verdicts and trials (last axis)."""
    right, n = part[..., 0], part[..., 1]
    return np.stack([rate(1, n), -rate(rate(right, n), n)], axis=-1)


class Quantity(NamedTuple):
    """A number computed from a confusion matrix; `quantity_names.WHOSE` says whose responses it describes.

    Attributes
    ----------
    value : callable
        Maps (human_right, human_n, agent_right, agent_n), numbers or arrays that broadcast, to values;
        nan where it is undefined.
    complement : str, optional
        Name of the quantity that adds up to 1 with this one, and therefore has the same errors.
    counts : {"decided", "every", "unsure"}
        Definition of (right, n): right verdicts out of decided ones; right verdicts out of all; verdicts
        `unsure` out of all. The last two are estimated if any verdict is `unsure`.
    of_choices : bool
        Whether it is defined for choices between a person's and a machine's response, where an agent is
        compared with itself.
    """

    value: Callable
    complement: str | None = None
    counts: Literal["decided", "every", "unsure"] = "decided"
    of_choices: bool = True


def mean_of_rates(human_right, human_n, agent_right, agent_n):
    """Compute the mean of the rates of people's and of an agent's responses."""
    return (rate(human_right, human_n) + rate(agent_right, agent_n)) / 2


def pooled_rate(human_right, human_n, agent_right, agent_n):
    """Compute the rate of people's and an agent's responses together."""
    return rate(np.add(human_right, agent_right), np.add(human_n, agent_n))


QUANTITIES = {
    "p_HH": Quantity(lambda h, nh, a, na: rate(h, nh), of_choices=False),
    "p_MH": Quantity(lambda h, nh, a, na: 1 - rate(h, nh), "p_HH", of_choices=False),
    "p_MM": Quantity(lambda h, nh, a, na: rate(a, na)),
    "p_HM": Quantity(lambda h, nh, a, na: 1 - rate(a, na), "p_MM"),
    "detectability": Quantity(mean_of_rates),
    "accuracy": Quantity(pooled_rate),
    "d_prime": Quantity(signal_detection.d_prime, of_choices=False),
    "criterion": Quantity(signal_detection.criterion, of_choices=False),
    "p_UH": Quantity(lambda h, nh, a, na: rate(h, nh), None, "unsure", of_choices=False),
    "p_UM": Quantity(lambda h, nh, a, na: rate(a, na), None, "unsure"),
    "identified": Quantity(mean_of_rates, None, "every"),
}
"""Quantities by name, in the order of `estimates.csv`."""
