"""The workflow runs, announces what it will do, and keeps to the rules of its tools."""

import re
from pathlib import Path

import pytest
from project import Project

from turingstats.config import settings, subset
from turingstats.config.load import load_study
from turingstats.core.plain_text import CONTROLS

RULES = ["read", "judges", "clean", "statistics", "models", "tables", "figures", "ledger", "report"]


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
    assert sorted(job.rule for job in jobs) == sorted(RULES)
    study = load_study(fresh.folder / "config/studies/zhang2025.yaml")
    # Figures of tasks that the study leaves out are not drawn.
    study = subset.cut_study(study, settings.Config())
    of_models = {"forest", "abilities", "equivalence", "signal"}
    of_judges = {"judge_spread", "audit", "people_and_machines"}
    of_rule = {job.rule: job for job in jobs}
    drawn = {Path(path).stem for path in of_rule["figures"].inputs if path.endswith(".csv")}
    assert drawn == {*study.figures, *of_models, *of_judges}
    assert "results/zhang2025/judges/judgments.parquet" in of_rule["clean"].inputs
    assert "src/turingstats/judges/svm/classifier.py" in of_rule["judges"].inputs
    assert files_of(fresh) == before


def test_four_jobs_lead_from_a_bundled_table_to_a_number_of_a_figure(fresh):
    jobs = {job.rule: job for job in fresh.plan()}
    way = ["data/observed/zhang2025/color_trials.csv"]
    names = ("data/raw_judgments.parquet", "data/counts.parquet", "statistics/estimates.csv")
    way += [f"results/zhang2025/{name}" for name in (*names, "figures/fig6.csv")]
    rules = ("read", "clean", "statistics", "tables")
    for rule, read, made in zip(rules, way[:-1], way[1:], strict=True):
        assert read in jobs[rule].inputs and made in jobs[rule].outputs


def expect_short_account(output):
    """Check what a run says in a pipe: which steps have ended, what it found and the page to open."""
    assert len(output.splitlines()) <= 80, output
    assert max(map(len, output.splitlines())) < 200, output
    assert not CONTROLS.search(output)
    # No judges are trained on a cohort alone.
    for rule in set(RULES) - {"judges"}:
        assert output.count(f"(Rule: {rule})") == 1, output
    found = re.search(r"^zhang2025: Observed trials.*\n.*reproduced.*\n(.*)", output, re.MULTILINE)
    assert found and found[1] == "Open results/smoke/zhang2025/report/index.html", output


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
    # What a picture shows is written from its source data.
    assert b"Panel by panel" in made["report/index.html"]
    # A subset keeps to its own folder.
    assert [path.name for path in folder.iterdir()] == ["smoke"]
    log = (folder / "smoke/zhang2025/logs/read.log").read_text()
    assert "65 judges" in log
