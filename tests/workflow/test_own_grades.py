"""Ratings and detectors' scores from a table to the report."""

import pandas as pd
import pytest
from project import ROOT, Project

FEW = {
    "resamples": {"bootstrap": 100, "permutation": 100},
    "figures": {"formats": ["png"], "dpi": 72},
}
AGENTS = {"gpt_4o": "GPT-4o", "llama_3": "Llama 3", "markov_chain": "Markov chain"}
GRADES = {
    "ratings": {
        "rating": {"column": "answer", "human": "1-3", "unsure": "4", "machine": "5-7"},
        "missing": ["-1"],
    },
    "scores": {"score": {"column": "p_fake", "machine": ">= 0.5"}},
}


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project with studies written for both tables of docs/example/."""
    project = Project(tmp_path_factory.mktemp("grades") / "project")
    for name, table in GRADES.items():
        project.make(
            "init", config={"csv": f"docs/example/{name}.csv", "name": name, "table": table}
        )
        path = project.folder / f"data/sources/{name}.yaml"
        path.write_text("generated: true\n" + path.read_text())
    return project


def read_table(project, study, path):
    """A table of results."""
    return pd.read_csv(project.folder / f"results/{study}/{path}.csv")


def test_ratings_become_figures_and_models(project):
    targets = ["statistics/ratings.csv", "statistics/ordinal_models.csv"]
    project.make(
        *(f"results/ratings/{path}" for path in targets), config=FEW | {"study": "ratings"}
    )
    raw = pd.read_csv(ROOT / "docs/example/ratings.csv")
    kept = raw[raw["answer"] > 0]
    ratings = read_table(project, "ratings", "statistics/ratings").set_index("rating_id")
    assert set(ratings["data"]) == {"generated data"}
    for agent, label in ({"human": "Human"} | AGENTS).items():
        own = kept.loc[kept["written_by"] == label, "answer"]
        assert ratings.loc[f"verdicts.judges.{agent}.mean", "value"] == pytest.approx(own.mean())
        counts = [ratings.loc[f"verdicts.judges.{agent}.share.{k}", "k"] for k in range(1, 8)]
        assert counts == [(own == k).sum() for k in range(1, 8)]
    left_out = read_table(project, "ratings", "data/exclusions")
    assert left_out["excluded"].max() == len(raw) - len(kept)
    models = read_table(project, "ratings", "statistics/ordinal_models").set_index("term")
    order = models.loc[list(AGENTS), "estimate"]
    assert models["converged"].all()
    # The generator made them more and more like machines.
    assert order.is_monotonic_increasing and order.iloc[-1] > 1


def test_a_study_of_detectors_alone_runs_to_the_end(project):
    project.make(config=FEW | {"study": "scores"})
    made = project.results("results/scores")
    names = ("matrices", "agents", "ratings", "roc", "calibration")
    assert {f"figures/{name}.png" for name in names} <= set(made)
    inventory = read_table(project, "scores", "figures/inventory").set_index("figure")
    assert inventory.loc["groups", "why"] == "no cohort of human judges"
    ratings = read_table(project, "scores", "statistics/ratings")
    areas = ratings[(ratings["quantity"] == "roc_area") & (ratings["agent"] == "all")]
    assert areas["cohort"].tolist() == ["perplexity", "watermark_probe", "word_counts", "all"]
    assert areas[["se", "ci_low", "ci_high"]].notna().all().all()
    raw = pd.read_csv(ROOT / "docs/example/scores.csv")
    people = raw[(raw["detector"] == "Perplexity") & (raw["written_by"] == "Human")]["p_fake"]
    limits = ratings[(ratings["quantity"] == "threshold") & (ratings["cohort"] == "perplexity")]
    for limit, rate in zip(limits["value"], (0.01, 0.05), strict=True):
        assert (people >= limit).mean() <= rate
    estimates = read_table(project, "scores", "statistics/estimates").set_index("estimate_id")
    alarms = 1 - estimates.loc["verdicts.perplexity.all.human.p_HH", "value"]
    assert alarms == pytest.approx((people >= 0.5).mean())
    summary = read_table(project, "scores", "tables/rating_summary")
    judges = {"Perplexity", "Word counts", "Watermark probe", "Mean of all detectors"}
    assert set(summary["Judges"]) == judges
    assert "Hits at 5% false alarms" in summary
    page = made["report/index.html"].decode()
    for title in (
        "Distribution of ratings",
        "How well ratings tell",
        "Calibration of scores",
        "Ratings and scores by agent",
    ):
        assert title in page
