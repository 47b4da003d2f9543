"""How often intervals of ratings, and of signal detection as a mixed model, hold the truth.

Writes the last section of docs/coverage.md, and docs/coverage_ratings.csv. Run with `make coverage`.
"""

import sys
from collections.abc import Iterator
from itertools import product

from tools.coverage import (  # Before numpy is imported.
    DOCS,
    LEVEL,
    SEED,
    end_page_with,
    list_coverage,
    list_ranges,
    sum_up_kinds,
)

import numpy as np  # isort: skip
import pandas as pd
from scipy import stats
from scipy.special import expit

from turingstats.analysis.graded_verdicts import measure_difference
from turingstats.analysis.ordinal_models import correct_errors, list_effects
from turingstats.core import files
from turingstats.core.parallel import call_in_parallel
from turingstats.stats.mixed.cumulative import fit_cumulative_model

STUDIES, BATCH = 200, 25
DESIGNS = ((20, 20, 20), (200, 20, 10), (20, 200, 20), (100, 100, 20))
"""Judges, stimuli, and stimuli that each judge sees."""
SPREADS = ((0.5, 0.2), (0.5, 0.7))
"""Standard deviations of judges' criterion and d', and of stimuli."""
APART, CRITERION, CUTS = 0.8, 0.1, np.array([-1.2, -0.3, 0.5, 1.4])
KINDS = ("difference of mean ratings", "ordinal coefficient", "d'", "criterion")
HEADING = "\n## Ratings and signal detection\n"
TEXT = (
    HEADING
    + """
Ratings of five points with logistic noise, and verdicts with normal noise, in {studies} studies for each of
two spreads of stimuli. The difference of machines' and people's mean ratings has the error of a contrast; the
others are of mixed models with random effects of judges and stimuli (`ordinal_models.csv`,
`signal_models.csv`).

{short}

| Judges | Stimuli | Seen by a judge | {heads} |
| --- | --- | --- | --- | --- | --- | --- |
{table}
"""
)


def estimate_limits(
    design: tuple[int, int, int], spreads: tuple[float, float], seed: tuple[int, ...]
) -> Iterator[tuple[str, str, float, float, float]]:
    """Simulate a study, and yield the limits of each interval with the truth."""
    rng = np.random.default_rng(seed)
    number, stimuli, seen = design
    judges = np.repeat(np.arange(number), seen)
    shown = np.concatenate([rng.permutation(stimuli)[:seen] for _ in range(number)])
    shown = np.unique(shown, return_inverse=True)[1]
    machine = (shown % 2).astype(float)
    own = rng.normal([APART, CRITERION], spreads[0], (number, 2))[judges]
    eta = own[:, 0] * (machine - 0.5) - own[:, 1] + rng.normal(0, spreads[1], stimuli)[shown]
    ratings = 1.0 + np.searchsorted(CUTS, eta + rng.logistic(size=len(eta)))
    verdicts = (eta + rng.normal(size=len(eta)) > 0).astype(float)
    names = {"judge": judges, "stimulus": shown, "agent": np.where(machine == 1, "bot", "human")}
    difference = measure_difference(pd.DataFrame(names | {"rating": ratings}), "rating", LEVEL)
    truth = compute_difference(spreads)
    yield "ratings", KINDS[0], difference["ci_low"], difference["ci_high"], truth
    effects = list_effects((judges, shown), machine)
    x = (machine - 0.5)[:, None]
    for answers, link, wanted in (
        (ratings, "logit", [(KINDS[1], APART)]),
        (verdicts, "probit", [(KINDS[2], APART), (KINDS[3], CRITERION)]),
    ):
        fit = fit_cumulative_model(answers, x, effects, link)
        errors, df = correct_errors(fit, effects, 2)
        reach = stats.t.ppf(0.5 + LEVEL / 2, df) * errors
        for i, (kind, value) in enumerate(wanted):
            estimate = fit.estimate[i]
            yield "model", kind, estimate - reach[i], estimate + reach[i], value


def compute_difference(spreads: tuple[float, float]) -> float:
    """Compute the difference of mean ratings over all judges and stimuli."""
    z, weights = np.polynomial.hermite_e.hermegauss(40)
    # A slope of 1/2 or -1/2 adds a quarter of its variance.
    spread = np.sqrt(1.25 * spreads[0] ** 2 + spreads[1] ** 2)
    eta = np.array([-0.5, 0.5])[:, None] * APART - CRITERION + spread * z
    means = expit(eta[..., None] - CUTS).sum(axis=-1) @ (weights / weights.sum())
    return float(means[1] - means[0])


def estimate_batch(place: int, first: int) -> list[tuple[str, str, float, float, float]]:
    """Estimate the intervals of some studies of one design and spread."""
    design, spreads = [*product(DESIGNS, SPREADS)][place]
    return [
        limit
        for study in range(first, first + BATCH)
        for limit in estimate_limits(design, spreads, (SEED, 3, place, study))
    ]


def measure_rating_coverage(number: int, workers: int = 2) -> pd.DataFrame:
    """Measure how often intervals hold the truth, by design and spread."""
    places = [*enumerate(product(DESIGNS, SPREADS))]
    jobs = [(place, first) for place, _ in places for first in range(0, number, BATCH)]
    batches = dict(zip(jobs, call_in_parallel(estimate_batch, jobs, workers), strict=True))
    rows = []
    for place, (design, spreads) in places:
        limits = [limit for (at, _), batch in batches.items() if at == place for limit in batch]
        rows += list_coverage(limits, design, spreads)
    return pd.DataFrame(rows)


def write_section(table: pd.DataFrame, number: int) -> None:
    """Write the section of docs/coverage.md, in place of an earlier one."""
    text = TEXT.format(
        studies=number,
        short=sum_up_kinds(table, KINDS),
        heads=" | ".join(KINDS),
        table=list_ranges(table, ["judges", "stimuli", "per_judge"], KINDS),
    )
    end_page_with(HEADING, text)


if __name__ == "__main__":
    studies = int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES
    table = measure_rating_coverage(studies)
    files.write_frame(table.assign(data="simulation"), DOCS / "coverage_ratings.csv")
    write_section(table, studies)
