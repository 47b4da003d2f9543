"""A researcher's comparisons of agents, from a table to the report."""

import re

import pandas as pd
from project import Project


def test_pairs_become_ranks(tmp_path):
    project = Project(tmp_path / "project")
    project.make("init", config={"csv": "docs/example/pairs.csv"})
    project.make("all", config={"study": "pairs", "figures": {"formats": ["png"], "dpi": 72}})
    folder = project.folder / "results/pairs"
    assert (folder / "figures/ranking.png").stat().st_size > 5000
    ranking = pd.read_csv(folder / "tables/ranking.csv", keep_default_na=False)
    assert list(ranking["Agent"]) == [
        "Alder",
        "People",
        "Cedar",
        "Birch",
        "Dogwood",
        "Markov chain",
    ]
    shown = pd.read_csv(folder / "figures/ranking.csv")
    strengths = pd.read_csv(folder / "statistics/strengths.csv")
    assert list(shown["value"].dropna()) == list(strengths["value"].dropna())
    page = (folder / "report/index.html").read_text()
    assert re.search(r"Alder ranks 1 \(1 to 4\) of 5 and is not told apart from", page)
    assert "480 choices of 30 human judges" in page
