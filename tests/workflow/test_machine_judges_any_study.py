"""Language models judge any study of verdicts, scores of its agents from the literature or not."""

import pytest
from project import Project


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    return Project(tmp_path_factory.mktemp("any") / "project")


@pytest.mark.parametrize("study", ["xturing", "jones2024", "zhang2025"])
def test_judges_are_planned_with_the_scores_that_there_are(project, study):
    llm = {"base_url": "http://127.0.0.1:9/v1", "models": ["m"]}
    jobs = {
        job.rule: job for job in project.plan("llm_judges", config={"study": study, "llm": llm})
    }
    assert "llm_judge" in jobs
    scores = [path for path in jobs["llm_figure"].inputs if "benchmarks" in path]
    published = project.folder / f"data/published/{study}/benchmarks.csv"
    assert scores == [f"data/published/{study}/benchmarks.csv"] * published.exists()
