"""A researcher's games of a public Turing test, from a folder to figures (docs/games.md)."""

import re

import pandas as pd
import pytest
from project import Project

import demo

ASKED = {
    "study": "jones2024",
    "resamples": {"bootstrap": 100, "permutation": 100},
    "figures": {"formats": ["png"], "dpi": 72},
}
SECRETS = (b"192.0.2.", b"Mozilla", b"Lovelace", b"@example.org")


@pytest.fixture(scope="module")
def own(tmp_path_factory):
    """A copy of the project that reads games from a folder: 300 interrogators and columns of their own."""
    folder = tmp_path_factory.mktemp("games")
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
    path = folder / "my games/games.csv"
    games.to_csv(path, index=False)
    sources = project.folder / "data/sources/jones2024.yaml"
    sources.write_text(f"folder: {path.parent}\n{sources.read_text()}")
    return project, path


def test_games_of_ones_own_become_all_figures_as_observed_data(own):
    project, _ = own
    project.make("--cores", "2", config=ASKED)
    made = project.results("results/jones2024")
    figures = {name for name in made if re.fullmatch(r"figures/fig\d+\.png", name)}
    assert figures == {f"figures/fig{n}.png" for n in (2, *range(5, 12), *range(13, 22))}
    for name, content in made.items():
        assert not [secret for secret in SECRETS if secret in content], name
    for name in ("fig5", "fig15", "fig17"):
        assert set(
            pd.read_csv(project.folder / f"results/jones2024/figures/{name}.csv")["data"]
        ) == {"observed data"}
    # What the games lack has no numbers; what they are not is left out with the reason.
    breakdowns = made["statistics/breakdowns.csv"].decode()
    assert ".mean.words." in breakdowns
    assert ".mean.temperature." not in breakdowns
    inventory = pd.read_csv(project.folder / "results/jones2024/figures/inventory.csv")
    assert inventory.set_index("figure").loc["abilities", "drawn"] == "skipped"
    assert "figures/abilities.png" not in made


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (",AI,", ",maybe,", ("games.csv", "row", "verdict", "'maybe'", "values")),
        (",Human,", ",Human being,", ("games.csv", "witness", "'Human being'", "aliases")),
        ("known_witness", "knew", ("games.csv", "known_witness", "columns")),
    ],
)
def test_a_bad_table_is_named_with_the_remedy(own, old, new, said):
    project, path = own
    text = path.read_text()
    path.write_text(text.replace(old, new, 1))
    try:
        run = project.snakemake("data", config=ASKED)
    finally:
        path.write_text(text)
    assert run.code != 0
    message = run.output[run.output.index("InputError") :]
    for words in said:
        assert words in message, message[:1500]
