"""Estimated and tested quantities: functions of right verdicts and trials on people's and agents' responses.

A confusion matrix is four rates: P(H|H) and P(M|H) of people's responses, P(H|M) and P(M|M) of an
agent's. Everything else is a function of the same four counts: right verdicts and trials on people's
responses, right verdicts and trials on an agent's. To add a quantity, add a function of them and its
derivatives to `QUANTITIES`: it gets a value, a standard error and an interval in `estimates.csv`, and can be
tested by permutation of judges. Also add its name to `turingstats.core.quantity_names`.
"""

from collections.abc import Callable
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from turingstats.stats import signal_detection


def rate(right: ArrayLike, n: ArrayLike) -> np.ndarray:
    """Compute right / n, with nan where n is 0."""
    return np.divide(right, np.where(np.greater(n, 0), n, np.nan))


def differentiate_rate(right: ArrayLike, n: ArrayLike) -> tuple[np.ndarray, np.ndarray]:
    """Compute the derivatives of a rate with respect to its right verdicts and its trials."""
    return rate(1, n), -rate(rate(right, n), n)


def weigh_rates(people: float, agent: float, constant: float = 0.0) -> tuple[Callable, Callable]:
    """Make a constant plus a weighted sum of the rates of people's and of an agent's responses, and its
    derivatives (`Quantity`). A rate with the weight 0 does not count, even without trials.
    """

    def add_up(*four: ArrayLike) -> np.ndarray:
        sides = (people, four[:2]), (agent, four[2:])
        parts = [weight * rate(*side) for weight, side in sides if weight]
        return np.asarray(constant + sum(parts))

    def differentiate(*four: ArrayLike) -> tuple[ArrayLike, ...]:
        parts: list[ArrayLike] = []
        for weight, side in ((people, four[:2]), (agent, four[2:])):
            if weight:
                parts += [weight * slope for slope in differentiate_rate(*side)]
            else:
                parts += [0.0, 0.0]
        return tuple(parts)

    return add_up, differentiate


def differentiate_pooled_rate(*four: ArrayLike) -> tuple[np.ndarray, ...]:
    """Compute the derivatives of the rate of people's and an agent's responses together."""
    return differentiate_rate(np.add(four[0], four[2]), np.add(four[1], four[3])) * 2


def differentiate_quantity(quantity: str, four: ArrayLike) -> np.ndarray:
    """Compute the derivatives of a quantity with respect to its four counts.

    Parameters
    ----------
    quantity : str
        One of `QUANTITIES`.
    four : array, shape (..., 4)
        Right verdicts and trials on people's responses, then on an agent's.

    Returns
    -------
    array, shape (..., 4)
        0 for counts that the quantity does not depend on; nan where it is undefined.
    """
    counts = np.moveaxis(np.asarray(four, float), -1, 0)
    parts = np.broadcast_arrays(*QUANTITIES[quantity].derivatives(*counts))
    return np.stack(parts, axis=-1)


class Quantity(NamedTuple):
    """A number computed from a confusion matrix; `quantity_names.WHOSE` says whose responses it describes."""

    # Maps (human_right, human_n, agent_right, agent_n), numbers or arrays that broadcast, to
    # values; nan where it is undefined.
    value: Callable
    # Maps the same counts to the derivatives of the value with respect to each of them: how much a
    # verdict moves the quantity, from which errors are computed (`turingstats.stats.crossed`).
    derivatives: Callable
    # One of decided, every, wrong, unsure; definition of (right, n): right verdicts out of decided
    # ones; right, wrong or `unsure` verdicts out of all. The last three are estimated if any
    # verdict is `unsure`.
    counts: Literal["decided", "every", "wrong", "unsure"] = "decided"
    # Whether it is defined for choices between a person's and a machine's response, where an agent
    # is compared with itself.
    of_choices: bool = True
    share: bool = True  # whether it is between 0 and 1
    is_pooled: bool = False  # whether it is one rate, of people's and an agent's responses together


def pooled_rate(*four: ArrayLike) -> np.ndarray:
    """Compute the rate of people's and an agent's responses together."""
    return rate(np.add(four[0], four[2]), np.add(four[1], four[3]))


PEOPLE, AGENT, BOTH = (weigh_rates(*weights) for weights in ((1, 0), (0, 1), (0.5, 0.5)))

QUANTITIES = {
    "p_HH": Quantity(*PEOPLE, of_choices=False),
    "p_MH": Quantity(*weigh_rates(-1, 0, 1), of_choices=False),
    "p_MM": Quantity(*AGENT),
    "p_HM": Quantity(*weigh_rates(0, -1, 1)),
    "detectability": Quantity(*BOTH),
    "accuracy": Quantity(pooled_rate, differentiate_pooled_rate, is_pooled=True),
    "d_prime": Quantity(
        signal_detection.d_prime,
        signal_detection.differentiate_d_prime,
        of_choices=False,
        share=False,
    ),
    "criterion": Quantity(
        signal_detection.criterion,
        signal_detection.differentiate_criterion,
        of_choices=False,
        share=False,
    ),
    "p_UH": Quantity(*PEOPLE, "unsure", of_choices=False),
    "p_UM": Quantity(*AGENT, "unsure"),
    "p_HH_all": Quantity(*PEOPLE, "every", of_choices=False),
    "p_HM_all": Quantity(*AGENT, "wrong"),
    "identified": Quantity(*BOTH, "every"),
}
"""Quantities by name, in the order of `estimates.csv`."""
