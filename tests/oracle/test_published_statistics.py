"""Published statistics of the color task, recomputed from its trials.

The trials are not part of the repository. Without them the tests are skipped.
"""

from pathlib import Path

import numpy as np
import pytest

from turingstats.stats.hypothesis import ranks

TRIALS = Path(__file__).parents[2].parent / "shared" / "real"
AGENTS = ("azure", "google", "mccq")


def color_trials(name):
    import pandas as pd

    path = TRIALS / name
    if not path.is_file():
        pytest.skip(f"the real trials are not on this computer ({path})")
    trials = pd.read_csv(path)
    return trials.assign(correct=(trials["verdict"] == trials["groundtruth"]).astype(int))


def judge_rates(trials):
    """Per judge, the plain mean of 0 and 1: P(H|H), P(M|M) and P(M|agent), in columns."""
    judges = trials["judge"].unique()
    columns = {}
    for truth in ("human", "machine"):
        rows = trials[trials["groundtruth"] == truth]
        columns[truth] = rows.groupby("judge")["correct"].mean().reindex(judges)
    for agent in AGENTS:
        rows = trials[trials["agent"] == agent]
        columns[agent] = rows.groupby("judge")["correct"].mean().reindex(judges)
    return {name: column.to_numpy() for name, column in columns.items()}


@pytest.fixture(scope="module")
def online():
    return judge_rates(color_trials("color_trials.csv"))


@pytest.fixture(scope="module")
def experts():
    return judge_rates(color_trials("color_experts_trials.csv"))


@pytest.mark.parametrize(
    ("rate", "published", "recommended"),
    [("human", -2.1697, 2.1520), ("machine", -4.1275, 4.1650)],
)
def test_rates_against_chance(online, rate, published, recommended):
    as_published = ranks.wilcoxon(online[rate], 0.5, exact_ties=False)
    assert as_published.n1 == 65
    assert as_published.statistic == pytest.approx(published, abs=5e-5)
    signed = ranks.wilcoxon(online[rate], 0.5, exact_ties=True)
    assert signed.statistic == pytest.approx(recommended, abs=5e-5)
    assert as_published.effect > 0 and signed.effect > 0


def test_chance_p_values(online):
    assert ranks.wilcoxon(online["human"], 0.5, False).p == pytest.approx(0.0300, abs=5e-5)
    assert ranks.wilcoxon(online["machine"], 0.5, False).p == pytest.approx(3.7e-5, abs=5e-7)
    assert ranks.wilcoxon(online["human"], 0.5, True).p == pytest.approx(0.031, abs=5e-4)
    assert ranks.wilcoxon(online["machine"], 0.5, True).p == pytest.approx(3.1e-5, abs=5e-7)


def test_mccq_against_chance(online):
    # The article prints the z of P(H|H) here; its p < 0.001 belongs to this z.
    outcome = ranks.wilcoxon(online["mccq"], 0.5, exact_ties=False)
    assert outcome.statistic == pytest.approx(-3.964, abs=5e-4)
    assert outcome.p == pytest.approx(7.4e-5, abs=5e-7)


def test_models_compared(online):
    table = np.column_stack([online[agent] for agent in AGENTS])
    published = ranks.friedman(table, missing="zero")
    assert published.n1 == 65
    assert published.statistic == pytest.approx(0.969, abs=5e-4)
    assert published.p == pytest.approx(0.616, abs=5e-4)
    complete = ranks.friedman(table, missing="complete")
    assert complete.n1 == 63
    assert complete.dropped == "2 judges without a trial of some agent"
    assert complete.statistic == pytest.approx(1.275, abs=5e-4)
    assert complete.p == pytest.approx(0.529, abs=5e-4)


def test_online_judges_against_experts(online, experts):
    detectability = [(group["human"] + group["machine"]) / 2 for group in (online, experts)]
    outcome = ranks.mann_whitney(*detectability, exact_ties=False)
    assert (outcome.n1, outcome.n2) == (65, 12)
    assert outcome.statistic == 282
    assert outcome.p == pytest.approx(0.1311, abs=5e-5)
