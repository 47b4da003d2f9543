"""Language models judge any study of verdicts, also one without scores of its agents in the literature."""

from project import Project


def test_judges_are_planned_without_scores(tmp_path):
    project = Project(tmp_path / "project")
    config = {"study": "xturing", "llm": {"base_url": "http://127.0.0.1:9/v1", "models": ["m"]}}
    rules = {job.rule for job in project.plan("llm_judges", config=config)}
    assert {"llm_judge", "tables", "figures"} <= rules
