"""The workflow runs, announces what it will do, and keeps to the rules of its tools."""

import re
from pathlib import Path

from project import Project

from turingstats.config import settings, subset
from turingstats.config.subset import load_study
from turingstats.core.plain_text import CONTROLS

RULES = ["read", "judges", "clean", "statistics", "models", "tables", "figures", "ledger", "report"]


def files_of(project):
    return {
        path.relative_to(project.folder)
        for path in project.folder.rglob("*")
        if path.is_file() and not {".snakemake", "__pycache__"} & set(path.parts)
    }


def test_dry_run_announces_every_rule_and_leaves_nothing(tmp_path):
    fresh = Project(tmp_path / "project")
    before = files_of(fresh)
    jobs = fresh.plan()
    assert sorted(job.rule for job in jobs) == sorted(RULES)
    study = load_study(fresh.folder / "config/studies/zhang2025.yaml")
    # Figures of tasks that the study leaves out are not drawn.
    study = subset.cut_study(study, settings.Config())
    of_models = {"forest", "equivalence"}
    of_judges = {"judge_spread", "people_and_machines"}
    of_rule = {job.rule: job for job in jobs}
    drawn = {Path(path).stem for path in of_rule["figures"].inputs if path.endswith(".csv")}
    assert drawn == {*study.figures, *of_models, *of_judges}
    assert "results/zhang2025/judges/judgments.parquet" in of_rule["clean"].inputs
    assert files_of(fresh) == before


def expect_short_account(output):
    """Check what a run says in a pipe: which steps have ended, what it found and the page to open."""
    assert len(output.splitlines()) <= 80, output
    assert max(map(len, output.splitlines())) < 200, output
    assert not CONTROLS.search(output)
    for rule in RULES:
        assert output.count(f"(Rule: {rule})") == 1, output
    found = re.search(r"^zhang2025: Observed trials.*\n.*reproduced.*\n(.*)", output, re.MULTILINE)
    assert found and found[1] == "Open results/zhang2025/report/index.html", output


def test_a_run_makes_every_kind_of_result(observed):
    expect_short_account(observed.printed)
    made = observed.results()
    names = "data/judgments.parquet data/provenance.json statistics/tests.csv tables/tableS1.html"
    for name in (*names.split(), "claims/claims_overview.png", "report/index.html"):
        assert made[name], name
    assert made["figures/fig6.png"].startswith(b"\x89PNG")
    # What a picture shows is written from its source data.
    assert b'class="panels"' in made["report/index.html"]
    # Of cohorts without printed numbers none is said to hold.
    assert b"> of <" not in made["report/index.html"]
    assert len(made["report/index.html"]) < len(made["report/report.html"]) < 4_000_000
