"""How often 95% intervals hold the truth when judges and stimuli are both samples: simulated studies.

On the logit scale, the probability that a verdict is right is a constant, plus the judge's sensitivity, plus
(responses of machines) or minus (people's) the judge's bias, plus the stimulus's ease; all three are normal.
Each study draws new judges and new stimuli, half of them people's responses and half of machines; the truth
is the mean over all judges and stimuli. Run with `make coverage`; it takes some minutes and writes
docs/coverage.md and .csv.
"""

import os
import sys
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

from turingstats.core.processor import SETTINGS

# Before numpy is imported.
os.environ.update(SETTINGS)

import numpy as np
import pandas as pd
from scipy.special import expit, roots_hermitenorm

from turingstats.core import files
from turingstats.stats import (
    annotator_test,
    crossed,
    machine_agreement,
    prediction_powered,
    resampling,
)
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
POWERED = (
    (20, 20, 20, 200),
    (20, 50, 20, 500),
    (50, 50, 20, 500),
    (100, 100, 20, 1000),
    (200, 200, 20, 2000),
)
"""Judges, stimuli, stimuli that each judge sees, and stimuli that only a machine judges."""
SIZES = ("judges", "stimuli", "per_judge", "others")
HELP = ("people alone", "prediction-powered")
COMPARED = ("difference of accuracy", "advantage", "agreement", "corrected correlation")
LABELS = {"p_MM": "P(M\\|M)", "detectability": "detectability"}
INTERVALS = ("judges resampled", "judges and stimuli, closed form")
TEXT = """\
# Coverage: intervals when judges and stimuli are both samples

All numbers here are from a simulation ({studies} studies for each row, seed {seed}), none from judges.
`make coverage` makes this page and its table (`coverage.csv`) again.

In each study new judges see new stimuli. A 95% interval should hold the mean over all of both in 95% of
studies; with {studies} studies the share is known within {error:.1f} points. *Judges
resampled* draws judges with replacement and leaves the stimuli as they are. *Closed form* is the two-way
clustered error with Student's t on the logit scale (`turingstats.stats.crossed`).

{short}

Shares (%) by design, from the smallest to the largest over four spreads of judges and stimuli, of P(M|M)
and of detectability:

{table}

## With the help of a machine judge

The share judged human of one agent (`turingstats.stats.prediction_powered`): people judge some stimuli, and
a machine these and more. The logit of the machine's verdict has twice the ease of the stimulus; where all
stimuli are alike, its verdicts are noise. *Narrower* is by how much the prediction-powered interval is
narrower than that of people alone.

{short_powered}

| Judges | Stimuli | Seen by each | By the machine alone | people alone | prediction-powered | Narrower (%) |
| --- | --- | --- | --- | --- | --- | --- |
{powered}

In the same studies, people and the machine are compared (`people_and_machines.csv`). *Advantage* is rho of
the alternative annotator test. The correlation is corrected for the reliability of people; it has an interval
only where people are shown to agree (n, the smallest number of studies).

| Judges | Stimuli | {compared_heads} | n |
| --- | --- | --- | --- | --- | --- | --- |
{compared}
"""


Study = tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]
"""Judge, stimulus, whether a machine made it, and whether the verdict is right, of each verdict."""


def simulate_study(
    design: tuple[int, int, int],
    spreads: tuple[float, float],
    rng: np.random.Generator,
    constant: float = CONSTANT,
) -> Study:
    """Simulate the verdicts of one study."""
    n_judges, n_stimuli, n_seen = design
    order = rng.random((n_judges, n_stimuli)).argsort(axis=1)[:, :n_seen]
    judges, stimuli = np.repeat(np.arange(n_judges), n_seen), order.ravel()
    of_machine = stimuli % 2 == 1
    sensitivity, bias = rng.normal(0, spreads[0], (2, n_judges))
    ease = rng.normal(0, spreads[1], n_stimuli)
    logits = constant + sensitivity[judges] + ease[stimuli]
    logits += np.where(of_machine, bias[judges], -bias[judges])
    return judges, stimuli, of_machine, rng.random(len(judges)) < expit(logits)


def compute_truth(spreads: tuple[float, float], constant: float = CONSTANT) -> float:
    """Compute the mean of the probability over all judges and stimuli, by Gauss-Hermite quadrature."""
    nodes, weights = roots_hermitenorm(60)
    spread = np.sqrt(2 * spreads[0] ** 2 + spreads[1] ** 2)
    return float(weights @ expit(constant + spread * nodes) / weights.sum())


def estimate_intervals(
    study: Study, rng: np.random.Generator
) -> Iterator[tuple[str, str, float, float]]:
    """Yield quantity, kind of interval, lower and upper limit of one study."""
    judges = study[0]
    counts = tabulate_verdicts(study)
    by_judge = np.zeros((judges.max() + 1, 4), int)
    np.add.at(by_judge, judges, counts)
    drawn = resampling.bootstrap_totals(by_judge, DRAWS, rng)
    for quantity in LABELS:
        _, low, high = resampling.summarize_draws(compute_value(quantity, drawn)[None], LEVEL)
        yield quantity, INTERVALS[0], low[0], high[0]
        yield quantity, INTERVALS[1], *estimate_crossed_interval(study, quantity)


def tabulate_verdicts(study: Study) -> np.ndarray:
    """Tabulate of each verdict the right ones and trials of people's, then of machines', responses."""
    *_, of_machine, right = study
    counts = [right & ~of_machine, ~of_machine, right & of_machine, of_machine]
    return np.column_stack(counts).astype(int)


def estimate_crossed_interval(study: Study, quantity: str) -> tuple[float, float]:
    """Estimate the interval of a quantity over judges and stimuli."""
    counts, (judges, stimuli, *_) = tabulate_verdicts(study), study
    totals = counts.sum(axis=0)
    shown = counts[:, 3] > 0 if quantity == "p_MM" else np.ones(len(counts), bool)
    influence = counts @ differentiate_quantity(quantity, totals)
    error = crossed.estimate_crossed_error(influence, judges, stimuli, shown)
    value = compute_value(quantity, totals)
    return crossed.compute_crossed_interval(value, error, LEVEL)


def compute_value(quantity: str, totals: np.ndarray) -> np.ndarray:
    """Compute a quantity from totals of right verdicts and trials, shape (..., 4)."""
    return QUANTITIES[quantity].value(*np.moveaxis(totals, -1, 0))


def measure_coverage(number: int) -> pd.DataFrame:
    """Measure how often intervals hold the truth, by design, spread, quantity and kind of interval."""
    rows = []
    for place, (design, spreads) in enumerate(product(DESIGNS, SPREADS)):
        limits = []
        for study in range(number):
            rng = np.random.default_rng([SEED, place, study])
            limits += estimate_intervals(simulate_study(design, spreads, rng), rng)
        truth = compute_truth(spreads)
        rows += list_coverage([(*each, truth) for each in limits], design, spreads)
    return pd.DataFrame(rows)


def list_coverage(
    limits: list[tuple[str, str, float, float, float]],
    design: tuple[int, ...],
    spreads: tuple[float, float],
) -> Iterator[dict[str, Any]]:
    """List how often the limits of studies of a design hold the truth, by quantity and kind of interval.

    `limits` are quantity, kind, lower and upper limit, and truth.
    """
    table = pd.DataFrame(limits, columns=["quantity", "interval", "low", "high", "truth"]).dropna()
    held = (table["low"] <= table["truth"]) & (table["truth"] <= table["high"])
    table = table.assign(held=held, width=table["high"] - table["low"])
    for (quantity, kind), own in table.groupby(["quantity", "interval"], sort=False):
        yield (
            dict(zip(SIZES, design, strict=False))
            | dict(zip(("spread_judges", "spread_stimuli"), spreads, strict=True))
            | {"quantity": quantity, "interval": kind, "n": len(own)}
            | {"coverage": own["held"].mean(), "width": own["width"].mean()}
        )


def measure_powered_coverage(number: int) -> pd.DataFrame:
    """Measure how often intervals hold the truth where people and a machine judge the same responses."""
    rows = []
    for place, (design, spreads) in enumerate(product(POWERED, SPREADS)):
        *of_people, n_others = design
        limits, compared = [], []
        truth = compute_truth(spreads)
        for study in range(number):
            rng = np.random.default_rng([SEED, 1, place, study])
            judges, stimuli, ease, human = simulate_rates(of_people, n_others, spreads, rng)
            predicted = rng.random(len(ease)) < expit(CONSTANT + 2 * ease)
            rate = prediction_powered.estimate_powered_rate(
                human,
                predicted[stimuli],
                judges,
                stimuli,
                predicted[-n_others:],
                np.arange(n_others),
            )
            estimates = (rate.people_value, rate.people_error), (rate.value, rate.error)
            for kind, (value, error) in zip(HELP, estimates, strict=True):
                ends = crossed.compute_crossed_interval(value, error, LEVEL)
                limits.append(("judged human", kind, *ends, truth))
            compared += compare_with_machine(judges, stimuli, human, predicted[stimuli])
        # Agreement depends on who judges what: what is estimated on average, except for the correlation.
        table = pd.DataFrame(compared, columns=["quantity", "interval", "value", "low", "high"])
        table["truth"] = table.groupby("quantity")["value"].transform("mean")
        of_correlation = table["quantity"] == "corrected correlation"
        table.loc[of_correlation, "truth"] = compute_correlation(spreads)
        named = ["quantity", "interval", "low", "high", "truth"]
        limits += table[named].itertuples(index=False, name=None)
        rows += list_coverage(limits, design, spreads)
    return pd.DataFrame(rows)


def compare_with_machine(
    judges: np.ndarray,
    stimuli: np.ndarray,
    human: np.ndarray,
    predicted: np.ndarray,
) -> Iterator[tuple[str, str, float, float, float]]:
    """Yield quantity, kind of interval, value, lower and upper limit of people compared with a machine."""
    # All responses are a machine's, so that a verdict is right if it is not human.
    difference = predicted.astype(float) - human
    error = prediction_powered.estimate_mean_error(difference, judges, stimuli)
    mean = difference.mean()
    ends = crossed.compute_crossed_interval(mean, error, LEVEL, share=False)
    yield COMPARED[0], INTERVALS[1], mean, *ends
    trials = annotator_test.leave_each_out(judges, stimuli, stimuli, human, predicted)
    rho = annotator_test.estimate_advantage(trials, LEVEL)
    yield COMPARED[1], INTERVALS[1], rho.value, rho.ci_low, rho.ci_high
    seen, first = np.unique(stimuli, return_index=True)
    counts = np.bincount(stimuli, human)[seen].astype(int), np.bincount(stimuli)[seen]
    estimates = machine_agreement.estimate_machine_agreement(predicted[first], *counts, seen, LEVEL)
    if not estimates["reliability"].ci_low > 0:
        # As for real studies.
        del estimates["corrected_correlation"]
    for name in COMPARED[2:]:
        if one := estimates.get(name.replace(" ", "_")):
            yield name, "jackknife of stimuli", one.value, one.ci_low, one.ci_high


def compute_correlation(spreads: tuple[float, float]) -> float:
    """Compute the correlation of the machine's verdicts with the shares of all people, by quadrature."""
    nodes, weights = roots_hermitenorm(60)
    weights = weights / weights.sum()
    ease, own = spreads[1] * nodes, np.sqrt(2) * spreads[0] * nodes
    share = expit(CONSTANT + ease[:, None] + own) @ weights
    machine = expit(CONSTANT + 2 * ease)
    mean, rate = weights @ share, weights @ machine
    variance = weights @ (share - mean) ** 2
    if not variance > 1e-12:
        return np.nan
    return float(weights @ ((share - mean) * machine) / np.sqrt(variance * rate * (1 - rate)))


def simulate_rates(
    design: list[int], n_others: int, spreads: tuple[float, float], rng: np.random.Generator
) -> Study:
    """Simulate verdicts on one agent: judge, stimulus, the ease of all stimuli, and whether judged human."""
    n_judges, n_stimuli, n_seen = design
    stimuli = rng.random((n_judges, n_stimuli)).argsort(axis=1)[:, :n_seen].ravel()
    judges = np.repeat(np.arange(n_judges), n_seen)
    own = rng.normal(0, np.sqrt(2) * spreads[0], n_judges)
    ease = rng.normal(0, spreads[1], n_stimuli + n_others)
    human = rng.random(len(judges)) < expit(CONSTANT + own[judges] + ease[stimuli])
    return judges, stimuli, ease, human


def sum_up_kinds(table: pd.DataFrame, kinds: tuple[str, ...]) -> str:
    """Sum up in a line each how many rows of each kind of interval have the coverage that they should."""
    short = []
    for kind in kinds:
        own = 100 * table.loc[table["interval"] == kind, "coverage"]
        inside = own.between(93, 97).sum()
        short.append(
            f"- {kind}: {own.min():.1f}% to {own.max():.1f}%; {inside} of {len(own)} rows within 93% to 97%, "
            f"{(own < 93).sum()} below, {(own > 97).sum()} above."
        )
    return "\n".join(short)


def list_ranges(table: pd.DataFrame, by: list[str], kinds: Iterable[str]) -> str:
    """List, by design, from where to where the coverage of each kind of interval reaches, in percent."""
    lines = []
    for design, own in table.groupby(by, sort=False):
        shares = [100 * own.loc[own["interval"] == kind, "coverage"] for kind in kinds]
        cells = [f"{part.min():.1f} to {part.max():.1f}" for part in shares]
        lines.append(f"| {' | '.join([*map(str, design), *cells])} |")
    return "\n".join(lines)


def end_page_with(heading: str, text: str) -> None:
    """Let docs/coverage.md end with a section, in place of an earlier one and of all that follows it."""
    page = DOCS / "coverage.md"
    files.write_text(page.read_text(encoding="utf-8").partition(heading)[0] + text, page)


def list_powered(table: pd.DataFrame) -> str:
    """List coverage and gain by design."""
    lines = []
    for design, own in table.groupby([*SIZES], sort=False):
        alone, helped = (own[own["interval"] == kind].reset_index(drop=True) for kind in HELP)
        narrower = 1 - helped["width"] / alone["width"]
        ranges = [
            f"{100 * part.min():.1f} to {100 * part.max():.1f}"
            for part in (alone["coverage"], helped["coverage"], narrower)
        ]
        lines.append(f"| {' | '.join([*map(str, design), *ranges])} |")
    return "\n".join(lines)


def list_compared(table: pd.DataFrame) -> str:
    """List coverage of comparisons of people with a machine by design."""
    lines = []
    for design, own in table.groupby(["judges", "stimuli"], sort=False):
        ranges = []
        for quantity in COMPARED:
            part = own[own["quantity"] == quantity]
            ranges.append(
                f"{100 * part['coverage'].min():.1f} to {100 * part['coverage'].max():.1f}"
            )
        lines.append(f"| {' | '.join([*map(str, design), *ranges])} | {part['n'].min()} |")
    return "\n".join(lines)


def write_page(table: pd.DataFrame, powered: pd.DataFrame, number: int) -> None:
    """Write docs/coverage.md from the tables."""
    by_design = table.groupby(["judges", "stimuli", "per_judge", "interval"], sort=False)
    ranges = (100 * by_design["coverage"].agg(["min", "max"])).round(1)
    cells = (ranges["min"].astype(str) + " to " + ranges["max"].astype(str)).unstack("interval")
    heads = ["Judges", "Stimuli", "Seen by a judge", *INTERVALS]
    lines = [" | ".join(heads), " | ".join(["---"] * len(heads))]
    for design, row in cells.iterrows():
        lines.append(" | ".join([*map(str, design), *row[list(INTERVALS)]]))
    error = 196 * np.sqrt(LEVEL * (1 - LEVEL) / number)
    text = TEXT.format(
        studies=number,
        seed=SEED,
        error=error,
        short=sum_up_kinds(table, INTERVALS),
        table="\n".join(f"| {line} |" for line in lines),
        short_powered=sum_up_kinds(powered, HELP),
        powered=list_powered(powered[powered["interval"].isin(HELP)]),
        compared_heads=" | ".join(COMPARED),
        compared=list_compared(powered),
    )
    files.write_text(text, DOCS / "coverage.md")


def main(number: int) -> None:
    """Simulate, and write the table and the page."""
    table, powered = measure_coverage(number), measure_powered_coverage(number)
    both = pd.concat([table, powered], ignore_index=True).astype({"others": "Int64"})
    files.write_frame(both.assign(data="simulation"), DOCS / "coverage.csv")
    write_page(table, powered, number)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES)
