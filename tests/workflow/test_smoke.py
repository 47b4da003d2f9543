"""The workflow runs, announces what it will do, and keeps to the rules of its tools."""

import subprocess
import sys

import pytest
from project import ROOT, SMOKE, Project
from turingstats.config import settings, settings_files, subset
from turingstats.config.load import load_study
from turingstats.core import checked_yaml
from turingstats.core.plain_text import CONTROLS

RULES = (
    "obtain ingest train_judges clean provenance estimate compare relate_tasks show_related_tasks "
    "measure_texts fit_models what_changes judge_equivalence model_figure_data figure_data draw inventory "
    "table describe_judges show_judges check_claims check_notebooks claims_page draw_claims summarize "
    "write_report"
).split()
TOOLS = {
    "snakefmt": ("snakefmt.snakefmt", "--check", "Snakefile", "workflow"),
    "ruff check": ("ruff", "check", "--no-cache", "demo", "scripts", "tests", "tools"),
    "ruff format": ("ruff", "format", "--no-cache", "--check", "demo", "scripts", "tests", "tools"),
}
# Files that are written from the one model of the configuration.
WRITTEN = {
    "config/config.yaml": settings_files.write_default_yaml,
    "docs/configuration.md": settings_files.write_reference,
    "workflow/schemas/config.schema.json": settings_files.write_schema,
}


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
    assert files_of(fresh) == before


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


def test_smoke_subset_makes_every_kind_of_result(fresh):
    expect_short_account(fresh.make(*SMOKE))
    made = fresh.results("results/smoke/zhang2025")
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
    assert not [name for name in made if name.endswith((".pdf", ".svg"))]
    # A subset keeps to its own folder.
    assert [path.name for path in (fresh.folder / "results").iterdir()] == ["smoke"]
    log = (fresh.folder / "results/smoke/zhang2025/logs/ingest.log").read_text()
    assert "65 judges" in log


@pytest.mark.parametrize("tool", TOOLS)
def test_style(tool):
    done = subprocess.run(
        [sys.executable, "-m", *TOOLS[tool]], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("name", WRITTEN)
def test_files_written_from_the_model_are_up_to_date(name):
    written = WRITTEN[name]
    problem = (
        f"{name} does not hold what turingstats.config.settings_files.{written.__name__}() writes"
    )
    assert written() in (ROOT / name).read_text(), problem


def test_default_configuration_holds_the_defaults_and_nothing_else():
    values = checked_yaml.read_mapping(ROOT / "config/config.yaml")
    assert values == settings.Config().model_dump(mode="json")
