"""Win rates of games of three parties against R (make_games_reference.R), from the table to the estimates."""

import numpy as np
import pandas as pd
import pytest
from project import ROOT, read_reference

from turingstats.analysis.estimates.estimate import estimate_rates
from turingstats.config import raw_files, settings
from turingstats.config.subset import load_study
from turingstats.data import adapters, cleaning, counts
from turingstats.new_study import starting_study
from turingstats.stats.mixed.fit import fit_model

REFERENCE = read_reference("games_reference")
GAMES = ROOT / "docs/example/games.csv"


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    """The study that is written for the table, and its judgments and judges."""
    root = tmp_path_factory.mktemp("games")
    starting_study.write_study(GAMES, "games", root)
    declared = load_study(root / "config/studies/games.yaml")
    listed = raw_files.load_sources(root / "data/sources/games.yaml").files
    judgments, judges, *_ = adapters.read_with_left_out(listed, GAMES.parent, declared)
    return declared, judgments, judges


def test_win_rates_and_their_errors_are_those_of_r(study):
    declared, judgments, judges = study
    marked = cleaning.mark_exclusions(judgments, declared, settings.Cleaning())
    counted = counts.count_verdicts(marked, declared, None, counts.map_judges_to_people(judges))
    nobody = pd.DataFrame(columns=["judge", "reading", "group_by", "group"])
    table = estimate_rates(counted, nobody, declared, {"confidence": 0.95})
    rates = table[(table["quantity"] == "p_HM") & (table["group_by"] == "all")].set_index("agent")
    for name, agent in declared.agents.items():
        if name != "human":
            expected = REFERENCE["rates"][agent.label]
            for what in ("n", "value", "se", "df", "ci_low", "ci_high"):
                assert rates.loc[name, what] == pytest.approx(expected[what], rel=1e-6)


def test_odds_that_a_judge_is_right_are_those_of_lme4(study):
    declared, judgments, _ = study
    table = pd.DataFrame(
        {name: judgments[name].astype(str) for name in ("judge", "stimulus", "agent")}
    ).assign(correct=(judgments["verdict"] == "machine").astype(int))
    fitted = fit_model(table, "correct ~ agent + (1 | judge) + (1 | stimulus)")
    first = fitted.data.table["agent"].astype(str).drop_duplicates()
    rows = dict(
        zip(first, fitted.design[[*first.index.map(fitted.data.table.index.get_loc)]], strict=True)
    )
    for name, right, se in zip(
        REFERENCE["agents"], REFERENCE["right"], REFERENCE["se"], strict=True
    ):
        (agent,) = [key for key, described in declared.agents.items() if described.label == name]
        assert rows[agent] @ fitted.estimate == pytest.approx(right, abs=0.01 * se)
        variance = rows[agent] @ fitted.covariance @ rows[agent]
        assert np.sqrt(variance) == pytest.approx(se, rel=0.01)
