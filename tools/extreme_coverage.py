"""How well intervals do near 0 and 1, on either side, and tests of mixed models with few judges or stimuli.

Writes the last two sections of docs/coverage.md, and docs/coverage_extreme.csv. Run with `make coverage`.
"""

import sys

from tools.coverage import (  # Before numpy is imported.
    DOCS,
    LABELS,
    LEVEL,
    SEED,
    SIZES,
    compute_truth,
    end_page_with,
    estimate_crossed_interval,
    simulate_study,
)

import numpy as np  # isort: skip
import pandas as pd
from scipy.special import logit

from turingstats.core import files
from turingstats.stats.mixed import fit, wald

STUDIES = 300
RATES = (0.9, 0.95)
"""Probability of a right verdict of an average judge and stimulus."""
SPREAD = (0.5, 0.5)
DESIGNS = ((20, 20, 20), (50, 10, 10), (500, 20, 10), (100, 100, 20), (10, 500, 50))
OF_MODELS = ((10, 10, 10), (20, 20, 20), (10, 200, 40), (40, 20, 20), (100, 100, 20))
RANDOM = "(1 | judge) + (1 | judge:made_by) + (1 | stimulus)"
TERMS = {"within judges": "made_by", "between judges": "half"}
"""Terms of models without an effect, by what they compare."""
HEADING = "\n## Rates near 1\n"
TEXT = (
    HEADING
    + """
Right verdicts of an average judge on an average stimulus in 90% or 95% of cases, for P(M|M) and
detectability; judges and stimuli as above, with spreads of 0.5 ({studies} studies for each case;
coverage_extreme.csv has all). *Too high* and *too low* are shares of intervals that lie above or below the
truth; each should be 2.5%.

| Judges | Stimuli | Seen by a judge | Holds the truth | Too high | Too low |
| --- | --- | --- | --- | --- | --- |
{rates}

## Mixed models

How often the Wald test of a fixed effect rejects a true null hypothesis at 5%, in models with
`{random}` ({studies} studies for each row). Effects are
whether a machine made the response (*within* judges) and two groups of judges (*between*). *z* is the normal
distribution, which lme4 uses; *t* has the judges or stimuli, whichever are fewer, less the coefficients, as
degrees of freedom; `models.csv` has it.

| Judges | Stimuli | Seen by a judge | Effect | z | t |
| --- | --- | --- | --- | --- | --- |
{models}
"""
)


def measure_rates(number: int) -> pd.DataFrame:
    """Measure coverage and misses on either side, at rates near 1."""
    rows = []
    for place, design in enumerate(DESIGNS):
        for rate in RATES:
            truth = compute_truth(SPREAD, logit(rate))
            limits: dict[str, list[tuple[float, float]]] = {name: [] for name in LABELS}
            for study in range(number):
                rng = np.random.default_rng([SEED, 3, place, study])
                simulated = simulate_study(design, SPREAD, rng, logit(rate))
                for quantity, held in limits.items():
                    held.append(estimate_crossed_interval(simulated, quantity))
            for quantity, held in limits.items():
                low, high = np.array([ends for ends in held if np.isfinite(ends).all()]).T
                misses = {"too_high": (low > truth).mean(), "too_low": (high < truth).mean()}
                row = dict(zip(SIZES, design, strict=False)) | {
                    "quantity": quantity,
                    "truth": truth,
                }
                rows.append(row | {"n": len(low), "coverage": 1 - sum(misses.values())} | misses)
    return pd.DataFrame(rows)


def measure_models(number: int) -> pd.DataFrame:
    """Measure how often Wald tests of mixed models reject true null hypotheses."""
    rows = []
    for place, design in enumerate(OF_MODELS):
        rejected: dict[str, list[tuple[bool, bool]]] = {name: [] for name in TERMS}
        for study in range(number):
            rng = np.random.default_rng([SEED, 4, place, study])
            judge, stimulus, of_machine, right = simulate_study(design, SPREAD, rng, 0.0)
            made_by = np.where(of_machine, "machine", "human")
            columns = {"judge": judge, "stimulus": stimulus, "half": judge % 2}
            table = pd.DataFrame(columns).astype(str).assign(made_by=made_by)
            # Detectability is one half, so that machines and people are called machine equally often.
            table["said_machine"] = (right == of_machine).astype(int)
            for name, term in TERMS.items():
                fitted = fit.fit_model(table, f"said_machine ~ {term} + {RANDOM}")
                if fitted.usable:
                    tests = (
                        wald.wald(fitted.estimate[1], fitted.se[1], LEVEL, df)
                        for df in (np.inf, fitted.df)
                    )
                    z, t = (tested.p < 1 - LEVEL for tested in tests)
                    rejected[name].append((z, t))
        for name, both in rejected.items():
            z, t = np.mean(both, axis=0)
            row = dict(zip(SIZES, design, strict=False)) | {"effect": name, "n": len(both)}
            rows.append(row | {"rejected_z": z, "rejected_t": t})
    return pd.DataFrame(rows)


def list_lines(table: pd.DataFrame, names: list[str], shares: list[str]) -> str:
    """List the groups of a table for the page, with the range of their shares in percent."""
    lines = []
    for group, part in table.groupby(names, sort=False):
        ends = (100 * part[shares]).agg(["min", "max"])
        ranges = [
            f"{low:.1f}" + (f" to {high:.1f}" if high > low else "")
            for low, high in ends.T.to_numpy()
        ]
        lines.append(f"| {' | '.join([*map(str, group), *ranges])} |")
    return "\n".join(lines)


def write_page(rates: pd.DataFrame, models: pd.DataFrame, studies: int) -> None:
    """Write the sections of docs/coverage.md, in place of earlier ones."""
    sizes = ["judges", "stimuli", "per_judge"]
    text = TEXT.format(
        studies=studies,
        random=RANDOM,
        rates=list_lines(rates, sizes, ["coverage", "too_high", "too_low"]),
        models=list_lines(models, [*sizes, "effect"], ["rejected_z", "rejected_t"]),
    )
    end_page_with(HEADING, text)


def main(number: int) -> None:
    """Simulate, and write the table and the sections of docs/coverage.md."""
    rates, models = measure_rates(number), measure_models(number)
    both = pd.concat([rates, models], ignore_index=True)
    files.write_frame(both.assign(data="simulation"), DOCS / "coverage_extreme.csv")
    write_page(rates, models, number)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES)
