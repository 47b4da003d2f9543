"""The model of a verdict that all generators share.

::

    tendency = bias of the judge + sensitivity of the judge * (+1/2 for a machine, -1/2 for a person)
               + effect of the response + logistic noise
    judged machine: the responses of each kind with the largest tendency, as many as the paper prints

Bias, sensitivity and the effect of a response are normal with mean 0. This is a logistic model with an
intercept for each kind, chosen so that the printed rate comes out whatever the random terms are.

The standard deviations, in logits, are near those of the first wave of Color estimation in zhang2025: a
logistic model with normal judge terms gives 0.7 (bias) and 0.15 (sensitivity), and two judges of the same
picture with the same answer agree more often than by chance, as with an SD of about 1. Sensitivity is set
above its uncertain estimate, to give the models something to find.
"""

import numpy as np
import pandas as pd

BIAS_SD, SENSITIVITY_SD, RESPONSE_SD = 0.7, 0.3, 1.0


def draw_effects(rng: np.random.Generator, of: pd.Series, sd: float) -> np.ndarray:
    """Draw a normal effect of each judge, or of each response; 0 where it is not known which."""
    codes, values = pd.factorize(of)
    return np.append(rng.normal(0, sd, len(values)), 0)[codes]


def draw_machine_verdicts(rng: np.random.Generator, trials: pd.DataFrame) -> np.ndarray:
    """Tell which trials end with the verdict machine.

    `trials` has the columns judge and response (missing: without an effect), is_machine, kind, rate (the
    printed share judged machine of its kind) and, optionally, tendency, which is added to the model's.
    """
    side = np.where(trials["is_machine"], 0.5, -0.5)
    tendency = trials.get("tendency", 0) + rng.logistic(0, 1, len(trials))
    tendency += draw_effects(rng, trials["judge"], BIAS_SD)
    tendency += draw_effects(rng, trials["judge"], SENSITIVITY_SD) * side
    tendency += draw_effects(rng, trials["response"], RESPONSE_SD)
    of_kind = pd.Series(tendency, trials.index).groupby(trials["kind"])
    place = of_kind.rank(method="first", ascending=False)
    return (place <= (trials["rate"] * of_kind.transform("size")).round()).to_numpy()
