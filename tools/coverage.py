"""How often 95% intervals hold the truth when judges and stimuli are both samples: simulated studies.

On the logit scale, the probability that a verdict is right is a constant, plus the judge's sensitivity, plus
(responses of machines) or minus (people's) the judge's bias, plus the stimulus's ease; all three are normal.
Each study draws new judges and new stimuli, half of them people's responses and half of machines; the truth
is the mean over all judges and stimuli. Run with `make coverage`; it takes some minutes and writes
docs/coverage.md and .csv.
"""

import os
import sys
from itertools import product
from pathlib import Path

from turingstats.core.processor import SETTINGS

# Before numpy is imported.
os.environ.update(SETTINGS)

import numpy as np
import pandas as pd
from scipy.special import expit, roots_hermitenorm

from turingstats.core import files
from turingstats.stats import crossed, resampling
from turingstats.stats.quantities import QUANTITIES, differentiate_quantity

DOCS = Path(__file__).parents[1] / "docs"
SEED = 2025
STUDIES = 500
DRAWS = 400
LEVEL = 0.95
CONSTANT = 0.3
DESIGNS = (
    (5, 20, 20),
    (10, 10, 10),
    (20, 20, 20),
    (50, 10, 10),
    (200, 10, 10),
    (500, 20, 10),
    (100, 100, 20),
    (20, 200, 20),
    (10, 500, 50),
    (500, 500, 20),
)
"""Judges, stimuli, and stimuli that each judge sees."""
SPREADS = ((0.5, 0.0), (0.5, 0.5), (0.5, 1.0), (1.0, 1.0))
"""Standard deviations of judges' bias and sensitivity, and of stimuli."""
LABELS = {"p_MM": "P(M\\|M)", "detectability": "detectability"}
INTERVALS = ("judges resampled", "judges and stimuli resampled", "judges and stimuli, closed form")
TEXT = """\
# Coverage: intervals when judges and stimuli are both samples

All numbers here are from a simulation ({studies} studies for each row, seed {seed}), none from judges.
`make coverage` makes this page and its table (`coverage.csv`) again.

In each study new judges see new stimuli. A 95% interval should hold the mean over all judges and all
stimuli in 95% of studies; with {studies} studies the share is known within {error:.1f} points. *Judges
resampled* draws judges with replacement and leaves the stimuli as they are. *Judges and stimuli resampled*
adds the draws of both and takes out once what varies from verdict to verdict
(`combine_draws` in `tools/coverage.py`). *Closed form* is the two-way clustered error with Student's t
on the logit scale (`turingstats.stats.crossed`).

{short}

Shares (%) by design, from the smallest to the largest over four spreads of judges and stimuli:

{table}
"""


def simulate_study(design, spreads, rng):
    """Simulate the verdicts of one study.

    Returns
    -------
    judges, stimuli, of_machine, right : arrays, shape (verdicts,)
    """
    n_judges, n_stimuli, n_seen = design
    order = rng.random((n_judges, n_stimuli)).argsort(axis=1)[:, :n_seen]
    judges, stimuli = np.repeat(np.arange(n_judges), n_seen), order.ravel()
    of_machine = stimuli % 2 == 1
    sensitivity, bias = rng.normal(0, spreads[0], (2, n_judges))
    ease = rng.normal(0, spreads[1], n_stimuli)
    logits = CONSTANT + sensitivity[judges] + ease[stimuli]
    logits += np.where(of_machine, bias[judges], -bias[judges])
    return judges, stimuli, of_machine, rng.random(len(judges)) < expit(logits)


def compute_truth(spreads):
    """Mean of the probability over all judges and stimuli, by Gauss-Hermite quadrature."""
    nodes, weights = roots_hermitenorm(60)
    spread = np.sqrt(2 * spreads[0] ** 2 + spreads[1] ** 2)
    return float(weights @ expit(CONSTANT + spread * nodes) / weights.sum())


def estimate_intervals(study, rng):
    """Yield quantity, kind of interval, lower and upper limit of one study."""
    judges, stimuli, of_machine, right = study
    counts = np.column_stack(
        [right & ~of_machine, ~of_machine, right & of_machine, of_machine]
    ).astype(int)
    totals = counts.sum(axis=0)
    drawn = {
        "judge": bootstrap_unit_totals(counts, judges, DRAWS, rng),
        "stimulus": bootstrap_unit_totals(counts, stimuli, DRAWS, rng),
        "verdict": resampling.bootstrap_totals(counts, DRAWS, rng),
    }
    for quantity in LABELS:
        value = compute_value(quantity, totals)
        draws = {unit: compute_value(quantity, own) for unit, own in drawn.items()}
        both = combine_draws(value, draws["judge"], draws["stimulus"], draws["verdict"])
        for kind, own in zip(INTERVALS, (draws["judge"], both), strict=False):
            _, low, high = resampling.summarize_draws(own[None], LEVEL)
            yield quantity, kind, low[0], high[0]
        shown = counts[:, 3] > 0 if quantity == "p_MM" else np.ones(len(counts), bool)
        influence = counts @ differentiate_quantity(quantity, totals)
        error = crossed.estimate_crossed_error(influence, judges, stimuli, shown)
        yield quantity, INTERVALS[2], *crossed.compute_crossed_interval(value, error, LEVEL)


def compute_value(quantity, totals):
    """Compute a quantity from totals of right verdicts and trials, shape (..., 4)."""
    return QUANTITIES[quantity].value(*np.moveaxis(totals, -1, 0))


def bootstrap_unit_totals(counts, unit, n_resamples, rng):
    """Compute column totals when units with several rows are drawn with replacement.

    Parameters
    ----------
    counts : array of int, shape (rows, columns)
        Counts, such as those of each judge with each stimulus.
    unit : array, shape (rows,)
        Unit that each row belongs to and is drawn with: its judge, or its stimulus.
    n_resamples : int
        Number of bootstrap samples.
    rng : numpy.random.Generator
        Random generator.

    Returns
    -------
    array of float, shape (n_resamples, columns)
        As `bootstrap_totals`, with the rows of each unit drawn together.
    """
    names, codes = np.unique(np.asarray(unit), return_inverse=True)
    sums = np.zeros((len(names), counts.shape[1]), int)
    np.add.at(sums, codes, counts)
    return resampling.bootstrap_totals(sums, n_resamples, rng)


def combine_draws(value, by_judge, by_stimulus, by_verdict):
    """Combine bootstrap draws of a quantity when judges and stimuli are both samples.

    Parameters
    ----------
    value : array, shape (...)
        The quantity in the data.
    by_judge, by_stimulus, by_verdict : arrays, shape (..., n_resamples)
        The quantity when judges, stimuli, or single pairs of judge and stimulus are drawn with
        replacement.

    Returns
    -------
    array, shape (..., n_resamples)
        Sums of a deviation due to judges and one due to stimuli, scaled to the variance V below.

    Notes
    -----
    The variance between single verdicts is part of both V_judges and V_stimuli, and is subtracted once:
    V = V_judges + V_stimuli - V_verdicts, as in two-way clustered standard errors (Cameron,
    Gelbach & Miller 2011, Journal of Business & Economic Statistics 29, 238-249); V is at least the
    larger of the two. Drawing judges and stimuli at once (the pigeonhole bootstrap, Owen 2007) would count
    that part three times, which matters if a judge sees few stimuli.
    """
    draws = (by_judge, by_stimulus, by_verdict)
    with np.errstate(invalid="ignore"):
        judges, stimuli, verdicts = (np.nanvar(draw, axis=-1, ddof=1) for draw in draws)
    wanted = crossed.combine_variances(judges, stimuli, verdicts)
    both = judges + stimuli
    scale = np.sqrt(np.divide(wanted, both, out=np.zeros_like(both), where=both > 0))
    value = np.asarray(value)[..., None]
    return value + scale[..., None] * (by_judge + by_stimulus - 2 * value)


def measure_coverage(number):
    """Measure how often intervals hold the truth.

    Parameters
    ----------
    number : int
        Studies for each design and spread.

    Returns
    -------
    pandas.DataFrame
        One row per design, spread, quantity and kind of interval: n (studies in which it is defined),
        coverage (share), width (mean).
    """
    rows = []
    for place, (design, spreads) in enumerate(product(DESIGNS, SPREADS)):
        truth = compute_truth(spreads)
        limits = []
        for study in range(number):
            rng = np.random.default_rng([SEED, place, study])
            limits += estimate_intervals(simulate_study(design, spreads, rng), rng)
        table = pd.DataFrame(limits, columns=["quantity", "interval", "low", "high"]).dropna()
        held = (table["low"] <= truth) & (truth <= table["high"])
        table = table.assign(held=held, width=table["high"] - table["low"])
        for (quantity, kind), own in table.groupby(["quantity", "interval"], sort=False):
            rows.append(
                dict(zip(("judges", "stimuli", "per_judge"), design, strict=True))
                | dict(zip(("spread_judges", "spread_stimuli"), spreads, strict=True))
                | {"quantity": quantity, "interval": kind, "n": len(own)}
                | {"coverage": own["held"].mean(), "width": own["width"].mean()}
            )
    return pd.DataFrame(rows)


def write_page(table, number):
    """Write docs/coverage.md from the table."""
    designs = ["judges", "stimuli", "per_judge", "quantity"]
    ranges = (
        100 * table.groupby([*designs, "interval"], sort=False)["coverage"].agg(["min", "max"])
    ).round(1)
    cells = (ranges["min"].astype(str) + " to " + ranges["max"].astype(str)).unstack("interval")
    heads = ["Judges", "Stimuli", "Seen by a judge", "Quantity"]
    lines = [" | ".join([*heads, *INTERVALS]), " | ".join(["---"] * (len(heads) + 3))]
    for design, row in cells.iterrows():
        lines.append(" | ".join([*map(str, design[:3]), LABELS[design[3]], *row[list(INTERVALS)]]))
    short = []
    for kind in INTERVALS:
        own = 100 * table.loc[table["interval"] == kind, "coverage"]
        inside = own.between(93, 97).sum()
        short.append(
            f"- {kind}: {own.min():.1f}% to {own.max():.1f}%; {inside} of {len(own)} rows within 93% to 97%, "
            f"{(own < 93).sum()} below, {(own > 97).sum()} above."
        )
    error = 196 * np.sqrt(LEVEL * (1 - LEVEL) / number)
    text = TEXT.format(
        studies=number,
        seed=SEED,
        error=error,
        short="\n".join(short),
        table="\n".join(f"| {line} |" for line in lines),
    )
    files.write_text(text, DOCS / "coverage.md")


def main(number):
    """Simulate, and write the table and the page."""
    table = measure_coverage(number)
    files.write_frame(table.assign(data="simulation"), DOCS / "coverage.csv")
    write_page(table, number)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES)
