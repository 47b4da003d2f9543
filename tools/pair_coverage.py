"""How often intervals of strengths and ranks hold the truth in simulated comparisons of agents.

Writes the last section of docs/coverage.md, and docs/coverage_pairs.csv. Run with `make coverage`.
"""

import sys
from itertools import product

# First, since it makes settings before numpy is imported.
from tools.coverage import DOCS, LEVEL, SEED, STUDIES, end_page_with, list_ranges

import numpy as np  # isort: skip
import pandas as pd
from scipy.special import expit, ndtri, stdtrit

from turingstats.core import files
from turingstats.stats.bradley_terry import BradleyTerry, Comparisons, fit_bradley_terry
from turingstats.stats.rank_sets import infer_ranks

DESIGNS = ((20, 20), (20, 200), (50, 50), (100, 100), (200, 20), (200, 200))
"""Judges and stimuli."""
SEEN, LEAN = 20, 0.2
"""Comparisons by each judge, and log odds of the option shown first."""
STRENGTHS = np.array([0.8, 0.4, 0.4, 0.0, -0.8])
SPREADS = (0.0, 0.5, 1.0)
"""Standard deviations of how judges, and stimuli, favor each agent."""
KINDS = {
    "independent": "one difference, comparisons independent",
    "clustered": "one difference",
    "at_once": "all differences",
    "ranks": "all ranks",
}
HEADING = "\n## Pairs\n"
TEXT = (
    HEADING
    + """
Differences of strength of {agents} agents, and ranks ([designs.md](designs.md#pairs)): each judge compares
two agents about {seen} of the stimuli. Judges and stimuli favor agents differently (spread {spreads},
log odds; the ranges are over these). *Comparisons independent* are the errors of a plain Bradley-Terry model.
Intervals of ranks are meant to hold at least as often as stated. Shares (%) of {studies} studies:

| Judges | Stimuli | {heads} |
| {line} |
{table}
"""
)


def simulate_comparisons(
    design: tuple[int, int], spread: float, rng: np.random.Generator
) -> Comparisons:
    """Simulate the comparisons of one study."""
    judges, stimuli = design
    seen = rng.random((judges, stimuli)).argsort(axis=1)[:, :SEEN].ravel()
    judge = np.repeat(np.arange(judges), min(SEEN, stimuli))
    first, second = rng.random((len(judge), len(STRENGTHS))).argsort(axis=1)[:, :2].T
    tastes = [rng.normal(0, spread, (number, len(STRENGTHS))) for number in design]
    odds = LEAN + rng.normal(0, spread, judges)[judge]
    for sign, agent in ((1, first), (-1, second)):
        odds += sign * (STRENGTHS[agent] + tastes[0][judge, agent] + tastes[1][seen, agent])
    return Comparisons(first, second, 1.0 * (rng.random(len(judge)) < expit(odds)), judge, seen)


def fit(design: tuple[int, int], spread: float, rng: np.random.Generator) -> BradleyTerry | None:
    """Fit the model to a simulated study."""
    return fit_bradley_terry(simulate_comparisons(design, spread, rng), len(STRENGTHS))


def compute_true_differences(spread: float) -> np.ndarray:
    """Compute the differences in the choices of very many judges about very many stimuli."""
    many = [fit((4000, 4000), spread, np.random.default_rng([SEED, 3, k])) for k in range(4)]
    strengths = np.mean([one.strength for one in many], axis=0)
    # These two are equal.
    strengths[1:3] = strengths[1:3].mean()
    return strengths[:, None] - strengths


def measure_pair_coverage(number: int) -> pd.DataFrame:
    """Measure how often intervals hold the truth, by design and spread."""
    rows, pairs = [], np.triu_indices(len(STRENGTHS), 1)
    truths = {spread: compute_true_differences(spread) for spread in SPREADS}
    for place, (design, spread) in enumerate(product(DESIGNS, SPREADS)):
        truth = truths[spread]
        rank = 1 + (truth < 0).sum(axis=1)
        held = {kind: [] for kind in KINDS}
        for study in range(number):
            rng = np.random.default_rng([SEED, 4, place, study])
            fitted = fit(design, spread, rng)
            if fitted is None:
                continue
            found = fitted.estimate_differences()
            error = np.abs(found.value - truth)[pairs]
            reach = (stdtrit(found.df, 0.5 + LEVEL / 2) * found.se)[pairs]
            spreads = np.diag(fitted.independent)[:-1]
            plain = np.sqrt(np.add.outer(spreads, spreads) - 2 * fitted.independent[:-1, :-1])
            ranks = infer_ranks(found, fitted.shared_spread, LEVEL, rng)
            # What would be told apart if all agents were equal.
            apart = infer_ranks(
                found._replace(value=found.value - truth), fitted.shared_spread, LEVEL, rng
            )
            held["independent"].append((error <= ndtri(0.5 + LEVEL / 2) * plain[pairs]).mean())
            held["clustered"].append((error <= reach).mean())
            held["at_once"].append(not apart.is_stronger.any())
            held["ranks"].append(((ranks.low <= rank) & (rank <= ranks.high)).all())
        sizes = {"judges": design[0], "stimuli": design[1], "spread": spread}
        rows += [
            sizes | {"interval": kind, "n": len(part), "coverage": np.mean(part)}
            for kind, part in held.items()
        ]
    return pd.DataFrame(rows)


def write_section(table: pd.DataFrame) -> None:
    """Write the section of docs/coverage.md, in place of an earlier one."""
    text = TEXT.format(
        agents=len(STRENGTHS),
        studies=table["n"].max(),
        seen=SEEN,
        spreads=", ".join(f"{spread:g}" for spread in table["spread"].unique()),
        heads=" | ".join(KINDS.values()),
        line=" | ".join(["---"] * (2 + len(KINDS))),
        table=list_ranges(table, ["judges", "stimuli"], KINDS),
    )
    end_page_with(HEADING, text)


if __name__ == "__main__":
    table = measure_pair_coverage(int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES)
    files.write_frame(table.assign(data="simulation"), DOCS / "coverage_pairs.csv")
    write_section(table)
