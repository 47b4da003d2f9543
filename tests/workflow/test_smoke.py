"""The workflow runs, announces what it will do, and keeps to the rules of its tools."""

import pytest
from project import Project

from turingstats.config import settings, subset
from turingstats.config.load import load_study
from turingstats.core.plain_text import CONTROLS

RULES = (
    "obtain ingest train_judges clean provenance estimate compare relate_tasks show_related_tasks "
    "measure_texts fit_models what_changes judge_equivalence model_figure_data figure_data draw inventory "
    "table describe_judges show_judges check_claims check_notebooks claims_page draw_claims summarize "
    "write_report"
).split()


@pytest.fixture(scope="module")
def fresh(tmp_path_factory):
    """A copy of the project in which nothing was run."""
    return Project(tmp_path_factory.mktemp("fresh") / "project")


def files_of(project):
    """Files of a copy, without Snakemake's own and compiled Python."""
    return {
        path.relative_to(project.folder)
        for path in project.folder.rglob("*")
        if path.is_file() and not {".snakemake", "__pycache__"} & set(path.parts)
    }


def test_dry_run_announces_every_rule_and_leaves_nothing(fresh):
    before = files_of(fresh)
    jobs = fresh.plan()
    rules = [job.rule for job in jobs]
    assert sorted(set(rules)) == sorted(RULES)
    study = load_study(fresh.folder / "config/studies/zhang2025.yaml")
    # Figures of tasks that the study leaves out are not drawn.
    study = subset.cut_study(study, settings.Config())
    drawn = {job.figure for job in jobs if job.rule == "draw"}
    of_models = {"forest", "abilities", "equivalence", "signal"}
    of_judges = {"exclusions", "judge_spread", "across_tasks", "audit"}
    assert drawn == {*study.figures, *of_models, *of_judges}
    assert rules.count("draw") == len(drawn)
    of_rule = {job.rule: job for job in jobs}
    assert "results/zhang2025/judges/judgments.parquet" in of_rule["clean"].inputs
    assert "src/turingstats/judges/svm/classifier.py" in of_rule["train_judges"].inputs
    assert files_of(fresh) == before


def test_no_judges_are_trained_where_none_are_wanted(fresh):
    asked = "results/zhang2025/data/counts.parquet"
    jobs = {job.rule: job for job in fresh.plan(asked, config={"judges": {"train": False}})}
    assert "train_judges" not in jobs
    assert not any("judges/judgments" in name for name in jobs["clean"].inputs)


def test_lint(fresh):
    fresh.make("--lint")


def expect_short_account(output):
    """Check what a run says in a pipe: a line per stage, what it found and the page to open."""
    lines = output.splitlines()
    assert len(lines) <= 20, output
    assert not CONTROLS.search(output)
    words = [line.split()[0] for line in lines if line.split()]
    for stage in ("data", "statistics", "models", "figures", "tables", "claims", "report", "all"):
        assert words.count(stage) == 1, output
    assert lines[-3].startswith("zhang2025: Observed trials") and "reproduced" in lines[-2]
    assert lines[-1] == "Open results/smoke/zhang2025/report/index.html"


def test_smoke_subset_makes_every_kind_of_result(smoke):
    expect_short_account(smoke.printed)
    folder = smoke.project.folder / "results"
    made = smoke.project.results("results/smoke/zhang2025")
    for name in (
        "data/judgments.parquet",
        "data/provenance.json",
        "statistics/estimates.csv",
        "statistics/tests.csv",
        "figures/fig6.csv",
        "tables/tableS1.html",
        "claims/claims.csv",
        "claims/index.html",
        "claims/claims_overview.png",
        "report/index.html",
    ):
        assert made[name], name
    assert made["figures/fig6.png"].startswith(b"\x89PNG")
    # A subset keeps to its own folder.
    assert [path.name for path in folder.iterdir()] == ["smoke"]
    log = (folder / "smoke/zhang2025/logs/ingest.log").read_text()
    assert "65 judges" in log
