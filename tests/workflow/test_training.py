"""Whether judges are trained is a matter of the configuration."""

from project import Project


def test_judges_are_trained_unless_told_otherwise(tmp_path):
    project = Project(tmp_path)
    asked = "results/zhang2025/data/counts.csv"
    jobs = {job.rule: job for job in project.plan(asked)}
    assert "results/zhang2025/judges/judgments.parquet" in jobs["clean"].inputs
    assert "scripts/turingstats/judges/svm/classifier.py" in jobs["train_judges"].inputs
    jobs = {job.rule: job for job in project.plan(asked, config={"judges": {"train": False}})}
    assert "train_judges" not in jobs
    assert not any("judges/judgments" in name for name in jobs["clean"].inputs)
