"""A researcher's games of a public Turing test, from a folder to figures (docs/games.md)."""

import pandas as pd
import pytest
from project import Project

import demo

ASKED = {
    "study": "jones2024",
    "resamples": {"bootstrap": 100, "permutation": 100},
    "figures": {"formats": ["png"], "dpi": 72},
}
# What is made from the games; that all of it is drawn is tested with the study.
ASKED_FOR = [
    f"results/jones2024/{name}"
    for name in (
        "data/sources.csv",
        "statistics/breakdowns.csv",
        "statistics/estimates.csv",
    )
]
SECRETS = (b"192.0.2.", b"Mozilla", b"Lovelace", b"@example.org")


@pytest.fixture
def project(tmp_path):
    """A copy of the project that reads games from a folder: 300 interrogators and columns of their own."""
    folder = tmp_path
    project = Project(folder / "project")
    tables = project.folder / "data/published/jones2024"
    names = ("counts", "witnesses", "strategies", "reasons")
    demo.write_study(
        "jones2024.games", [tables / f"{name}.csv" for name in names], folder / "raw", 7
    )
    games = pd.read_csv(folder / "raw/games.csv", dtype=str, keep_default_na=False)
    people = list(dict.fromkeys(games["interrogator"]))[:300]
    games = games[games["interrogator"].isin(people)]
    games.loc[games["interrogator"].isin(people[:9]), "gender"] = "prefer not to say"
    games["interrogator"] += "@example.org"
    games = games.drop(columns=["game", "temperature", "duration_s"]).assign(
        ip="192.0.2.7", browser="Mozilla/5.0", player="Ada Lovelace"
    )
    (folder / "my games").mkdir()
    games.to_csv(folder / "my games/games.csv", index=False)
    sources = project.folder / "data/sources/jones2024.yaml"
    sources.write_text(f"folder: {folder}/my games\n{sources.read_text()}")
    return project


def test_games_of_ones_own_become_statistics_as_observed_data(project):
    project.make(*ASKED_FOR, config=ASKED)
    made = project.results("results/jones2024")
    assert {*ASKED_FOR} <= {f"results/jones2024/{name}" for name in made}
    for name, content in made.items():
        assert not [secret for secret in SECRETS if secret in content], name
    breakdowns = made["statistics/breakdowns.csv"].decode()
    assert ",observed data" in breakdowns and "generated" not in breakdowns
    # What the games lack has no numbers.
    assert ".mean.words." in breakdowns
    assert ".mean.temperature." not in breakdowns
