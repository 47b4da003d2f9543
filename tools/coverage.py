"""How often 95% intervals hold the truth when judges and stimuli are both samples: simulated studies.

On the logit scale, the probability that a verdict is right is a constant, plus the judge's sensitivity, plus
(responses of machines) or minus (people's) the judge's bias, plus the stimulus's ease; all three are normal.
Each study draws new judges and new stimuli, half of them people's responses and half of machines; the truth
is the mean over all judges and stimuli. Run with `make coverage`; it takes some minutes and writes
docs/coverage.md and .csv.
"""

import os
import sys
from collections.abc import Iterator
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
INTERVALS = ("judges resampled", "judges and stimuli, closed form")
TEXT = """\
# Coverage: intervals when judges and stimuli are both samples

All numbers here are from a simulation ({studies} studies for each row, seed {seed}), none from judges.
`make coverage` makes this page and its table (`coverage.csv`) again.

In each study new judges see new stimuli. A 95% interval should hold the mean over all judges and all
stimuli in 95% of studies; with {studies} studies the share is known within {error:.1f} points. *Judges
resampled* draws judges with replacement and leaves the stimuli as they are. *Closed form* is the two-way
clustered error with Student's t on the logit scale (`turingstats.stats.crossed`).

{short}

Shares (%) by design, from the smallest to the largest over four spreads of judges and stimuli:

{table}
"""


Study = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""Judge, stimulus, whether a machine made it, and whether the verdict is right, of each verdict."""


def simulate_study(
    design: tuple[int, int, int], spreads: tuple[float, float], rng: np.random.Generator
) -> Study:
    """Simulate the verdicts of one study."""
    n_judges, n_stimuli, n_seen = design
    order = rng.random((n_judges, n_stimuli)).argsort(axis=1)[:, :n_seen]
    judges, stimuli = np.repeat(np.arange(n_judges), n_seen), order.ravel()
    of_machine = stimuli % 2 == 1
    sensitivity, bias = rng.normal(0, spreads[0], (2, n_judges))
    ease = rng.normal(0, spreads[1], n_stimuli)
    logits = CONSTANT + sensitivity[judges] + ease[stimuli]
    logits += np.where(of_machine, bias[judges], -bias[judges])
    return judges, stimuli, of_machine, rng.random(len(judges)) < expit(logits)


def compute_truth(spreads: tuple[float, float]) -> float:
    """Compute the mean of the probability over all judges and stimuli, by Gauss-Hermite quadrature."""
    nodes, weights = roots_hermitenorm(60)
    spread = np.sqrt(2 * spreads[0] ** 2 + spreads[1] ** 2)
    return float(weights @ expit(CONSTANT + spread * nodes) / weights.sum())


def estimate_intervals(
    study: Study, rng: np.random.Generator
) -> Iterator[tuple[str, str, float, float]]:
    """Yield quantity, kind of interval, lower and upper limit of one study."""
    judges, stimuli, of_machine, right = study
    counts = np.column_stack(
        [right & ~of_machine, ~of_machine, right & of_machine, of_machine]
    ).astype(int)
    totals = counts.sum(axis=0)
    by_judge = np.zeros((judges.max() + 1, 4), int)
    np.add.at(by_judge, judges, counts)
    drawn = resampling.bootstrap_totals(by_judge, DRAWS, rng)
    for quantity in LABELS:
        _, low, high = resampling.summarize_draws(compute_value(quantity, drawn)[None], LEVEL)
        yield quantity, INTERVALS[0], low[0], high[0]
        shown = counts[:, 3] > 0 if quantity == "p_MM" else np.ones(len(counts), bool)
        influence = counts @ differentiate_quantity(quantity, totals)
        error = crossed.estimate_crossed_error(influence, judges, stimuli, shown)
        value = compute_value(quantity, totals)
        yield quantity, INTERVALS[1], *crossed.compute_crossed_interval(value, error, LEVEL)


def compute_value(quantity: str, totals: np.ndarray) -> np.ndarray:
    """Compute a quantity from totals of right verdicts and trials, shape (..., 4)."""
    return QUANTITIES[quantity].value(*np.moveaxis(totals, -1, 0))


def measure_coverage(number: int) -> pd.DataFrame:
    """Measure how often intervals hold the truth, by design, spread, quantity and kind of interval."""
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


def write_page(table: pd.DataFrame, number: int) -> None:
    """Write docs/coverage.md from the table."""
    designs = ["judges", "stimuli", "per_judge", "quantity"]
    ranges = (
        100 * table.groupby([*designs, "interval"], sort=False)["coverage"].agg(["min", "max"])
    ).round(1)
    cells = (ranges["min"].astype(str) + " to " + ranges["max"].astype(str)).unstack("interval")
    heads = ["Judges", "Stimuli", "Seen by a judge", "Quantity", *INTERVALS]
    lines = [" | ".join(heads), " | ".join(["---"] * len(heads))]
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


def main(number: int) -> None:
    """Simulate, and write the table and the page."""
    table = measure_coverage(number)
    files.write_frame(table.assign(data="simulation"), DOCS / "coverage.csv")
    write_page(table, number)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES)
