"""Wald tests of mixed models with few judges or stimuli: how often they reject true null hypotheses."""

from collections.abc import Iterator

import numpy as np
import pandas as pd

from tools.simulations import LEVEL, Row
from tools.simulations.judges import draw_study
from turingstats.stats.mixed import fit, wald

SPREAD = (0.5, 0.5)
RANDOM = "(1 | judge) + (1 | judge:made_by) + (1 | stimulus)"
TERMS = {"within judges": "made_by", "between judges": "half"}
"""Terms of models without an effect, by what they compare."""


def simulate_study(rng: np.random.Generator, case: Row) -> Iterator[Row]:
    """Simulate a study without effects, and yield whether the tests of two models reject."""
    judge, stimulus, of_machine, right = draw_study(rng, case, SPREAD, 0.0)
    made_by = np.where(of_machine, "machine", "human")
    columns = {"judge": judge, "stimulus": stimulus, "half": judge % 2}
    table = pd.DataFrame(columns).astype(str).assign(made_by=made_by)
    # Detectability is one half, so that machines and people are called machine equally often.
    table["said_machine"] = (right == of_machine).astype(int)
    for name, term in TERMS.items():
        fitted = fit.fit_model(table, f"said_machine ~ {term} + {RANDOM}")
        if fitted.usable:
            z, t = (
                wald.wald(fitted.estimate[1], fitted.se[1], LEVEL, df).p
                for df in (np.inf, fitted.df)
            )
            yield {"effect": name, "rejected_z": z < 1 - LEVEL, "rejected_t": t < 1 - LEVEL}
