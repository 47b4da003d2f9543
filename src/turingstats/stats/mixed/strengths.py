"""Bradley-Terry model with random effects, beside the one with clustered errors.

A judge's effect is how much more often than others the judge takes the option shown first; a stimulus's, how
much more often the first is taken there. That judges or stimuli favor particular agents is not modeled, which
would take a random effect of each agent: errors clustered by judge and stimulus allow for it without a model
(`turingstats.stats.bradley_terry`).
"""

import numpy as np
import pandas as pd

from turingstats.stats.bradley_terry import Comparisons
from turingstats.stats.mixed.fit import Fit, fit_model


def fit_mixed_strengths(
    comparisons: Comparisons, number: int
) -> tuple[np.ndarray, np.ndarray, Fit]:
    """Fit strengths, an advantage of the first place, and random effects of judges and stimuli.

    Returns
    -------
    strength, se : arrays, shape (agents,)
        Relative to the mean of the agents; nan if the model could not be fitted.
    fit : Fit
        A tie is half a win and half a loss in its outcomes.
    """
    first, second, outcome = comparisons[:3]
    agents = [f"agent{k}" for k in range(1, number)]
    table = pd.DataFrame(
        {name: (first == k).astype(float) - (second == k) for k, name in enumerate(agents, start=1)}
    )
    table = table.assign(won=outcome, lost=1 - outcome, judge=comparisons.judge)
    groups = ["judge"]
    if comparisons.stimulus is not None:
        table, groups = table.assign(stimulus=comparisons.stimulus), ["judge", "stimulus"]
    random = " + ".join(f"(1 | {group})" for group in groups)
    fit = fit_model(table, f"cbind(won,lost) ~ 1 + {' + '.join(agents)} + {random}")
    if not fit.usable or len(fit.names) != number:
        return *np.full((2, number), np.nan), fit
    center = np.zeros((number, number))
    center[1:, 1:] = np.eye(number - 1)
    center[:, 1:] -= 1 / number
    variance = center @ fit.covariance @ center.T
    return center @ fit.estimate, np.sqrt(np.diag(variance)), fit
